// Codex, Gemini CLI and OpenCode: how each is installed, told of ckpt as docs/clients.md says, and run without a terminal.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';
import { call, custom, model } from './other-model.mjs';

const { platform, arch } = process;
const cache = process.env.CKPT_E2E_CACHE ?? path.join(os.homedir(), '.cache', 'ckpt-e2e');

/** A client that is installed from the npm registry: `{folder}`, or `{why}` it cannot be had. */
function install(name, version) {
  if (platform !== 'linux' || arch !== 'x64') return { why: `is driven on Linux (x64) alone, this is ${platform} (${arch})` };
  const folder = path.join(cache, `${name.replace(/.*\//, '')}-${version}`);
  if (fs.existsSync(path.join(folder, 'installed'))) return { folder };
  const npm = (...args) => spawnSync('npm', [...args, '--no-audit', '--no-fund'], { encoding: 'utf8' });
  const found = npm('view', `${name}@${version}`, 'version', '--fetch-retries=0', '--fetch-timeout=20000');
  if (found.error) return { why: 'npm is not installed' };
  if (found.status !== 0) return { why: `the npm registry does not offer ${name}@${version} or cannot be reached` };
  fs.mkdirSync(folder, { recursive: true });
  const installed = npm('install', '--prefix', folder, '--no-save', `${name}@${version}`);
  if (installed.status !== 0) throw new Error(`npm install ${name} failed: ${installed.stderr}`);
  fs.writeFileSync(path.join(folder, 'installed'), '');
  return { folder };
}

