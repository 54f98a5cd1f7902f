// The server's prompts, as a person calls them by name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { say } from './model.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().bare()));
after(() => here.remove());

/** What the model is asked after a person typed something, in a client that has met the server by then. */
async function typed(root, text, main = [[say('understood')]]) {
  const run = await here.session(root, {
    script: { main: [here.fetchTools('save', 'load'), [say('ready')], ...main] },
    talk: async (session) => {
      for (const said of ['hello', text]) await session.say(said);
    },
  });
  assert.equal(run.status, 0);
  const request = run.asked[2];
  const last = request.body.messages.filter(({ role }) => role === 'user').at(-1).content;
  return { run, message: typeof last === 'string' ? last : last.map(({ text }) => text ?? '').join('\n') };
}

test('resume puts the brief into the person’s message, without a tool call', async () => {
  const root = here.project('one-session');
  const { run, message } = await typed(root, '/mcp__ckpt__resume one-session');
  assert.match(message, /I want to resume earlier work.*# Resuming.*the goal of one-session/s);
  assert.match(message, /pass `resumedFrom`: "one-session"/);
  assert.deepEqual(run.served, []);
});

test('resume takes the start of a selector, and without one offers what there is', async () => {
  const root = here.project('one-session', 'two-session');
  assert.match((await typed(root, '/mcp__ckpt__resume two-')).message, /the goal of two-session/);
  const { message } = await typed(root, '/mcp__ckpt__resume');
  assert.match(message, /Ask the user which to resume/);
  for (const session of ['one-session', 'two-session']) assert.ok(message.includes(session), message);
});

test('save asks for a save, with what the person adds', async () => {
  const root = here.project();
  const { run, message } = await typed(root, '/mcp__ckpt__save mind the cookies', [
    here.call('save', { goal: 'the goal' }), [say('saved')],
  ]);
  assert.match(message, /Save this session's checkpoint now with save_session_checkpoint/);
  assert.match(message, /Keep in mind: mind/);
  assert.deepEqual(Object.keys(here.checkpoints(root)), [run.id]);
});
