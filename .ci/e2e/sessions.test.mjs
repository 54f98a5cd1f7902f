// What becomes of a checkpoint when a session ends, goes on, or is broken off.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { say } from './model.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

const saving = (goal, input = {}) => [here.fetchTools('save', 'load'), here.call('save', { goal, ...input })];
const goals = (root) =>
  Object.fromEntries(Object.entries(here.checkpoints(root)).map(([id, checkpoint]) => [id, checkpoint.goal.primary]));
/** The hook's inputs, as the client gave them. */
const starts = (run) =>
  run.entries.filter(({ role, at }) => role === 'nudge' && at === 'in').map(({ text }) => JSON.parse(text));
/** The environment that the server was started with. */
const server = (run) => run.entries.find(({ role, at }) => role === 'serve' && at === 'start').env;
/** Whether a text is in a request that the model got, at whatever depth of JSON it stands there. */
const told = ({ text }, needle) => text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1));

/** A project with a checkpoint of an earlier session, which is over. */
async function earlier(goal = 'the earlier goal') {
  const root = here.project();
  const run = await here.session(root, { script: { main: saving(goal) } });
  assert.deepEqual(goals(root), { [run.id]: goal });
  return { root, id: run.id };
}

test('after /clear the new conversation is told of the checkpoint and gets the brief', async () => {
  const root = here.project();
  const run = await here.session(root, {
    script: {
      main: [
        ...saving('the goal before', { tasks: [{ description: 'lexer', status: 'done' }] }),
        [say('saved')],
        here.call('load', {}),
        here.call('save', { goal: 'the goal after', mode: 'merge' }),
        [say('resumed')],
      ],
    },
    talk: async (session) => {
      await session.say('save');
      await session.say('/clear');
      await session.say('resume');
    },
  });
  assert.deepEqual(starts(run).map(({ source }) => source), ['startup', 'clear']);
  const first = run.asked.find(({ text }) => text.includes('"resume"') && !text.includes('"save"'));
  assert.ok(told(first, 'This project has 1 session checkpoint, saved just now.'), 'the note stands in the request after /clear');
  assert.ok(told(first, 'Saves go to the same checkpoint as before /clear'));
  assert.match(run.answers('load').at(-1).text, /# Resuming.*the goal before/s);
  const [[, checkpoint]] = Object.entries(here.checkpoints(root));
  assert.equal(checkpoint.goal.primary, 'the goal after');
  assert.deepEqual(checkpoint.goal.tasks, [{ description: 'lexer', status: 'done' }]);
});

test('after /compact the note names the own checkpoint', async () => {
  const root = here.project();
  const run = await here.session(root, {
    script: { main: [...saving('the goal before'), [say('saved')], here.call('load', {}), [say('resumed')]] },
    talk: async (session) => {
      await session.say('save');
      await session.say('/compact');
      await session.say('resume');
    },
  });
  assert.deepEqual(starts(run).map(({ source }) => source), ['startup', 'compact']);
  const last = run.asked.at(-1);
  assert.ok(told(last, `This session's own is \`${run.id}\``), 'the note stands in the request after compaction');
  assert.match(run.answers('load').at(-1).text, /# Resuming.*the goal before/s);
});

test('--resume ID goes on with the own checkpoint', async () => {
  const { root, id } = await earlier();
  const run = await here.session(root, {
    args: ['--resume', id],
    script: { main: [here.call('load', {}), here.call('save', { goal: 'the later goal' })] },
  });
  assert.equal(starts(run)[0].source, 'resume');
  assert.ok(told(run.asked[0], `This session's own is \`${id}\``));
  assert.match(run.answers('load').at(-1).text, /# Resuming.*the earlier goal/s);
  assert.deepEqual(goals(root), { [id]: 'the later goal' });
});

test('--continue starts the server under another id, and the note leads to the right checkpoint', async () => {
  const { root, id } = await earlier();
  const run = await here.session(root, {
    args: ['--continue'],
    script: {
      main: [
        here.call('load', {}),
        here.call('load', { checkpoint: id }),
        here.call('save', { goal: 'the later goal', mode: 'merge', resumedFrom: id }),
      ],
    },
  });
  assert.equal(starts(run)[0].session_id, id);
  assert.notEqual(server(run).CLAUDE_CODE_SESSION_ID, id);
  assert.ok(told(run.asked[0], `This session's own is \`${id}\``));
  const [without, named] = run.answers('load').slice(-2);
  assert.match(without.text, /the earlier goal/);
  assert.doesNotMatch(without.text, /# Resuming/);
  assert.match(named.text, /# Resuming.*the earlier goal/s);
  assert.deepEqual(goals(root), { [id]: 'the earlier goal', [server(run).CLAUDE_CODE_SESSION_ID]: 'the later goal' });
});

test('--fork-session saves under its own id and leaves the original alone', async () => {
  const { root, id } = await earlier();
  const run = await here.session(root, {
    args: ['--resume', id, '--fork-session'],
    script: { main: [here.call('load', { checkpoint: id }), here.call('save', { goal: 'the goal of the fork', resumedFrom: id })] },
  });
  assert.notEqual(run.id, id);
  assert.ok(told(run.asked[0], 'This project has 1 session checkpoint, saved just now.'));
  assert.match(run.answers('load').at(-1).text, /# Resuming.*the earlier goal/s);
  assert.deepEqual(goals(root), { [id]: 'the earlier goal', [run.id]: 'the goal of the fork' });
});

test('after the client was killed a new session resumes what was saved', async () => {
  const root = here.project();
  let killed;
  const broken = await here.session(root, {
    script: { main: [...saving('the goal before the crash'), () => (killed(), new Promise(() => {}))] },
    talk: async (session) => {
      const reached = new Promise((resolve) => (killed = resolve));
      session.say('save').catch(() => {});
      await reached;
      await session.kill();
    },
  });
  assert.equal(broken.status, 'SIGKILL');
  const run = await here.session(root, {
    script: {
      main: [here.fetchTools('save', 'load'), here.call('load', {}), here.call('load', { checkpoint: broken.id }),
        here.call('save', { goal: 'the goal after', resumedFrom: broken.id })],
    },
  });
  assert.ok(told(run.asked[0], 'This project has 1 session checkpoint, saved just now.'));
  const [choice, brief] = run.answers('load');
  assert.match(choice.text, new RegExp(broken.id));
  assert.match(brief.text, /# Resuming.*the goal before the crash/s);
  assert.deepEqual(goals(root), { [broken.id]: 'the goal before the crash', [run.id]: 'the goal after' });
});
