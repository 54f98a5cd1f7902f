// What the agent did not save: a new session gets it from the transcript of the one that was cut off.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, say } from './model.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

const bash = (command) => [call('Bash', { command, description: 'a command' })];
const write = (root, file, content = 'written\n') => [call('Write', { file_path: path.join(root, file), content })];
const saving = (goal, input = {}) => [here.fetchTools('save', 'load'), here.call('save', { goal, ...input })];

const ENDLESS = 'touch begun; exec sleep 20';

/** Waits for what becomes true by a change in a folder. */
function change(folder, isTrue) {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue()) return;
      watcher.close();
      resolve();
    };
    const watcher = fs.watch(folder, check);
    check();
  });
}

/** Waits until the endless command runs and the client has written down that it does. */
async function begun(root) {
  await change(root, () => fs.existsSync(path.join(root, 'begun')));
  const folder = path.join(here.home, '.claude', 'projects', root.replace(/[^a-zA-Z0-9]/g, '-'));
  const call = JSON.stringify({ command: ENDLESS }).slice(1, -1);
  await change(folder, () =>
    fs.readdirSync(folder, { withFileTypes: true }).some(
      (entry) => entry.name.endsWith('.jsonl') && fs.readFileSync(path.join(folder, entry.name), 'utf8').includes(call),
    ));
}

/** A session that follows the script and is killed in the middle of a command at its end. */
async function killed(root, { main = [], sub = [], args = [], talk = (session) => session.say('the first prompt') } = {}) {
  const run = await here.session(root, {
    args,
    script: { main: [...main, bash(ENDLESS)], sub },
    talk: async (session) => {
      talk(session).catch(() => {});
      await begun(root);
      await session.kill();
    },
  });
  assert.equal(run.status, 'SIGKILL');
  return run;
}

/** What a new session is given when it loads: by itself, and then the checkpoint or session that is named. */
async function resumed(root, selector) {
  const run = await here.session(root, {
    script: { main: [here.fetchTools('load'), here.call('load', {}), here.call('load', { checkpoint: selector })] },
  });
  assert.equal(run.status, 0);
  const [offered, loaded] = run.answers('load').map(({ error, text }) => {
    assert.equal(error, false, text);
    return JSON.parse(text);
  });
  return { run, offered, brief: loaded.text, loaded };
}

const section = (brief) => /## After the save \(from the session's transcript\)\n(.*?)\n\n/s.exec(`${brief}\n\n`)?.[1] ?? '';
const ENDS = `- The transcript ends while this runs, result unknown: \`${ENDLESS}\``;

