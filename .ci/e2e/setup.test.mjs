// Every way to set ckpt up in Claude Code ends in a connected server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { repository, World } from './world.mjs';

const worlds = [];
const world = () => worlds[worlds.push(new World()) - 1];
after(() => worlds.forEach((world) => world.remove()));

test('the plugin and the marketplace are valid', () => {
  const here = world();
  here.claude('plugin', 'validate', '--strict', '--profile', 'directory', path.join(repository, 'plugin'));
  for (const folder of [path.join(repository, 'plugin'), repository]) {
    assert.match(here.claude('plugin', 'validate', '--strict', folder), /Validation passed/);
  }
});

test('the plugin installs from the repository and its server connects with a bare PATH', () => {
  const here = world().plugin();
  const [plugin] = JSON.parse(here.claude('plugin', 'list', '--json'));
  assert.equal(plugin.id, 'session-checkpoint@ckpt');
  assert.equal(plugin.enabled, true);
  here.cwd = here.project();
  assert.match(here.claude('mcp', 'list'), /plugin:session-checkpoint:ckpt: .*Connected/);
  assert.match(here.claude('mcp', 'get', 'plugin:session-checkpoint:ckpt'), /Connected/);
});

test('the manual set-up connects', () => {
  const here = world().manual();
  here.cwd = here.project();
  assert.match(here.claude('mcp', 'list'), /ckpt: ckpt serve .*Connected/);
  assert.match(here.claude('mcp', 'get', 'ckpt'), /Scope: User[^]*Connected/);
});

test('a team shares the server in .mcp.json', () => {
  const here = world();
  here.extra = { path: `${here.bin}:/usr/bin:/bin` };
  here.cwd = here.project();
  const server = { mcpServers: { ckpt: { command: 'ckpt', args: ['serve'] } } };
  fs.writeFileSync(path.join(here.cwd, '.mcp.json'), JSON.stringify(server));
  const settings = { enabledMcpjsonServers: ['ckpt'] };
  fs.mkdirSync(path.join(here.home, '.claude'), { recursive: true });
  fs.writeFileSync(path.join(here.home, '.claude', 'settings.json'), JSON.stringify(settings));
  assert.match(here.claude('mcp', 'list'), /ckpt: ckpt serve .*Connected/);
});

test('without ckpt the plugin says how to install it and lets the session go on', async () => {
  const here = world().plugin();
  fs.rmSync(path.join(here.bin, 'ckpt'));
  const run = await here.session(here.project(), { args: ['--include-hook-events'] });
  assert.equal(run.status, 0);
  const said = run.session.events.map((event) => JSON.stringify(event)).filter((event) => event.includes('is not installed'));
  assert.match(said.join('\n'), /ckpt is not installed/);
});
