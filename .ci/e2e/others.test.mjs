// Other clients than Claude Code: each finds the server as docs/clients.md says, saves, and goes on in a new conversation.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { call, say, search } from './other-model.mjs';
import { kinds, Other } from './others.mjs';
import { World } from './world.mjs';

let world;
const run = (root, ...args) => world.ckpt(root, args);
before(() => (world = new World()));
after(() => world.remove());

const only = (root) => {
  const saved = Object.entries(world.checkpoints(root));
  assert.equal(saved.length, 1, JSON.stringify(saved));
  return { id: saved[0][0], checkpoint: saved[0][1] };
};
/** The texts that the server meant a model to read: Codex shows the structure alone, the others the blocks. */
const meant = (kind, { content, structuredContent }) =>
  kind === kinds.codex ? [structuredContent.text, ...(structuredContent.checkpoint ? [JSON.stringify(structuredContent.checkpoint)] : [])] : content.map(({ text }) => text);
/** Whether a text came through whole, as it is or as JSON has it. */
const holds = (answer, text) => answer.includes(text) || answer.includes(JSON.stringify(text).slice(1, -1)) ||
  answer.includes(JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1));

for (const kind of Object.values(kinds)) {
  describe(kind.title, () => {
    let client;
    before(() => (client = new Other(world, kind)));
    const driven = (name, run) => test(name, async (context) => {
      if (client.why) return context.skip(client.why);
      await run();
    });

    driven('what one conversation saves, another resumes', async () => {
      const root = world.project();
      const tasks = [{ description: 'Save', status: 'done' }, { description: 'Load', status: 'pending' }];
      const first = await client.session(root, [client.call('save', { goal: 'Prove the way there and back', tasks })]);
      const { id, checkpoint } = only(root);
      assert.equal(checkpoint.client.name, kind.name);
      assert.equal(checkpoint.goal.tasks.length, 2);
      const { structuredContent } = first.results[0];
      assert.equal(structuredContent.sessionSource, kind === kinds.codex ? 'client' : 'minted');
      if (kind === kinds.codex) assert.equal(id, first.calls[0]._meta.threadId);

      const next = { goal: 'Prove it again', resumedFrom: id };
      const second = await client.session(root, [
        client.call('load', {}), client.call('load', { checkpoint: id }), client.call('save', next),
      ]);
      const [choice, brief] = second.answers;
      assert.ok(choice.includes(id) && choice.includes('Prove the way there and back'), choice);
      for (const text of meant(kind, second.results[1])) assert.ok(holds(brief, text), `the model saw ${brief}`);
      assert.match(brief, /Prove the way there and back/);
      const saved = world.checkpoints(root);
      assert.equal(Object.keys(saved).length, 2);
      assert.deepEqual(Object.values(saved).map(({ resumedFrom }) => resumedFrom).filter(Boolean), [id]);
    });

    // Gemini checks what its model says against the schema, and a text in place of a list never arrives.
    const forms = kind === kinds.gemini
      ? { tasks: [{ description: 'one', status: 'pending' }], summary: '' }
      : { tasks: '[{"description": "one"}]', summary: '', decisions: 'a decision', nextSteps: null };
    driven('arguments arrive as the client sends them', async () => {
      const root = world.project();
      const { calls } = await client.session(root, [client.call('save', { goal: 'Take what comes', ...forms })]);
      assert.equal(typeof calls[0].arguments.tasks, typeof forms.tasks, 'the client changed what its model said');
      const { checkpoint } = only(root);
      assert.equal(checkpoint.goal.tasks[0].description, 'one');
      assert.deepEqual(checkpoint.decisions, forms.decisions ? ['a decision'] : []);
      assert.equal(checkpoint.summary ?? null, null);
    });

    driven('the longest result is shown whole', async () => {
      const root = world.project();
      const session = '0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b';
      const long = (what, count, length) => Array.from({ length: count }, (_, at) => `${what} ${at} `.padEnd(length, 'words '));
      const input = {
        goal: 'Tell everything', summary: long('summary', 1, 4000)[0],
        nextSteps: long('step', 20, 480), decisions: long('decision', 20, 480),
        tasks: long('task', 30, 290).map((description) => ({ description })),
      };
      world.ckpt(root, ['--session', session, 'save', '--input', '-'], JSON.stringify(input));
      const { results, answers } = await client.session(root, [client.call('load', { checkpoint: session, format: 'full' })]);
      assert.ok(JSON.stringify(results[0].structuredContent).length > 30_000);
      for (const text of meant(kind, results[0])) {
        assert.ok(holds(answers[0], text), `of ${text.length} characters the model saw ${answers[0].length}: ${answers[0].slice(-300)}`);
      }
    });
  });
}

