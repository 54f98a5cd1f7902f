// A server that is killed in the middle of a save leaves a whole checkpoint, and the client goes on.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { say } from './model.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

const noFlock = spawnSync('flock', ['--version']).status === 0 ? false : 'there is no flock(1) to hold the lock with';

/** Does something once a change in a folder, of the file that is named, is the one that is waited for. */
function once(folder, awaited, act) {
  const watcher = fs.watch(folder, { persistent: false }, (_, name) => {
    if (!awaited(name)) return;
    watcher.close();
    act();
  });
}

const saves = () =>
  here.entries().filter(({ role, at, text }) => role === 'serve' && at === 'in' && /"tools\/call".*"save_session_checkpoint"/.test(text));
const killServer = () =>
  process.kill(here.entries().findLast(({ role, at }) => role === 'serve' && at === 'start').pid, 'SIGKILL');
const killed = () => here.entries().filter(({ role, at, signal }) => role === 'serve' && at === 'end' && signal === 'SIGKILL').length;
const large = Array.from({ length: 20 }, (_, number) => `${number} ${'x'.repeat(490)}`);

test('two kills, one before anything is written and one while it is', { skip: noFlock }, async () => {
  const root = here.project();
  const folder = path.join(root, '.claude-checkpoints');
  let holder;
  const run = await here.session(root, {
    script: {
      main: [
        here.fetchTools('save', 'load'),
        here.call('save', { goal: 'first', decisions: large }),
        async () => {
          // The save has to wait for the lock, and is killed while it does.
          holder = spawn('flock', [path.join(folder, '.lock'), '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
          await new Promise((resolve) => holder.stdout.once('data', resolve));
          const before = saves().length;
          once(here.base, () => saves().length > before, killServer);
          return here.call('save', { goal: 'second', decisions: large });
        },
        () => {
          assert.deepEqual(Object.values(here.checkpoints(root)).map(({ goal }) => goal.primary), ['first']);
          holder.stdin.end();
          // This one is killed as soon as a temporary file shows that it has begun to write.
          once(folder, (name) => name.endsWith('.tmp'), killServer);
          return here.call('save', { goal: 'third', decisions: large });
        },
        here.call('load', {}),
        here.call('save', { goal: 'fourth' }),
        [say('done')],
      ],
    },
  });
  assert.equal(run.status, 0);
  assert.equal(killed(), 2);
  const [first, second, third, fourth] = run.answers('save');
  assert.deepEqual([first.error, second.error, fourth.error], [false, true, false]);
  // The second kill comes before or after the rename; either way the checkpoint is whole.
  const brief = run.answers('load').at(-1).text;
  assert.match(brief, third.error ? /# Resuming.*(first|third)/s : /# Resuming.*third/s);
  assert.doesNotMatch(brief, /"fromBackup":true/);
  assert.deepEqual(Object.keys(here.checkpoints(root)), [run.id]);
  assert.equal(here.checkpoints(root)[run.id].goal.primary, 'fourth');
});
