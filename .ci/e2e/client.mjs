// The real Claude Code: where it is installed, and how it is run away from everything else on the machine.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const VERSION = '2.1.332';
const PACKAGE = '@anthropic-ai/claude-code';
const cache = process.env.CKPT_E2E_CACHE ?? path.join(os.homedir(), '.cache', 'ckpt-e2e', VERSION);
const native = `${PACKAGE}-${process.platform}-${process.arch}`;
export const claude = path.join(cache, 'node_modules', native, 'claude');

/** Installs the client once; a text that says why it cannot be had, or null. */
export function install() {
  if (fs.existsSync(claude)) return null;
  const npm = (...args) =>
    spawnSync('npm', [...args, '--prefix', cache, '--no-audit', '--no-fund'], { encoding: 'utf8' });
  const found = npm('view', `${native}@${VERSION}`, 'version', '--fetch-retries=0', '--fetch-timeout=20000');
  if (found.error) return 'npm is not installed';
  if (found.status !== 0) return `the npm registry does not offer ${native}@${VERSION} or cannot be reached`;
  fs.mkdirSync(cache, { recursive: true });
  const installed = npm('install', '--no-save', `${native}@${VERSION}`);
  if (installed.status !== 0) throw new Error(`npm install failed: ${installed.stderr}`);
  return null;
}

/** The variables of a client that knows nothing of this machine and talks to nobody but `api`. */
export function environment(home, { path: search = '/usr/bin:/bin', api, ...extra } = {}) {
  return {
    HOME: home,
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    PATH: search,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Nothing listens there: a request that was not meant to happen fails at once.
    ANTHROPIC_BASE_URL: api ?? 'http://127.0.0.1:9',
    ANTHROPIC_API_KEY: 'none',
    // Root may skip permissions only where the client is told that it is contained.
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    ...extra,
  };
}

/** Runs one `claude` command to its end: `{status, output}`. */
export function command(env, cwd, args) {
  const done = spawnSync(claude, args, { env, cwd, encoding: 'utf8', input: '', timeout: 120_000 });
  return { status: done.status, output: `${done.stdout}${done.stderr}` };
}

/** A headless session that takes one message after the other. */
export class Session {
  events = [];
  #waiting = [];
  #text = '';

  constructor(env, cwd, args) {
    this.child = spawn(
      claude,
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose',
        '--model', 'sonnet', '--permission-mode', 'bypassPermissions', ...args],
      { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    this.errors = '';
    this.child.stderr.on('data', (data) => (this.errors += data));
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (data) => this.#read(data));
    this.ended = new Promise((resolve) =>
      this.child.on('close', (status, signal) => {
        this.#waiting.splice(0).forEach(({ fail }) => fail(new Error(`the client ended early: ${this.errors}`)));
        resolve(signal ?? status);
      }),
    );
  }

  #read(data) {
    this.#text += data;
    const lines = this.#text.split('\n');
    this.#text = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line);
      this.events.push(event);
      if (event.type === 'result') this.#waiting.shift()?.done(event);
    }
  }

  /** Sends what the user types and waits until the client has finished with it. */
  say(text) {
    const result = new Promise((done, fail) => this.#waiting.push({ done, fail }));
    const message = { type: 'user', message: { role: 'user', content: text } };
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
    return result;
  }

  end() {
    this.child.stdin.end();
    return this.ended;
  }

  kill() {
    this.#waiting.splice(0).forEach(({ done }) => done(null));
    this.child.kill('SIGKILL');
    return this.ended;
  }

  /** The id that the client gave to its latest start. */
  get id() {
    return this.events.findLast((event) => event.type === 'system' && event.subtype === 'init')?.session_id;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const why = install();
  if (why !== null) {
    console.log(`skipped: ${why}`);
    process.exitCode = 77;
  } else {
    console.log(command(environment(fs.mkdtempSync(path.join(os.tmpdir(), 'ckpt-e2e-'))), '/', ['--version']).output.trim());
  }
}
