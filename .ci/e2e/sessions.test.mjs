// Each conversation has a checkpoint of its own, however it began, goes on, or was left: with the plugin's hooks, and with the
// server alone, which then finds the session in the client's transcripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { say } from './model.mjs';
import { noTerminal } from './terminal.mjs';
import { World } from './world.mjs';

let plugin;
let bare;
before(() => {
  plugin = new World().plugin();
  bare = new World().bare();
});
after(() => [plugin, bare].forEach((world) => world.remove()));

const goals = (here, root) =>
  Object.fromEntries(Object.entries(here.checkpoints(root)).map(([id, checkpoint]) => [id, checkpoint.goal.primary]));
/** The inputs of the hook at a session's start, as the client gave them. */
const starts = (run) =>
  run.entries.filter(({ role, at }) => role === 'nudge' && at === 'in').map(({ text }) => JSON.parse(text))
    .filter(({ hook_event_name }) => hook_event_name === 'SessionStart');
/** The environment that the server was started with. */
const server = (run) => run.entries.find(({ role, at }) => role === 'serve' && at === 'start').env;
/** What the saves of a run answered. */
const saved = (run) => run.answers('save').map(({ error, text }) => {
  assert.equal(error, false, text);
  const { session, sessionSource, mode } = JSON.parse(text);
  return { session, sessionSource, mode };
});
const loaded = (run) => run.answers('load').map(({ error, text }) => {
  assert.equal(error, false, text);
  return JSON.parse(text);
});

