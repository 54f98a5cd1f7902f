// Stands where ckpt is installed, runs the real one and writes down what went in and out: one JSON line each.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

const [real, log, ...args] = process.argv.slice(2);
const [role] = args;
const note = (entry) => fs.appendFileSync(log, `${JSON.stringify({ role, ...entry })}\n`);
const child = spawn(real, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const names = ['CLAUDE_CODE_SESSION_ID', 'CHECKPOINT_PROJECT_ROOT', 'SESSION_CHECKPOINT_NUDGE', 'PATH'];
note({ at: 'start', pid: child.pid, cwd: process.cwd(), env: Object.fromEntries(names.map((name) => [name, process.env[name]])) });

function tap(from, to, at) {
  let text = '';
  from.on('data', (data) => {
    text += data;
    const lines = text.split('\n');
    text = lines.pop();
    // Written down before it is passed on, so that a test that waits for a line is not late.
    for (const line of lines) note({ at, text: line });
    to.write(data);
  });
  from.on('end', () => {
    if (text) note({ at, text });
    to.end?.();
  });
}
child.stdin.on('error', () => {});
tap(process.stdin, child.stdin, 'in');
tap(child.stdout, { write: (data) => process.stdout.write(data) }, 'out');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (status, signal) => {
  note({ at: 'end', status, signal });
  process.exit(status ?? 1);
});
