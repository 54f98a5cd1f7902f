// The client in a terminal of its own, as a person sees it: what is typed there, and what stands there.
import { spawn, spawnSync } from 'node:child_process';

/** Why there can be no terminal here; false where there can. */
export const noTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0 ? false : 'there is no script(1) of util-linux';

const READY = '? for shortcuts';
const PATIENCE = 60_000;

export class Terminal {
  #shown = '';
  #waiting = [];

  /** `asked` counts the requests that the model got of the main agent. */
  constructor(env, cwd, command, asked) {
    this.asked = asked;
    const words = command.map((word) => `'${word}'`).join(' ');
    this.child = spawn('script', ['-qec', `stty rows 40 cols 160; exec ${words}`, '/dev/null'], {
      env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
      cwd,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (data) => {
      this.#shown += data;
      this.#look();
    });
    this.ended = new Promise((resolve) => this.child.on('close', (status, signal) => resolve(signal ?? status)));
  }

  #look() {
    this.#waiting = this.#waiting.filter(({ isThere, done }) => !isThere() || done());
  }

  /** Waits until something holds that shows in what the client writes. */
  until(isThere, what) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what} does not come: ${this.#shown.slice(-2000)}`)), PATIENCE);
      this.#waiting.push({ isThere, done: () => void (clearTimeout(timer), resolve()) });
      this.#look();
    });
  }

  /** Waits until a text was written after a point. */
  #text(text, from) {
    return this.until(() => this.#shown.slice(from).includes(text), text);
  }

  ready() {
    return this.#text(READY, 0);
  }

  /** Waits until a text stands there that may be written already. */
  shows(text) {
    return this.#text(text, 0);
  }

  /** Presses a key, and waits until a text was written after it. */
  press(key, text) {
    const from = this.#shown.length;
    this.child.stdin.write(key);
    return this.#text(text, from);
  }

  /** Types a line. What ends it is sent once the line stands there, for else it would count as pasted. */
  async type(line) {
    const from = this.#shown.length;
    this.child.stdin.write(line);
    await this.#text(line.slice(-4), from);
    const entered = this.#shown.length;
    this.child.stdin.write('\r');
    return entered;
  }

  /** Types a prompt and waits until the model has been asked so often for it and the client waits for the next. */
  async say(line, times) {
    const before = this.asked();
    const entered = await this.type(line);
    await this.until(() => this.asked() >= before + times, `request ${times} after ${line}`);
    await this.#text(READY, entered);
  }

  /** Types a command of the client's own that runs the hooks of a session's start, and waits for these. */
  async command(line, isDone) {
    await this.type(line);
    await this.until(isDone, `the end of ${line}`);
  }

  async end() {
    await this.type('/exit');
    return this.ended;
  }

  kill(pid) {
    process.kill(pid, 'SIGKILL');
    return this.ended;
  }
}
