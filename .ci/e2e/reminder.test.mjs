// A session is reminded of saving once the context has grown, once, and not as an error.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, holding, say } from './model.mjs';
import { World } from './world.mjs';

let here;
before(() => (here = new World().plugin()));
after(() => here.remove());

const SAID = 'Checkpoint reminder: the context';
const command = (line) => [call('Bash', { command: line, description: 'a command' })];
let made = 0;
/**
 * A batch of tools that ends once its own call stands in the transcript, for the hook after it reads there what the context
 * holds, and a busy machine lets the client write late.
 */
const batch = () => {
  const mark = `batch-${++made}-of-this-test`;
  return command(`until grep -qs ${mark} "$CLAUDE_CONFIG_DIR"/projects/*/"$CLAUDE_CODE_SESSION_ID".jsonl; do sleep 0.02; done; echo ${mark}`);
};
const saving = (goal) => here.call('save', { goal });
const reminders = (run) => ['PostToolBatch', 'UserPromptSubmit'].map((event) => run.told(event).filter((text) => text.startsWith(SAID)));

test('after 80,000 tokens without a save, in the next batch of tools, and after a save not before another 80,000', async () => {
  const run = await here.session(here.project(), {
    args: ['--include-hook-events'],
    script: {
      main: [
        here.fetchTools('save'), holding(10_000, saving('one')),
        holding(60_000, batch()), holding(91_000, batch()), holding(120_000, batch()),
        holding(130_000, saving('two')), holding(180_000, batch()), holding(211_000, batch()), [say('done')],
      ],
    },
  });
  assert.equal(run.status, 0);
  const [batches, prompts] = reminders(run);
  assert.equal(batches.length, 2, batches.join('\n'));
  assert.deepEqual(prompts, []);
  assert.match(batches[0], /has grown by about 81,000 tokens since this session's last save\. The tool save_session_checkpoint/);
  const shown = run.asked.filter(({ text }) => text.includes(SAID));
  assert.ok(shown.length > 0, 'the model sees it');
  assert.equal(run.asked.findIndex(({ text }) => text.includes(SAID)), 4, 'in the request after the batch');
  const events = run.session.events.map((event) => JSON.stringify(event));
  assert.ok(!events.some((event) => event.includes(SAID) && /hook error|"is_error":true|stopReason/.test(event)), 'the person sees no error');
});

test('in the next prompt, where no tool was called', async () => {
  const run = await here.session(here.project(), {
    script: { main: [here.fetchTools('save'), holding(10_000, saving('one')), holding(95_000, [say('much')]), [say('done')], [say('done')]] },
    talk: async (session) => {
      for (const text of ['one', 'two', 'three']) await session.say(text);
    },
  });
  const [batches, prompts] = reminders(run);
  assert.deepEqual(batches, []);
  assert.equal(prompts.length, 1, prompts.join('\n'));
});

test('a session that saved nothing, at 140,000 tokens', async () => {
  const run = await here.session(here.project(), {
    script: { main: [holding(130_000, batch()), holding(141_000, batch()), holding(142_000, batch()), [say('done')]] },
  });
  const [batches] = reminders(run);
  assert.equal(batches.length, 1);
  assert.match(batches[0], /holds about 141,000 tokens, and this session has saved no checkpoint/);
});

test('never in a subagent, and not where it is switched off', async () => {
  const agent = call('Agent', { description: 'help', prompt: 'Help.', subagent_type: 'general-purpose', run_in_background: false });
  const inside = await here.session(here.project(), {
    script: {
      main: [here.fetchTools('save'), holding(10_000, saving('one')), [agent], [say('done')]],
      sub: [holding(200_000, command('echo much')), holding(300_000, command('echo more')), [say('reported')]],
    },
  });
  assert.deepEqual(reminders(inside).flat(), []);
  for (const [remind, expected] of [['off', 0], ['5000', 1]]) {
    const run = await here.session(here.project(), {
      env: { CHECKPOINT_REMIND: remind },
      script: { main: [here.fetchTools('save'), holding(10_000, saving('one')), holding(16_000, batch()), holding(100_000, [say('done')])] },
    });
    assert.equal(reminders(run).flat().length, expected, remind);
  }
});