for (const [name, world, source] of [['the plugin', () => plugin, 'hook'], ['the bare server', () => bare, 'client']]) {
  const saving = (goal, input = {}) => [world().fetchTools('save', 'load'), world().call('save', { goal, ...input })];

  /** A project with a checkpoint of an earlier session, which is over. */
  const earlier = async (goal = 'the earlier goal') => {
    const here = world();
    const root = here.project();
    const run = await here.session(root, { script: { main: saving(goal) } });
    assert.deepEqual(goals(here, root), { [run.id]: goal });
    return { root, id: run.id };
  };

  test(`${name}: save, /clear, save, /clear, save are three checkpoints`, async () => {
    const here = world();
    const root = here.project();
    const ids = [];
    const run = await here.session(root, {
      script: {
        main: [
          ...saving('the first goal'), [say('saved')],
          here.call('load', {}), here.call('save', { goal: 'the second goal' }), [say('saved')],
          here.call('save', { goal: 'the third goal' }), here.call('load', {}), [say('saved')],
        ],
      },
      talk: async (session) => {
        for (const text of ['one', '/clear', 'two', '/clear', 'three']) {
          await session.say(text);
          if (!text.startsWith('/')) ids.push(session.id);
        }
      },
    });
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(goals(here, root), { [ids[0]]: 'the first goal', [ids[1]]: 'the second goal', [ids[2]]: 'the third goal' });
    assert.deepEqual([...new Set(saved(run).map(({ sessionSource }) => sessionSource))], [source]);
    const [choice] = loaded(run).filter(({ found }) => !found);
    assert.deepEqual(choice.candidates.map(({ selector }) => selector), [ids[0]], 'the second conversation has none of its own');
    assert.match(loaded(run).at(-1).text, /# Resuming.*the third goal/s);
    if (!here.hooked) return;
    assert.deepEqual(starts(run).map(({ source }) => source), ['startup', 'clear', 'clear']);
    assert.deepEqual(run.notes.map((note) => note.match(/before \/clear has `([^`]+)`/)[1]), [ids[0], ids[1]]);
  });

  test(`${name}: --continue goes on with the same checkpoint, twice`, async () => {
    const here = world();
    const { root, id } = await earlier();
    for (const goal of ['the later goal', 'the last goal']) {
      const run = await here.session(root, { args: ['--continue'], script: { main: [here.call('load', {}), here.call('save', { goal })] } });
      assert.notEqual(server(run).CLAUDE_CODE_SESSION_ID, id, 'the client tells the server another one');
      assert.match(loaded(run).at(-1).text, /# Resuming/);
      assert.equal(loaded(run).at(-1).resumeHint, undefined);
      assert.deepEqual(saved(run).at(-1), { session: id, sessionSource: source, mode: 'replace' });
      assert.deepEqual(goals(here, root), { [id]: goal });
      if (here.hooked) assert.match(run.notes[0], new RegExp(`This session's own is \`${id}\``));
    }
  });

  test(`${name}: --resume goes on with the own checkpoint`, async () => {
    const here = world();
    const { root, id } = await earlier();
    const run = await here.session(root, {
      args: ['--resume', id],
      script: { main: [here.call('load', {}), here.call('save', { goal: 'the later goal' })] },
    });
    assert.match(loaded(run).at(-1).text, /# Resuming.*the earlier goal/s);
    assert.deepEqual(goals(here, root), { [id]: 'the later goal' });
    if (here.hooked) assert.match(run.notes[0], new RegExp(`This session's own is \`${id}\``));
  });

  test(`${name}: a fork saves under its own id and leaves the original alone`, async () => {
    const here = world();
    const { root, id } = await earlier();
    const run = await here.session(root, {
      args: ['--resume', id, '--fork-session'],
      script: { main: [here.call('load', { checkpoint: id }), here.call('save', { goal: 'the goal of the fork', resumedFrom: id })] },
    });
    assert.notEqual(run.id, id);
    assert.match(loaded(run).at(-1).resumeHint, new RegExp(id), 'it is the original’s');
    assert.deepEqual(goals(here, root), { [id]: 'the earlier goal', [run.id]: 'the goal of the fork' });
    assert.equal(here.checkpoints(root)[run.id].resumedFrom, id);
    if (here.hooked) assert.match(run.notes[0], /This project has 1 session checkpoint, saved just now\. The tool/);
  });

  test(`${name}: after /compact the session is the same`, async () => {
    const here = world();
    const root = here.project();
    const run = await here.session(root, {
      script: { main: [...saving('the goal before'), [say('saved')], here.call('load', {}), here.call('save', { goal: 'the goal after' }), [say('saved')]] },
      talk: async (session) => {
        for (const text of ['save', '/compact', 'go on']) await session.say(text);
      },
    });
    assert.match(loaded(run).at(-1).text, /# Resuming.*the goal before/s);
    assert.deepEqual(goals(here, root), { [run.id]: 'the goal after' });
    if (!here.hooked) return;
    assert.deepEqual(starts(run).map(({ source }) => source), ['startup', 'compact']);
    assert.match(run.notes.at(-1), /# Resuming.*the goal before/s);
  });

  test(`${name}: /clear and /resume inside a running client`, { skip: noTerminal }, async () => {
    const here = world();
    const root = here.project();
    const ids = [];
    const saves = (goal) => [here.call('save', { goal }), [say('saved')]];
    const run = await here.terminal(root, {
      script: { main: [here.fetchTools('save'), ...saves('one'), ...saves('two'), ...saves('three'), ...saves('four')] },
      talk: async (terminal) => {
        const current = () => here.processes()[0]?.sessionId;
        const changes = (from) => () => current() !== from;
        await terminal.ready();
        await terminal.say('alpha', 3);
        ids.push(current());
        await terminal.command('/clear', changes(ids[0]));
        await terminal.say('beta', 2);
        ids.push(current());
        await terminal.command(`/resume ${ids[0]}`, changes(ids[1]));
        await terminal.say('gamma', 2);
        await terminal.command(`/resume ${ids[1]}`, changes(ids[0]));
        await terminal.say('delta', 2);
      },
    });
    assert.equal(run.status, 0);
    assert.deepEqual(goals(here, root), { [ids[0]]: 'three', [ids[1]]: 'four' });
    if (!here.hooked) return;
    assert.deepEqual(starts(run).map(({ source }) => source), ['startup', 'clear', 'resume', 'resume']);
    const told = ['The conversation before /clear has', "This session's own is", "This session's own is"];
    run.notes.forEach((note, at) => assert.ok(note.includes(`${told[at]} \`${ids[at === 2 ? 1 : 0]}\``), note));
  });

  test(`${name}: after the client was killed a new session resumes what was saved`, async () => {
    const here = world();
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
    const [choice, brief] = loaded(run);
    assert.equal(choice.found, false);
    assert.match(brief.text, /# Resuming.*the goal before the crash/s);
    assert.deepEqual(goals(here, root), { [broken.id]: 'the goal before the crash', [run.id]: 'the goal after' });
    if (here.hooked) assert.match(run.notes[0], /This project has 1 session checkpoint, saved just now( by a session that was killed)?\./);
  });
}
