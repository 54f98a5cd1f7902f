// A user's machine in a temporary folder: a home with ckpt and the client's configuration, and projects.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { claude, command, environment, Session, VERSION } from './client.mjs';
import { call, model } from './model.mjs';
import { Terminal } from './terminal.mjs';

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? path.join(repository, 'target');
export const ckpt = process.env.CKPT_E2E_BINARY ?? path.resolve(repository, target, 'debug', 'ckpt');
const recorder = path.join(repository, '.ci', 'e2e', 'recorder.mjs');

export const PLUGIN = 'mcp__plugin_session-checkpoint_ckpt__';
export const MANUAL = 'mcp__ckpt__';
const GUARDED = '^mcp__.+__(save_session_checkpoint|load_session_checkpoint|list_session_checkpoints)$';

export class World {
  constructor() {
    this.base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ckpt-e2e-')));
    this.home = path.join(this.base, 'home');
    this.bin = path.join(this.home, '.cargo', 'bin');
    this.log = path.join(this.base, 'log.jsonl');
    this.prefix = PLUGIN;
    this.hooked = true;
    this.extra = {};
    this.projects = 0;
    fs.mkdirSync(this.bin, { recursive: true });
    fs.writeFileSync(this.log, '');
    const words = [process.execPath, recorder, ckpt, this.log].map((word) => `'${word}'`).join(' ');
    fs.writeFileSync(path.join(this.bin, 'ckpt'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }

  remove() {
    // A client that was killed can still be writing.
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs a `claude` command that must succeed, and returns what it printed. */
  claude(...args) {
    const { status, output } = command(environment(this.home, this.extra), this.cwd ?? this.base, args);
    assert.equal(status, 0, `claude ${args.join(' ')}: ${output}`);
    return output;
  }

  /** Installs the plugin from this repository as a marketplace; the hooks and the server see a bare PATH. */
  plugin() {
    this.claude('plugin', 'marketplace', 'add', repository);
    this.claude('plugin', 'install', 'session-checkpoint@ckpt');
    return this;
  }

  /** The set-up by hand: `ckpt` on the PATH, a server of the user's, hooks in settings.json. */
  manual() {
    this.prefix = MANUAL;
    this.extra = { path: `${this.bin}:/usr/bin:/bin` };
    this.claude('mcp', 'add', '--scope', 'user', 'ckpt', '--', 'ckpt', 'serve');
    const hook = (name) => [{ type: 'command', command: `ckpt ${name}` }];
    const hooks = {
      SessionStart: [{ hooks: hook('nudge') }],
      UserPromptSubmit: [{ hooks: hook('nudge') }],
      PostToolBatch: [{ hooks: hook('nudge') }],
      PreCompact: [{ hooks: hook('nudge') }],
      PreToolUse: [{ matcher: GUARDED, hooks: hook('guard') }],
    };
    fs.writeFileSync(path.join(this.home, '.claude', 'settings.json'), JSON.stringify({ hooks }));
    return this;
  }

  /** The server alone, without a hook. */
  bare() {
    this.prefix = MANUAL;
    this.hooked = false;
    this.extra = { path: `${this.bin}:/usr/bin:/bin` };
    this.claude('mcp', 'add', '--scope', 'user', 'ckpt', '--', 'ckpt', 'serve');
    return this;
  }

  /** A new repository; `saved` names the sessions that have a checkpoint in it. */
  project(...saved) {
    const root = path.join(this.base, `project-${++this.projects}`);
    fs.mkdirSync(root);
    const git = (...args) => execFileSync('git', args, { cwd: root, env: { PATH: process.env.PATH, HOME: this.home } });
    git('init', '-q', '-b', 'main');
    fs.writeFileSync(path.join(root, '.gitignore'), '.claude-checkpoint*\n');
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');
    for (const session of saved) this.save(root, session, `the goal of ${session}`);
    return root;
  }

  save(root, session, goal) {
    this.ckpt(root, ['--session', session, 'save', '--goal', goal]);
  }

  /** Runs `ckpt` as a person does in this home; it must succeed, and what it printed is returned. */
  ckpt(root, args, input) {
    const { status, stdout, stderr } = spawnSync(ckpt, ['-C', root, ...args], {
      env: { PATH: process.env.PATH, HOME: this.home }, encoding: 'utf8', input,
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  /** The checkpoints of a project: session to parsed file. */
  checkpoints(root) {
    const folder = path.join(root, '.claude-checkpoints');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return Object.fromEntries(
      names.map((name) => [name.slice(0, -5), JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'))]),
    );
  }

  entries() {
    return fs.readFileSync(this.log, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  /**
   * Opens a session in `root` against a scripted model, lets `talk` speak in it, and ends it.
   * Returns the model, with what was asked of it, and everything that hooks and server were told meanwhile.
   */
  async session(root, { script = {}, args = [], env = {}, talk = (session) => session.say('hello') } = {}) {
    const before = this.entries().length;
    const api = await model(script);
    const session = new Session(environment(this.home, { ...this.extra, api: api.url, ...env }), root, args);
    try {
      await talk(session, api);
      const status = await session.end();
      return new Run(this, session, status, api, this.entries().slice(before));
    } finally {
      session.child.kill('SIGKILL');
      api.close();
    }
  }

  /**
   * The same in the client's own terminal, where `talk` types. Only our tools may be called there without a question.
   * `words` is a command line that starts the client in another way; whatever starts it finds it as `claude`.
   */
  async terminal(root, { script = {}, args = [], words, talk }) {
    const before = this.entries().length;
    const api = await model(script);
    this.onboard(root);
    const env = environment(this.home, { ...this.extra, api: api.url });
    const command = words ?? [claude, ...this.#flags, ...args];
    const session = new Terminal(env, root, command, () => api.requests.filter(({ role }) => role === 'main').length);
    try {
      await talk(session, api);
      const status = await session.end();
      return new Run(this, session, status, api, this.entries().slice(before));
    } finally {
      session.child.kill('SIGKILL');
      api.close();
    }
  }

  /** Answers what the client asks a person who runs it for the first time. */
  onboard(root) {
    const file = path.join(this.home, '.claude', '.claude.json');
    const known = JSON.parse(fs.readFileSync(file, 'utf8'));
    const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    const answers = {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: VERSION,
      theme: 'dark',
      customApiKeyResponses: { approved: ['none'], rejected: [] },
      projects: { ...known.projects, [root]: project },
    };
    fs.writeFileSync(file, JSON.stringify({ ...known, ...answers }));
  }

  /** The flags with which a client asks no question where a test does not mean it to. */
  get #flags() {
    const tools = ['ToolSearch', this.prefix.slice(0, -2)].join(',');
    return ['--model', 'sonnet', '--permission-mode', 'default', '--allowedTools', tools];
  }

  /** Makes `claude` a command that whatever runs here can start. */
  asCommand() {
    const script = `#!/bin/sh\nexec '${claude}' "$@" ${this.#flags.join(' ')}\n`;
    fs.writeFileSync(path.join(this.bin, 'claude'), script, { mode: 0o755 });
    return this;
  }

  /** What the client writes down of the processes in which sessions run. */
  processes() {
    const folder = path.join(this.home, '.claude', 'sessions');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => /^\d+\.json$/.test(name)) : [];
    return names.map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
  }

  /** Has the client load the tools' schemas, which it holds back until they are asked for. */
  fetchTools(...names) {
    return [call('ToolSearch', { query: `select:${names.map((name) => this.tool(name)).join(',')}` })];
  }

  tool(name) {
    return `${this.prefix}${name}_session_checkpoint${name === 'list' ? 's' : ''}`;
  }

  call(name, input) {
    return [call(this.tool(name), input)];
  }
}

class Run {
  constructor(world, session, status, api, entries) {
    Object.assign(this, { world, session, status, api, entries, id: session.id });
  }

  /** The requests that the main agent made. */
  get asked() {
    return this.api.requests.filter(({ role }) => role === 'main');
  }

  /** What the hooks of an event put before the model, in order. */
  told(event) {
    const found = this.entries.filter(({ role, at, text }) => role === 'nudge' && at === 'out' && text.startsWith('{'));
    const outputs = found.map(({ text }) => JSON.parse(text).hookSpecificOutput);
    return outputs.filter(({ hookEventName }) => hookEventName === event).map(({ additionalContext }) => additionalContext);
  }

  /** The notes at a session's start. */
  get notes() {
    return this.told('SessionStart');
  }

  /** The tool calls that reached the server: `[name, arguments]`. */
  get served() {
    return this.entries
      .filter(({ role, at, text }) => role === 'serve' && at === 'in' && text.includes('"tools/call"'))
      .map(({ text }) => JSON.parse(text))
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => [params.name, params.arguments]);
  }

  /** What `role` was shown of the tool's answers. */
  answers(name, role = 'main') {
    return this.api.results(role).filter((result) => result.name === this.world.tool(name));
  }
}
