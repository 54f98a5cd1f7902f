// What a session is told at its start, as the model's request shows it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from './world.mjs';

const NOTE = 'This project has';
let plugin;
let manual;
before(() => {
  plugin = new World().plugin();
  manual = new World().manual();
});
after(() => [plugin, manual].forEach((world) => world.remove()));

for (const [name, world] of [['the plugin', () => plugin], ['the manual set-up', () => manual]]) {
  test(`${name}: a project with checkpoints is mentioned in the first request`, async () => {
    const here = world();
    const run = await here.session(here.project('one', 'two'));
    assert.equal(run.status, 0);
    assert.match(run.asked[0].text, /This project has 2 session checkpoints, the newest saved just now\./);
    assert.match(run.asked[0].text, /load_session_checkpoint/);
  });

  test(`${name}: a project without checkpoints is not`, async () => {
    const here = world();
    const run = await here.session(here.project());
    assert.equal(run.status, 0);
    assert.ok(!run.asked[0].text.includes(NOTE));
    assert.deepEqual(run.entries.filter(({ role, at }) => role === 'nudge' && at === 'out'), []);
  });

  test(`${name}: SESSION_CHECKPOINT_NUDGE silences the note`, async () => {
    const here = world();
    const run = await here.session(here.project('one'), { env: { SESSION_CHECKPOINT_NUDGE: 'Off' } });
    assert.equal(run.status, 0);
    assert.ok(!run.asked[0].text.includes(NOTE));
  });

  test(`${name}: CHECKPOINT_PROJECT_ROOT holds for the hook and for the server`, async () => {
    const here = world();
    const elsewhere = here.project('one');
    const root = here.project();
    const run = await here.session(root, {
      env: { CHECKPOINT_PROJECT_ROOT: elsewhere },
      script: { main: [here.fetchTools('save', 'list'), here.call('save', { goal: 'kept elsewhere' }), here.call('list', {})] },
    });
    assert.match(run.asked[0].text, /This project has 1 session checkpoint, saved just now\./);
    assert.deepEqual(Object.keys(here.checkpoints(elsewhere)).sort(), [run.id, 'one'].sort());
    assert.deepEqual(here.checkpoints(root), {});
    assert.match(run.answers('list')[0].text, /the goal of one/);
  });
}
