import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, call, history, others, S, session } from './fixture-session.ts';
import { openStage } from './staged.ts';

describe('the dock above the input', function () {
  this.timeout(60_000);
  let stage: Stage;
  let page: Page;
  let close: () => Promise<void>;

  async function open(prepare?: (made: Stage) => void): Promise<void> {
    ({ stage, page, close } = await openStage(prepare));
  }

  afterEach(async () => close());

  it('keeps everything beside the conversation in one box of three rows, and “+2” opens the rest', async () => {
    await open((made) => {
      session(made);
      history(made);
      const due = { dueAt: Date.UTC(2026, 10, 27, 8), createdAt: 0 };
      made.waitingFollowUps = [{ id: 'f1', sessionId: S, prompt: 'Look again.', ...due }];
      made.queue.push({
        id: 'q1',
        sessionId: S,
        position: 0,
        text: 'Then the changelog.',
        attachments: [],
        mode: 'queue',
        createdAt: 0,
      });
      void made.journals.writeByPerson(S, { objective: 'Port the parser.' });
    });
    begin(stage);
    stage.publish(S, { type: 'session.todo', items: [{ text: 'Find it', status: 'active' }] });
    const rows = page.locator('.dock-rows > .dock-row');
    const more = page.locator('.dock-more');
    await eventually(async () => assert.equal(await more.innerText(), '+2'));
    assert.equal(await rows.count(), 3);
    for (const height of await rows.evaluateAll((all) => all.map((row) => row.clientHeight)))
      assert.ok(height >= 28 && height <= 29, String(height));
    await more.press('Enter');
    await eventually(async () => assert.equal(await rows.count(), 5));
    await page.locator('.journal .dock-label').press('Enter');
    await page.locator('.journal-sections').waitFor();
    await page.locator('.follow-ups .dock-label').press('Enter');
    await page.locator('.journal-sections').waitFor({ state: 'detached' });
    await more.press('Enter');
    await eventually(async () => assert.equal(await rows.count(), 3));
  });

  it('hides the waiting run while its card is on screen, and then stops it from the input', async () => {
    await open();
    begin(stage);
    stage.publish(S, ...call(0, 'a1', 'run_command', { command: 'npm test' }));
    await page.locator('.run-status').waitFor();
    stage.publish(S, { type: 'tool.approval', callId: 'a1', name: 'run_command', questionId: 'q' });
    stage.ask({ id: 'q', sessionId: S, callId: 'a1', detail: 'npm test' });
    await page.locator('.approval').waitFor();
    await page.locator('.run-status').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.codicon-modifier-spin').count(), 0);
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, -3000);
    await page.locator('.run-status', { hasText: 'Needs your input' }).locator('.link').click();
    await page.locator('.run-status').waitFor({ state: 'detached' });
    await page.locator('.composer').getByRole('button', { name: 'Stop this run' }).click();
    await eventually(() => assert.deepEqual(stage.calls, [`cancel ${S}`]));
  });

  it('shows the steps above the input, and what the person does to them is kept', async () => {
    await open();
    stage.publish(S, {
      type: 'session.todo',
      items: [
        { text: 'Find it', status: 'active' },
        { text: 'Mend it', status: 'open' },
      ],
    });
    const line = page.locator('.todo .dock-label');
    await line.getByText('0 of 2').waitFor();
    assert.match((await line.textContent()) ?? '', /Find it/u);
    await line.click();
    await page.getByLabel('Done: Find it').check();
    await line.getByText('1 of 2').waitFor();
    await page.locator('.todo-text', { hasText: 'Mend it' }).click();
    await page.getByLabel('Step', { exact: true }).fill('Mend it well');
    await page.keyboard.press('Enter');
    await page.getByLabel('Add a step').fill('Tell people');
    await page.keyboard.press('Enter');
    await line.getByText('1 of 3').waitFor();
    await page.getByLabel('Remove this step').first().click();
    await line.getByText('0 of 2').waitFor();
    assert.deepEqual(stage.todos.get(S), [
      { text: 'Mend it well', status: 'open' },
      { text: 'Tell people', status: 'open' },
    ]);
  });

  it('C10: shows the journal above the input; what is written in it by keyboard is kept', async () => {
    await open();
    stage.publish(S, {
      type: 'journal_update',
      sections: { objective: 'Port the parser.', blockers: ['No grammar'] },
    });
    const journal = page.getByRole('region', { name: 'Journal' });
    await journal.getByText('Port the parser.').waitFor();
    await page.locator('.journal .dock-label').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Edit: Blockers').focus();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Blockers, one entry a line');
    await eventually(async () => assert.ok(await field.evaluate((one) => one.matches(':focus'))));
    await page.keyboard.press('End');
    await page.keyboard.type('\nNo time');
    // The agent writes there meanwhile: that is said, and what is typed stays.
    stage.publish(S, { type: 'journal_update', sections: { blockers: ['The grammar is old'] } });
    await journal.getByText(/changed this meanwhile.*The grammar is old/u).waitFor();
    await page.locator('.journal .dock-label').click();
    await page.locator('.journal .dock-label').click();
    await field.focus();
    await page.keyboard.press('Control+Enter');
    await journal.getByText('No time').waitFor();
    assert.deepEqual((await stage.journals.read(S)).blockers, ['No grammar', 'No time']);
  });

  it('A15: what is written in a follow-up is still there after a look at another session', async () => {
    await open((made) => {
      session(made);
      others(made);
      const due = { dueAt: Date.UTC(2026, 10, 27, 8), createdAt: 0 };
      made.waitingFollowUps = [{ id: 'f1', sessionId: S, prompt: 'Look again.', ...due }];
    });
    const show = async (id: string): Promise<void> => {
      await page.locator('.title-button').click();
      await page.locator(`.session-open[data-session="${id}"]`).click();
    };
    const field = page.getByLabel('Prompt of the follow-up');
    await page.locator('.follow-ups .dock-label').click();
    await page.locator('.follow-ups .queued-text').click();
    await field.fill('Look again, and say why.');
    await show('other-0');
    await field.waitFor({ state: 'detached' });
    await show(S);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Look again, and say why.');
    await page.locator('.follow-up-form').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.follow-ups .queued-text', { hasText: 'Look again.' }).waitFor();
  });
});
