// What `ckpt` finds of sessions as the real client writes them, and how it goes on with them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { call, say } from './model.mjs';
import { noTerminal } from './terminal.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

const bash = (command) => [call('Bash', { command, description: 'a command' })];
const ckpt = (root, ...args) =>
  execFileSync(path.join(here.bin, 'ckpt'), ['-C', root, ...args], {
    env: { PATH: process.env.PATH, HOME: here.home },
    encoding: 'utf8',
  });
const listed = (root) => JSON.parse(ckpt(root, 'list', '--all', '--json')).entries;
const told = (root, id) => JSON.parse(ckpt(root, 'load', id, '--json')).text;

/** Waits until a text stands in the transcript of a session. */
async function written(root, id, text) {
  const file = path.join(here.home, '.claude', 'projects', root.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`);
  const stands = () => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(text);
  while (!stands()) await new Promise((done) => setImmediate(done));
}

test('a slash command first, a name, and a headless session beside them', { skip: noTerminal }, async () => {
  const root = here.project();
  fs.mkdirSync(path.join(root, '.claude', 'commands'), { recursive: true });
  fs.writeFileSync(path.join(root, '.claude', 'commands', 'mend.md'), 'Mend the issue $ARGUMENTS now.\n');
  let id;
  await here.terminal(root, {
    script: { main: [[say('Looking.')], [say('Again.')]] },
    talk: async (terminal) => {
      await terminal.ready();
      await terminal.say('/mend T-481 login loops', 1);
      id = here.processes()[0].sessionId;
      await terminal.type('/rename Login loops');
      await written(root, id, 'custom-title');
      await terminal.say('a second prompt', 1);
    },
  });
  const headless = await here.session(root, { script: { main: [[say('{}')]] } });
  assert.deepEqual(listed(root).map(({ selector, goal }) => [selector, goal]), [
    [id, '/mend T-481 login loops'],
    [headless.id, 'hello'],
  ]);
  const brief = told(root, id);
  assert.match(brief, /- The user called the session: Login loops\n/);
  assert.match(brief, /- The user asked: a second prompt\n/);
  assert.ok(!brief.includes('/rename'), brief);
});

test('a prompt that was taken back', { skip: noTerminal }, async () => {
  const root = here.project();
  let id;
  await here.terminal(root, {
    script: { main: [[say('How?')], [say('SQL it is.')], [say('Values it is.')]] },
    talk: async (terminal) => {
      await terminal.ready();
      await terminal.say('Build the exporter', 1);
      id = here.processes()[0].sessionId;
      await terminal.say('Use a SQL database', 1);
      await terminal.type('/rewind');
      await terminal.shows('Enter to continue');
      await terminal.press('\x1b[A', '❯');
      await terminal.press('\r', 'Restore conversation');
      await terminal.press('\r', 'Use a SQL database');
      await terminal.say('; no, plain values', 1);
    },
  });
  const brief = told(root, id);
  assert.match(brief, /\(the first prompt\)\nBuild the exporter\n/);
  assert.match(brief, /plain values/);
  assert.ok(!brief.includes('SQL it is') && !brief.includes('asked: Use a SQL database\n'), brief);
});

test('a prompt that was typed while the agent worked', { skip: noTerminal }, async () => {
  const root = here.project();
  let id;
  let isAtWork;
  let typed;
  const working = new Promise((resolve) => (isAtWork = resolve));
  const wasTyped = new Promise((resolve) => (typed = resolve));
  await here.terminal(root, {
    script: { main: [async () => (isAtWork(), await wasTyped, here.fetchTools('save')), [say('As you say.')]] },
    talk: async (terminal) => {
      await terminal.ready();
      await terminal.type('Build-the-exporter');
      await working;
      id = here.processes().find(({ cwd }) => cwd === root).sessionId;
      await terminal.type('Without-a-database');
      await written(root, id, 'Without-a-database');
      typed();
      await written(root, id, 'As you say.');
    },
  });
  const brief = told(root, id);
  assert.match(brief, /\(the first prompt\)\nBuild-the-exporter\n/);
  assert.match(brief, /- The user asked: Without-a-database\n/);
});

test('a picture of a megabyte, and a worktree that was entered', async () => {
  const root = here.project();
  const picture = await here.session(root, {
    script: { main: [[say('Nice.')]] },
    talk: (session) =>
      session.say([
        { type: 'text', text: 'Make it look like this' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(600) } },
      ]),
  });
  assert.match(told(root, picture.id), /\(the first prompt\)\nMake it look like this\n/);
  const moved = await here.session(root, {
    script: {
      main: [
        [call('ToolSearch', { query: 'select:EnterWorktree' })],
        [call('EnterWorktree', { name: 'feat' })],
        bash('pwd'),
        [say('done')],
      ],
    },
    talk: (session) => session.say('Work apart'),
  });
  assert.ok(listed(root).some(({ selector }) => selector === moved.id));
  const brief = told(root, moved.id);
  assert.match(brief, /\(the first prompt\)\nWork apart\n/);
  assert.match(brief, /✓ `pwd`/);
});

test('resume names the conversation where it exists, and what to load where it is gone', async () => {
  const root = here.project();
  const saved = await here.session(root, {
    script: { main: [here.fetchTools('save'), here.call('save', { goal: 'the goal' }), [say('saved')]] },
  });
  const printed = () => {
    const line = ckpt(root, 'resume', saved.id, '--print').trim();
    const words = `set -- ${line.slice(line.indexOf('claude'))}; shift; printf '%s\\0' "$@"`;
    return spawnSync('bash', ['-c', words], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
  };
  assert.deepEqual(printed(), ['--resume', saved.id]);
  const goesOn = await here.session(root, { args: printed(), script: { main: [[say('again')]] } });
  assert.equal(goesOn.id, saved.id);
  fs.rmSync(path.join(here.home, '.claude', 'projects', root.replace(/[^a-zA-Z0-9]/g, '-'), `${saved.id}.jsonl`));
  const [prompt] = printed();
  assert.match(prompt, new RegExp(saved.id));
  const begun = await here.session(root, {
    script: {
      main: [
        here.fetchTools('save', 'load'),
        here.call('load', { checkpoint: saved.id }),
        here.call('save', { goal: 'the goal, further', resumedFrom: saved.id }),
      ],
    },
    talk: (session) => session.say(prompt),
  });
  assert.match(JSON.parse(begun.answers('load')[0].text).text, /## Goal\nthe goal\n/);
  assert.equal(here.checkpoints(root)[begun.id].resumedFrom, saved.id);
  assert.ok(begun.asked[0].text.includes(saved.id));
});

/** A picture whose pixels nothing can compress. */
function png(size) {
  const random = randomBytes(size * (size * 3 + 1));
  for (let row = 0; row < size; row++) random[row * (size * 3 + 1)] = 0;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync(random)), chunk('IEND', Buffer.alloc(0))]).toString('base64');
}
