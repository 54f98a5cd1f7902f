// What the user permits stays what the user permits, whether the guard rewrites a call or not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from './world.mjs';

let plugin;
let bare;
before(() => {
  plugin = new World().plugin();
  bare = new World().bare();
});
after(() => [plugin, bare].forEach((world) => world.remove()));

for (const [name, world] of [['the plugin', () => plugin], ['the bare server', () => bare]]) {
  /** A session that saves once in a mode of permissions: whether the save was done, and for what the client wanted to ask. */
  const saving = async (mode, ...args) => {
    const here = world();
    const root = here.project();
    const run = await here.session(root, {
      args: ['--permission-mode', mode, ...args],
      script: { main: [here.fetchTools('save'), here.call('save', { goal: 'the goal' })] },
    });
    const [answer] = run.answers('save');
    const asked = run.session.events.findLast(({ type }) => type === 'result').permission_denials;
    assert.equal(run.served.length, answer.error ? 0 : 1, answer.text);
    assert.equal(Object.keys(here.checkpoints(root)).length, run.served.length);
    return { isDone: !answer.error, asked, text: answer.text };
  };
  const allowed = () => ['--allowedTools', world().tool('save')];

  test(`${name}: the default mode asks, which nobody answers here`, async () => {
    const { isDone, asked } = await saving('default');
    assert.equal(isDone, false);
    assert.deepEqual(asked.map(({ tool_name }) => tool_name), [world().tool('save')]);
  });

  test(`${name}: plan mode refuses`, async () => {
    const { isDone } = await saving('plan');
    assert.equal(isDone, false);
  });

  test(`${name}: a tool that is allowed passes`, async () => {
    for (const mode of ['default', 'dontAsk']) {
      const { isDone, asked } = await saving(mode, ...allowed());
      assert.equal(isDone, true, mode);
      assert.deepEqual(asked, []);
    }
    assert.equal((await saving('bypassPermissions')).isDone, true);
  });

  test(`${name}: a tool that is denied does not pass`, async () => {
    const { isDone } = await saving('bypassPermissions', '--disallowedTools', world().tool('save'));
    assert.equal(isDone, false);
  });
}
