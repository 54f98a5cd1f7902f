// `ckpt resume` starts the real client: with the conversation where it still exists, else with a new one that loads the checkpoint.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { noTerminal } from './terminal.mjs';
import { ckpt, World } from './world.mjs';

let here;
before(() => (here = new World().bare().asCommand()));
after(() => here.remove());

const goals = (root) =>
  Object.fromEntries(Object.entries(here.checkpoints(root)).map(([id, checkpoint]) => [id, checkpoint.goal.primary]));
const saves = (goal, input = {}) => [here.fetchTools('save', 'load'), here.call('save', { goal, ...input })];

/** A project with the checkpoint of a conversation that is over. */
async function earlier(goal) {
  const root = here.project();
  here.onboard(root);
  const { id } = await here.session(root, { script: { main: saves(goal) } });
  assert.deepEqual(goals(root), { [id]: goal });
  return { root, id };
}

/** Goes on with what a resume starts, without the recorder between it and the terminal, and says one thing there. */
const goOn = (folder, words, goal) =>
  here.terminal(folder, {
    words: [ckpt, 'resume', ...words],
    script: { main: saves(goal) },
    talk: async (terminal) => {
      await terminal.ready();
      await terminal.say('Onwards', 3);
    },
  });

test('after its end the conversation goes on', { skip: noTerminal }, async () => {
  const { root, id } = await earlier('begun');
  const run = await goOn(root, [id.slice(0, 8)], 'gone on');
  assert.equal(run.status, 0);
  assert.deepEqual(goals(root), { [id]: 'gone on' });
});

test('after a kill the conversation goes on', { skip: noTerminal }, async () => {
  const root = here.project();
  let reached;
  const there = new Promise((resolve) => (reached = resolve));
  const { id } = await here.session(root, {
    script: { main: [...saves('begun'), () => (reached(), new Promise(() => {}))] },
    talk: async (session) => {
      session.say('save').catch(() => {});
      await there;
      await session.kill();
    },
  });
  await goOn(root, [id], 'gone on');
  assert.deepEqual(goals(root), { [id]: 'gone on' });
});

test('from another folder it goes on in its own', { skip: noTerminal }, async () => {
  const { root, id } = await earlier('begun');
  const elsewhere = here.project();
  await goOn(elsewhere, [id, '--everywhere'], 'gone on');
  assert.deepEqual(goals(root), { [id]: 'gone on' });
  assert.deepEqual(goals(elsewhere), {});
});

test('where the conversation is gone a new one is told to load the checkpoint, and does', { skip: noTerminal }, async () => {
  const { root, id } = await earlier('begun a month ago');
  fs.rmSync(path.join(here.home, '.claude', 'projects'), { recursive: true });
  const run = await here.terminal(root, {
    words: [ckpt, 'resume', id],
    script: { main: [here.fetchTools('save', 'load'), here.call('load', { checkpoint: id }), here.call('save', { goal: 'gone on', resumedFrom: id })] },
    talk: async (terminal) => {
      await terminal.until(() => terminal.asked() >= 4, 'the answer to the prompt');
      await terminal.ready();
    },
  });
  assert.match(JSON.stringify(run.asked[0].body.messages), new RegExp(`Load the session checkpoint \`${id}\``));
  assert.match(run.answers('load')[0].text, /# Resuming.*begun a month ago/s);
  const [[saved, checkpoint]] = Object.entries(here.checkpoints(root)).filter(([session]) => session !== id);
  assert.notEqual(saved, id);
  assert.equal(checkpoint.resumedFrom, id);
});

test('while it runs, it is not doubled unasked', { skip: noTerminal }, async () => {
  const root = here.project();
  await here.terminal(root, {
    script: { main: saves('begun') },
    talk: async (running) => {
      await running.ready();
      await running.say('Save', 3);
      const { sessionId } = here.processes().find(({ cwd }) => cwd === root);
      const run = await here.terminal(root, {
        words: [ckpt, 'resume', sessionId],
        talk: async (second) => {
          await second.shows('still runs');
          second.end = () => (second.child.stdin.write('n'), second.ended);
        },
      });
      assert.equal(run.status, 1);
      assert.equal(run.asked.length, 0);
    },
  });
});
