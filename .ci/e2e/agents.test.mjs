// Who may save: the main agent, and nobody else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, say } from './model.mjs';
import { World } from './world.mjs';

let plugin;
let manual;
let bare;
before(() => {
  plugin = new World().plugin();
  manual = new World().manual();
  bare = new World().bare();
});
after(() => [plugin, manual, bare].forEach((world) => world.remove()));

const REFUSAL = /report what should be kept to the parent agent/;

const agent = (background) =>
  [call('Agent', { description: 'help', prompt: 'Help.', subagent_type: 'general-purpose', run_in_background: background })];

for (const [name, world] of [['the plugin', () => plugin], ['the manual set-up', () => manual], ['the bare server', () => bare]]) {
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
    assert.match(denied.text, REFUSAL);
    const served = ['save', 'load', 'list', 'load'];
    // Without a hook it is the server that refuses.
    if (!here.hooked) served.splice(1, 0, 'save');
    assert.deepEqual(run.served.map(([tool]) => tool.split('_')[0]), served);
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

for (const [name, world] of [['the plugin', () => plugin], ['the bare server', () => bare]]) {
  test(`${name}: a background subagent cannot save either`, async () => {
    const here = world();
    const root = here.project();
    let told;
    const finished = new Promise((resolve) => (told = resolve));
    const run = await here.session(root, {
      script: {
        main: [here.fetchTools('save'), here.call('save', { goal: 'the main goal' }), agent(true), async () => (await finished, [say('done')])],
        sub: [
          here.fetchTools('save'),
          here.call('save', { goal: 'the goal of a subagent' }),
          () => (told(), [say('reported')]),
        ],
      },
    });
    const [denied] = run.answers('save', 'sub');
    assert.equal(denied.error, true);
    assert.match(denied.text, REFUSAL);
    assert.equal(run.served.length, here.hooked ? 1 : 2);
    assert.equal(here.checkpoints(root)[run.id].goal.primary, 'the main goal');
  });
}

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