for (const kind of [kinds.codex, kinds.gemini]) {
  test(`what ${kind.title} did and nobody saved is told by its transcript`, async (context) => {
    const client = new Other(world, kind);
    if (client.why) return context.skip(client.why);
    const root = world.project();
    const marker = path.join(world.base, `${kind.name}-began`);
    const until = new Promise((resolve) => {
      const watcher = fs.watch(world.base, { persistent: false }, (_, name) => {
        if (name === path.basename(marker)) resolve(watcher.close());
      });
    });
    const { output } = await client.session(root, [
      kind.shell('echo built'), kind.shell('echo broken; exit 3'), kind.edit(root), kind.shell(`touch ${marker}; sleep 20`),
    ], { args: kind.prompt('Build it, and mend what breaks'), until });
    const id = kind.id(output);
    const entries = () => JSON.parse(run(root, 'list', '--all', '--json')).entries;
    const [{ selector, goal, recoverable, client: { name } }] = entries();
    assert.deepEqual({ selector, goal, recoverable, name }, { selector: id, goal: 'Build it, and mend what breaks', recoverable: true, name: kind.name });
    const brief = run(root, 'load', id);
    for (const told of ['echo built', 'exit 3', 'made.txt']) assert.ok(brief.includes(told), brief);
    run(root, 'save', '--from-transcript', id);
    const saved = world.checkpoints(root)[id];
    assert.deepEqual(saved.recentCommands.slice(0, 2).map(({ command, exitCode }) => [command, exitCode]), [['echo built', 0], ['echo broken; exit 3', 3]]);
    assert.ok(saved.modifiedFiles.some(({ path: file }) => file === 'made.txt'), JSON.stringify(saved.modifiedFiles));

    // The conversation goes on: what came after the save is told, and it is still one.
    await client.session(root, [kind.shell('echo later')], { args: kind.resume(id, 'And now the rest') });
    assert.match(run(root, 'load', id), /echo later/);
    assert.deepEqual(entries().map((entry) => entry.selector), [id]);
    if (!kind.fork) return;
    // A fork is a conversation of its own, and what it has of its parent is the parent's.
    const fork = await client.session(root, [kind.shell('echo elsewhere')], { args: kind.fork(id, 'Try it another way') });
    const forked = kind.id(fork.output);
    assert.notEqual(forked, id);
    const told = run(root, 'load', forked);
    assert.ok(told.includes('echo elsewhere') && !told.includes('echo built'), told);
  });
}

test('what one client writes for the whole project, another one reads', async (context) => {
  const [codex, opencode] = [kinds.codex, kinds.opencode].map((kind) => new Other(world, kind));
  const why = codex.why ?? opencode.why;
  if (why) return context.skip(why);
  const root = world.project();
  await codex.session(root, [codex.call('save', {
    scope: 'project', decisions: ['Releases go out on Tuesdays'], recentCommands: [{ command: 'make check', note: 'all tests' }],
  })]);
  assert.deepEqual(Object.keys(world.checkpoints(root)), ['_project']);
  world.save(root, 'other', 'Another piece of work');
  const { answers } = await opencode.session(root, [opencode.call('load', { checkpoint: 'other' })]);
  assert.match(answers[0], /## Project[^]*make check[^]*Releases go out on Tuesdays/);
});

test('a subagent of Codex cannot save', async (context) => {
  const codex = new Other(world, kinds.codex);
  if (codex.why) return context.skip(codex.why);
  const root = world.project();
  const asked = 'Save a checkpoint for me';
  const isSub = ({ input }) => input.some((item) => item.role === 'user' && JSON.stringify(item).includes(asked));
  const called = ({ input }, name) => input.some((item) => item.type === 'function_call' && item.name === name);
  let told;
  const turn = (body) => {
    if (isSub(body)) {
      if (!called(body, 'save_session_checkpoint')) return codex.call('save', { goal: 'the goal of a subagent' });
      told = kinds.codex.answers({ body }).at(-1);
      return [say('It was refused.')];
    }
    if (!called(body, 'spawn_agent')) return [call('spawn_agent', { message: asked }, { namespace: 'multi_agent_v1' })];
    if (!called(body, 'wait_agent')) {
      const [, id] = /"agent_id\\*":\s*\\*"([^"\\]+)/.exec(JSON.stringify(body));
      return [call('wait_agent', { targets: [id], ids: [id] }, { namespace: 'multi_agent_v1' })];
    }
    return [say('done')];
  };
  await codex.session(root, [[search('spawn sub agent')], ...Array.from({ length: 8 }, () => turn)]);
  assert.match(told, /main agent/);
  assert.deepEqual(world.checkpoints(root), {});
});

test('a piece of work goes from Claude Code to Codex and back', async (context) => {
  const codex = new Other(world, kinds.codex);
  if (codex.why) return context.skip(codex.why);
  const here = new World().bare();
  try {
    const root = here.project();
    const first = await here.session(root, { script: { main: [here.fetchTools('save'), here.call('save', { goal: 'Begun by Claude' })] } });
    assert.deepEqual(Object.keys(here.checkpoints(root)), [first.id]);
    // `ckpt resume` starts `codex PROMPT`, which wants a terminal; the same prompt is given to `codex exec`.
    const line = here.ckpt(root, ['resume', first.id, '--in', 'codex', '--print']);
    const [, prompt] = /codex '(.*)'\s*$/s.exec(line);
    const codexThere = new Other(here, kinds.codex);
    const second = await codexThere.session(root, [
      codexThere.call('load', { checkpoint: first.id }),
      codexThere.call('save', { goal: 'Gone on by Codex', mode: 'merge', resumedFrom: first.id }),
    ], { args: kinds.codex.prompt(prompt) });
    assert.ok(second.requests[0].text.includes(first.id), 'the first message names the checkpoint');
    const thread = second.calls[0]._meta.threadId;
    const third = await here.session(root, {
      args: ['--resume', first.id],
      script: { main: [here.fetchTools('save', 'load'), here.call('load', { checkpoint: thread }), here.call('save', { goal: 'Ended by Claude', mode: 'merge' })] },
    });
    assert.equal(third.id, first.id);
    const saved = here.checkpoints(root);
    assert.equal(saved[thread].resumedFrom, first.id);
    assert.equal(saved[first.id].goal.primary, 'Ended by Claude');
    const listed = JSON.parse(here.ckpt(root, ['list', '--json']));
    assert.deepEqual(
      Object.fromEntries(listed.entries.map(({ selector, client }) => [selector, client.name])),
      { [first.id]: 'claude-code', [thread]: 'codex-mcp-client' },
    );
  } finally {
    here.remove();
  }
});
