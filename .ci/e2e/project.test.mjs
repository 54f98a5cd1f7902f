// What every session of a project should know: one session writes it, the brief of every other shows it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

test('what one session saves for the project stands in the brief of another, and after its compaction', async () => {
  const root = here.project();
  const shared = { scope: 'project', decisions: ['Releases go out on Tuesdays'], recentCommands: [{ command: 'make check', note: 'all tests' }] };
  const first = await here.session(root, { script: { main: [here.fetchTools('save'), here.call('save', shared)] } });
  assert.equal(first.answers('save')[0].error, false, first.answers('save')[0].text);
  assert.deepEqual(Object.keys(here.checkpoints(root)), ['_project']);

  const second = await here.session(root, {
    script: { main: [here.fetchTools('save', 'load'), here.call('save', { goal: 'a goal of its own' }), here.call('load', {})] },
    talk: async (session) => {
      await session.say('go');
      await session.say('/compact');
      await session.say('on');
    },
  });
  assert.deepEqual(Object.keys(here.checkpoints(root)).sort(), ['_project', second.id].sort());
  const project = /## Project[^]*make check[^]*Releases go out on Tuesdays/;
  assert.match(JSON.parse(second.answers('load')[0].text).text, project);
  assert.match(second.notes.at(-1), project);
});