const write = (file, content) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
};
const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const codex = {
  title: 'Codex',
  package: ['@openai/codex', '0.171.0'],
  name: 'codex-mcp-client',
  program: (folder) => [path.join(folder, 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex')],
  variables: (home) => ({ MODEL_KEY: 'none', CODEX_HOME: path.join(home, '.codex') }),
  settings(home, port) {
    const base = `model = "gpt-5.5"
model_provider = "loopback"
check_for_update_on_startup = false
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[model_providers.loopback]
name = "loopback"
base_url = "http://127.0.0.1:${port}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
    write(path.join(home, '.codex/config.toml'), base);
  },
  setUp: ['mcp', 'add', 'ckpt', '--', 'ckpt', 'serve'],
  prompt: (words) => ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', words],
  call: (name, input) => call(name, input, { namespace: 'mcp__ckpt' }),
  resume: (id, words) => ['exec', 'resume', ...codex.prompt(id).slice(1), words],
  fork: (id, words) => ['exec', 'fork', ...codex.prompt(id).slice(1), words],
  id: (output) => /"thread_id":"([^"]+)"/.exec(output)[1],
  shell: (command) => [call('exec_command', { cmd: command, yield_time_ms: 30000 })],
  edit: () => [custom('apply_patch', '*** Begin Patch\n*** Add File: made.txt\n+new\n*** End Patch\n')],
  answers: ({ body }) =>
    body.input.filter(({ type }) => type === 'function_call_output').map(({ output }) => text(output)),
};

const gemini = {
  title: 'Gemini CLI',
  package: ['@google/gemini-cli', '0.61.0'],
  name: 'gemini-cli-mcp-client',
  program: (folder) => [process.execPath, path.join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js')],
  variables: (home, port) => ({
    GEMINI_API_KEY: 'none',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
  }),
  settings(home) {
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, checkpointing: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    };
    write(path.join(home, '.gemini/settings.json'), JSON.stringify(settings));
  },
  setUp: ['mcp', 'add', '--scope', 'user', 'ckpt', 'ckpt', 'serve'],
  prompt: (words) => ['--approval-mode', 'yolo', '--output-format', 'stream-json', '-m', 'gemini-2.5-flash', '-p', words],
  call: (name, input) => call(`mcp_ckpt_${name}`, input),
  resume: (id, words) => [...gemini.prompt(words), '--resume', id],
  id: (output) => /"session_id":"([^"]+)"/.exec(output)[1],
  shell: (command) => [call('run_shell_command', { command })],
  edit: (root) => [call('write_file', { file_path: path.join(root, 'made.txt'), content: 'new\n' })],
  answers: ({ body }) =>
    body.contents.flatMap(({ parts }) => parts).filter((part) => part.functionResponse)
      .map(({ functionResponse }) => text(functionResponse.response.output ?? functionResponse.response)),
};

const opencode = {
  title: 'OpenCode',
  package: ['opencode-ai', '1.18.33'],
  name: 'opencode',
  program: (folder) => [path.join(folder, 'node_modules/opencode-linux-x64/bin/opencode')],
  variables: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  settings(home, port) {
    const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' };
    const models = { m: { name: 'm', tool_call: true, limit: { context: 200000, output: 8000 } } };
    const settings = {
      autoupdate: false,
      share: 'disabled',
      model: 'loopback/m',
      small_model: 'loopback/m',
      provider: { loopback: { npm: '@ai-sdk/openai-compatible', name: 'loopback', options, models } },
      mcp: { ckpt: { type: 'local', command: ['ckpt', 'serve'] } },
    };
    write(path.join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
  },
  prompt: (words) => ['run', '--format', 'json', '--auto', words],
  call: (name, input) => call(`ckpt_${name}`, input),
  answers: ({ body }) => body.messages.filter(({ role }) => role === 'tool').map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')),
};

export const kinds = { codex, gemini, opencode };

/** A client in the home of a world. */
export class Other {
  constructor(world, kind) {
    Object.assign(this, { world, kind });
    const { folder, why } = install(...kind.package);
    /** Why it cannot be driven here; undefined where it can. */
    this.why = why;
    if (!why) this.program = kind.program(folder);
  }

  #environment(port) {
    const { home, bin } = this.world;
    const variables = { HOME: home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', TERM: 'dumb', SHELL: '/bin/sh' };
    return { ...variables, USER: 'tester', LOGNAME: 'tester', ...this.kind.variables(home, port) };
  }

  #run(root, port, args, until) {
    const [program, ...first] = this.program;
    const child = spawn(program, [...first, ...args], {
      env: this.#environment(port), cwd: root, stdio: ['ignore', 'pipe', 'pipe'],
    });
    until?.then(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    return new Promise((resolve) => child.on('close', (status, signal) => resolve({ status: signal ?? status, output })));
  }

  /**
   * Says one thing in a new conversation, with `args` in place of how that is begun where they are given. Once `until`
   * has come, the client is killed.
   */
  async session(root, turns, { args = this.kind.prompt('Go on'), until } = {}) {
    const before = this.world.entries().length;
    const api = await model(turns);
    try {
      this.kind.settings(this.world.home, api.port);
      if (this.kind.setUp) {
        const { status, output } = await this.#run(root, api.port, this.kind.setUp);
        assert.equal(status, 0, output);
      }
      const { status, output } = await this.#run(root, api.port, args, until);
      assert.equal(status, until ? 'SIGKILL' : 0, output);
      const entries = this.world.entries().slice(before).filter(({ role }) => role === 'serve');
      const messages = (way) => entries.filter(({ at }) => at === way).flatMap(({ text: line }) => {
        try {
          return [JSON.parse(line)];
        } catch {
          return [];
        }
      });
      return {
        output,
        requests: api.requests,
        /** The calls that reached the server. */
        calls: messages('in').filter(({ method }) => method === 'tools/call').map(({ params }) => params),
        /** What the server answered to them. */
        results: messages('out').filter(({ result }) => result?.content).map(({ result }) => result),
        /** What the model was shown of the tools' answers. */
        answers: api.requests.length ? this.kind.answers(api.requests.at(-1)) : [],
      };
    } finally {
      api.close();
    }
  }

  call(name, input) {
    return [this.kind.call(`${name}_session_checkpoint${name === 'list' ? 's' : ''}`, input)];
  }
}
