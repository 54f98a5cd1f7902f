// Who may save: the main agent, and nobody else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, say } from './model.mjs';
import { World } from './world.mjs';

let plugin;
let manual;
before(() => {
  plugin = new World().plugin();
  manual = new World().manual();
});
after(() => [plugin, manual].forEach((world) => world.remove()));

const agent = (background) =>
  [call('Agent', { description: 'help', prompt: 'Help.', subagent_type: 'general-purpose', run_in_background: background })];

for (const [name, world] of [['the plugin', () => plugin], ['the manual set-up', () => manual]]) {
  test(`${name}: the main agent saves, a subagent is told to report instead`, async () => {
    const here = world();
    const root = here.project();
    const run = await here.session(root, {
      script: {
        main: [
          here.fetchTools('save', 'load'),
          here.call('save', { goal: 'the main goal', tasks: [{ description: 'lexer', status: 'done' }] }),
          agent(false),
          here.call('load', {}),
        ],
        sub: [
          here.fetchTools('save', 'load', 'list'),
          here.call('save', { goal: 'the goal of a subagent' }),
          here.call('load', {}),
          here.call('list', {}),
          [say('reported')],
        ],
      },
    });
    assert.equal(run.status, 0);
    const [saved] = run.answers('save');
    assert.equal(saved.error, false);
    const [denied] = run.answers('save', 'sub');
    assert.equal(denied.error, true);
    assert.match(denied.text, /Report what should be kept to the parent agent/);
    assert.deepEqual(
      run.served.map(([tool]) => tool),
      ['save_session_checkpoint', 'load_session_checkpoint', 'list_session_checkpoints', 'load_session_checkpoint'],
    );
    for (const tool of ['load', 'list']) {
      const [answer] = run.answers(tool, 'sub');
      assert.equal(answer.error, false);
      assert.match(answer.text, /the main goal/);
    }
    assert.match(run.answers('load')[0].text, /# Resuming.*the main goal.*\[x\] lexer/s);
    assert.deepEqual(Object.keys(here.checkpoints(root)), [run.id]);
    assert.equal(here.checkpoints(root)[run.id].goal.primary, 'the main goal');
  });
}

test('a background subagent cannot save either', async () => {
  const root = plugin.project();
  let told;
  const finished = new Promise((resolve) => (told = resolve));
  const run = await plugin.session(root, {
    script: {
      main: [plugin.fetchTools('save'), plugin.call('save', { goal: 'the main goal' }), agent(true), async () => (await finished, [say('done')])],
      sub: [
        plugin.fetchTools('save'),
        plugin.call('save', { goal: 'the goal of a subagent' }),
        () => (told(), [say('reported')]),
      ],
    },
  });
  const [denied] = run.answers('save', 'sub');
  assert.equal(denied.error, true);
  assert.match(denied.text, /Report what should be kept to the parent agent/);
  assert.equal(run.served.length, 1);
  assert.equal(plugin.checkpoints(root)[run.id].goal.primary, 'the main goal');
});

test('a main session that was started with --agent saves', async () => {
  const root = plugin.project();
  const agents = { keeper: { description: 'keeps', prompt: 'You keep things.' } };
  const run = await plugin.session(root, {
    args: ['--agents', JSON.stringify(agents), '--agent', 'keeper'],
    script: { main: [plugin.fetchTools('save'), plugin.call('save', { goal: 'the goal of the keeper' })] },
  });
  const [input] = run.entries.filter(({ role, at }) => role === 'guard' && at === 'in').map(({ text }) => JSON.parse(text));
  assert.equal(input.agent_type, 'keeper');
  assert.equal(run.answers('save')[0].error, false);
  assert.equal(plugin.checkpoints(root)[run.id].goal.primary, 'the goal of the keeper');
});