test('a session that saved, worked on and was killed in the middle of a command', async () => {
  const root = here.project();
  const broken = await killed(root, {
    main: [
      bash('echo before the save'),
      ...saving('the goal'),
      [say('Saved. Now the cookie.'), ...write(root, 'cookie.ts')],
      bash('exit 3'),
      [say('One test is left.'), ...bash('echo after the save')],
    ],
  });
  const { brief } = await resumed(root, broken.id);
  assert.match(brief, /## Goal\nthe goal\n/);
  const told = section(brief);
  assert.match(told, /Recovered facts, not the agent's own account/);
  assert.match(told, / {2}- ✗ exit 3 `exit 3`\n {2}- ✓ `echo after the save`\n/);
  assert.match(told, /- Files written: `cookie\.ts`/);
  assert.ok(told.includes(ENDS), told);
  assert.match(told, /- The agent's last words: One test is left\./);
  assert.ok(!told.includes('before the save'), told);
  assert.match(brief, /⚠ Changed after the checkpoint, re-read before editing: `begun`, `cookie\.ts`/);
});

test('a session that never saved: the note, the choice, the brief from its transcript', async () => {
  const root = here.project();
  const broken = await killed(root, {
    main: [write(root, 'parser.ts'), [say('The lexer works.'), ...bash('echo built')]],
    talk: (session) => session.say('Write a parser with GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a'),
  });
  const { run, offered, brief } = await resumed(root, broken.id);
  assert.match(run.asked[0].text, new RegExp(`the transcript of its latest session \\(${broken.id}`));
  assert.equal(offered.found, false);
  assert.deepEqual(offered.candidates.map(({ selector, recoverable }) => [selector, recoverable]), [[broken.id, true]]);
  assert.equal(offered.total, 0);
  assert.match(offered.text, /recoverable/);
  assert.ok(brief.startsWith(`Session \`${broken.id}\` saved no checkpoint.`), brief);
  assert.match(brief, /## Goal \(the first prompt\)\nWrite a parser with GITHUB_TOKEN=«redacted»\n/);
  assert.match(brief, /✓ `echo built`/);
  assert.match(brief, /- parser\.ts \(\?\?\)/);
  assert.ok(brief.includes(ENDS), brief);
  assert.match(brief, /- The agent's last words: The lexer works\./);
  assert.deepEqual(here.checkpoints(root), {});
});

test('a session that ended in good order is offered, but not announced', async () => {
  const root = here.project();
  const done = await here.session(root, { script: { main: [bash('echo built'), [say('Done.')]] } });
  assert.equal(done.status, 0);
  const { run, offered } = await resumed(root, done.id);
  assert.deepEqual(run.notes, []);
  assert.deepEqual(offered.candidates.map(({ selector }) => selector), [done.id]);
});

test('a session that was killed while it waited for the person is announced', async () => {
  const root = here.project();
  const idle = await here.session(root, {
    script: { main: [[say('What next?')]] },
    talk: async (session) => {
      await session.say('hello');
      await session.kill();
    },
  });
  assert.equal(idle.status, 'SIGKILL');
  const { run } = await resumed(root, idle.id);
  assert.equal(run.notes.length, 1);
  assert.match(run.notes[0], new RegExp(idle.id));
});

test('a session that was compacted after its save', async () => {
  const root = here.project();
  const broken = await killed(root, {
    main: [...saving('the goal'), [say('saved')], bash('echo after compaction')],
    talk: async (session) => {
      await session.say('save');
      await session.say('/compact');
      await session.say('go on');
    },
  });
  const told = section((await resumed(root, broken.id)).brief);
  assert.match(told, /- The user asked: go on\n/);
  assert.match(told, /- Compacted by the client, which noted: What was said so far\./);
  assert.match(told, /✓ `echo after compaction`/);
  assert.ok(told.includes(ENDS), told);
  assert.ok(!told.includes('/compact') && !told.includes('Continue the conversation'), told);
});

test('a session with subagents: what they did counts, what they said does not', async () => {
  const root = here.project();
  const broken = await killed(root, {
    main: [
      ...saving('the goal'),
      [call('Agent', { description: 'help', prompt: 'Help.', subagent_type: 'general-purpose', run_in_background: false })],
      [say('The helper is back.'), ...bash('echo by the main agent')],
    ],
    sub: [bash('echo by the subagent'), write(root, 'helped.ts'), [say('The words of the subagent.')]],
  });
  const told = section((await resumed(root, broken.id)).brief);
  assert.match(told, /✓ `echo by the subagent`\n {2}- ✓ `echo by the main agent`/);
  assert.match(told, /- Files written: `helped\.ts`/);
  assert.match(told, /- The agent's last words: The helper is back\./);
  assert.ok(!told.includes('The words of the subagent') && !told.includes('asked: Help'), told);
});

test('a session that goes on by --continue, and saves again', async () => {
  const root = here.project();
  const first = await here.session(root, { script: { main: saving('the earlier goal') } });
  const broken = await killed(root, {
    args: ['--continue'],
    main: [here.call('save', { goal: 'the later goal', mode: 'merge' }), bash('echo after the later save')],
    talk: (session) => session.say('continue'),
  });
  assert.equal(broken.id, first.id);
  const { brief } = await resumed(root, first.id);
  assert.match(brief, /## Goal\nthe later goal\n/);
  const told = section(brief);
  assert.match(told, /✓ `echo after the later save`/);
  assert.ok(told.includes(ENDS), told);
});

test('after /clear, saves and facts are the new conversation\'s', async () => {
  const root = here.project();
  const broken = await killed(root, {
    main: [
      ...saving('the goal before'),
      [say('saved')],
      here.call('save', { goal: 'the goal after' }),
      bash('echo after clear'),
    ],
    talk: async (session) => {
      await session.say('save');
      await session.say('/clear');
      await session.say('save again');
    },
  });
  assert.equal(Object.keys(here.checkpoints(root)).length, 2);
  const { brief } = await resumed(root, broken.id);
  assert.match(brief, /## Goal\nthe goal after\n/);
  assert.match(section(brief), /✓ `echo after clear`/);
});

test('a project whose path collides with that of another after encoding', async () => {
  const root = here.project();
  const sibling = path.join(path.dirname(root), path.basename(root).replace('-', '.'));
  fs.cpSync(root, sibling, { recursive: true });
  const theirs = await killed(sibling, { main: [bash('echo in the sibling')], talk: (session) => session.say('their secret plan') });
  const folders = fs.readdirSync(path.join(here.home, '.claude', 'projects'));
  assert.equal(folders.filter((name) => name.endsWith(path.basename(root))).length, 1, 'both share one folder');
  const ours = await killed(root, { main: [bash('echo in ours')], talk: (session) => session.say('our plan') });
  const { run, offered, brief } = await resumed(root, ours.id);
  assert.deepEqual(offered.candidates.map(({ selector }) => selector), [ours.id]);
  assert.match(brief, /our plan/);
  assert.ok(!JSON.stringify([offered, brief, run.notes]).includes('their'), brief);
  const there = await resumed(sibling, theirs.id);
  assert.match(there.brief, /their secret plan/);
});

/** What the loads of a session answered. */
const loads = (run) => run.answers('load').map(({ error, text }) => {
  assert.equal(error, false, text);
  return JSON.parse(text);
});

test('a session that loads its own checkpoint is not told of the loading, nor of what runs beside it', async () => {
  const root = here.project();
  const run = await here.session(root, {
    script: {
      main: [
        ...saving('the goal'),
        bash('echo after the save'),
        // The client writes a little later than it acts.
        bash('sleep 1'),
        [...bash('sleep 1; echo beside'), ...here.call('load', {})],
        bash(`${here.bin}/ckpt load --json`),
      ],
    },
  });
  assert.equal(run.status, 0);
  const [{ text }] = loads(run);
  assert.match(section(text), /✓ `echo after the save`/);
  const shell = run.api.results('main').findLast(({ name }) => name === 'Bash');
  const inShell = JSON.parse(shell.text).text;
  for (const brief of [text, inShell]) {
    assert.match(brief, /## Goal\nthe goal\n/);
    assert.ok(!/The transcript ends|no result|session_checkpoint|ckpt load/.test(section(brief)), brief);
  }
});

test('a session that is kept holds its files alone, and what was written since counts as changed', async () => {
  const root = here.project();
  fs.writeFileSync(path.join(root, 'notes.txt'), 'of the person');
  const broken = await killed(root, { main: [write(root, 'parser.ts'), write(root, 'lexer.ts')] });
  const ckpt = (...args) => {
    const env = { PATH: process.env.PATH, HOME: here.home };
    return execFileSync(path.join(here.bin, 'ckpt'), ['-C', root, ...args], { env, encoding: 'utf8' });
  };
  const later = new Date(Date.now() + 1000);
  fs.writeFileSync(path.join(root, 'lexer.ts'), 'of the person');
  fs.utimesSync(path.join(root, 'lexer.ts'), later, later);
  ckpt('save', '--from-transcript', broken.id);
  const kept = here.checkpoints(root)[broken.id];
  assert.deepEqual(kept.modifiedFiles.map(({ path }) => path), ['lexer.ts', 'parser.ts']);
  const { drift, text } = JSON.parse(ckpt('load', broken.id, '--json'));
  assert.deepEqual(drift.changedSince.filter((file) => file !== 'begun'), ['lexer.ts']);
  assert.match(text, /re-read before editing: .*`lexer\.ts`/);
});
