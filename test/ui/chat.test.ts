import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { call, calls, inOrder, say, talk } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

const LONG = Array.from({ length: 60 }, (_, line) => `Line ${line + 1} of the answer.`).join(
  '\n\n',
);

/** The text of the results that a request gives back to the model. */
function resultsIn(request: unknown): string {
  return JSON.stringify((request as { readonly messages: readonly unknown[] }).messages.at(-1));
}

describe('a conversation in the panel', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('E1: shows text while it arrives, and formats it', async () => {
    const { promise: when, resolve: goOn } = Promise.withResolvers<void>();
    const rest = { events: 10, when };
    belay.use(() => say(`# Plan\n\nUse **pace**.\n\n${LONG}`, { deltaSize: 40, gapMs: 20, rest }));
    await belay.ask('Explain the plan');
    await belay.shows('Line 1 of the answer.');
    const panel = await belay.panel();
    assert.equal(await panel.getByText('Line 60 of the answer.').count(), 0);
    assert.ok(await panel.locator('.run-status').isVisible());
    await panel.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
    assert.equal(await panel.locator('.row.answer strong').innerText(), 'pace');
    goOn();
    await belay.shows('Line 60 of the answer.');
    await belay.idle();
  });

  it('B10: the session gets a title and is in the list', async () => {
    belay.use(() => say('Done.'));
    await belay.ask('Name this session');
    await belay.shows('Done.');
    await belay.shows('A day in the mountains');
    const panel = await belay.panel();
    await panel
      .getByRole('button', { name: /A day in the mountains/ })
      .first()
      .click();
    const row = panel.locator('.session', { hasText: 'A day in the mountains' });
    await row.first().click();
    await belay.shows('Done.');
  });

  it('finds in the conversation and in all sessions, and deletes with a way back', async () => {
    belay.use(() => say('The **marmot** whistles at the *col*.'));
    await belay.newSession();
    await belay.ask('Who whistles there?');
    await belay.shows('whistles at the');
    await belay.idle();
    const panel = await belay.panel();
    await (await belay.input()).press('Control+f');
    await panel.locator('.find input').fill('marmot whistles');
    await panel.locator('.find-count', { hasText: '1 of 1' }).waitFor();
    await panel.locator('.find input').press('Escape');
    await panel.locator('.find').waitFor({ state: 'detached' });
    await belay.newSession();
    await panel.locator('.title-button').click();
    await panel.locator('.search input').fill('marmot');
    await panel.locator('.session-hit', { hasText: 'marmot whistles' }).first().click();
    await panel.locator('.find-count', { hasText: '1 of 1' }).waitFor();
    await panel.locator('.title-button').click();
    const current = panel.locator('.session-open[aria-current="true"]');
    await current.press('Delete');
    await panel.locator('.deleted').getByRole('button', { name: 'Undo' }).click();
    // Behind the list.
    await panel.getByText('whistles at the').first().waitFor({ state: 'attached' });
    await current.waitFor();
    await panel.getByRole('button', { name: 'Back to the conversation' }).click();
    await panel.locator('.find input').press('Escape');
  });

  it('A5: asks before a command, runs it after the yes, and tells the model', async () => {
    const marker = path.join(belay.folder, 'allowed.txt');
    belay.use(
      inOrder(
        calls(call('run_command', { command: 'sh -c "echo yes | tee allowed.txt"' })),
        say('Ran it.'),
      ),
    );
    await belay.ask('Run it');
    const card = await belay.approval();
    assert.match(await card.innerText(), /echo yes \| tee allowed\.txt/);
    assert.equal(existsSync(marker), false);
    await belay.sayYes(card);
    await belay.shows('Ran it.');
    assert.equal(existsSync(marker), true);
    assert.match(resultsIn(belay.turns.at(-1)), /yes/);
  });

  it('B4: a no with a reason reaches the model, and nothing is run', async () => {
    belay.use(
      inOrder(
        calls(call('run_command', { command: 'sh -c "echo no > denied.txt"' })),
        say('As you wish.'),
      ),
    );
    await belay.ask('Run it');
    const card = await belay.approval();
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('textbox').fill('Not in this folder');
    await card.getByRole('textbox').press('Enter');
    await belay.shows('As you wish.');
    assert.match(resultsIn(belay.turns.at(-1)), /Not in this folder/);
    assert.equal(existsSync(path.join(belay.folder, 'denied.txt')), false);
  });

  it('D4: stops in the middle of an answer, keeps what was said, and the next message works', async () => {
    belay.use(() => talk(LONG));
    await belay.ask('Talk for long');
    await belay.shows('Line 2 of the answer.');
    await (await belay.panel()).getByRole('button', { name: /^Stop/ }).click();
    await belay.idle();
    assert.equal(await (await belay.panel()).getByText('Line 60 of the answer.').count(), 0);
    await belay.shows('Line 2 of the answer.');
    belay.use(() => say('I was stopped.'));
    await belay.ask('Go on');
    await belay.shows('I was stopped.');
  });

  it('D4: stops while it waits for a yes; the call gets a result and the session goes on', async () => {
    belay.use(() => calls(call('run_command', { command: 'sh -c "echo x > stopped.txt"' })));
    await belay.ask('Run it');
    await belay.approval();
    await (await belay.input()).press('Escape');
    await belay.idle();
    assert.equal(await (await belay.panel()).locator('.approval').count(), 0);
    belay.use(() => say('Fine.'));
    await belay.ask('Something else');
    await belay.shows('Fine.');
    const answered = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(answered, /tool_result/);
    assert.equal(existsSync(path.join(belay.folder, 'stopped.txt')), false);
  });

  it('C7: what is sent during a run waits above the input, can be edited, moved and removed, is held by a stop, and goes in that order', async () => {
    belay.use((request) =>
      JSON.stringify(request.messages.at(-1)).includes('Begin') ? talk(LONG) : say('Answered.'),
    );
    await belay.ask('Begin');
    await belay.shows('Line 1 of the answer.');
    for (const text of ['First later', 'Second later', 'Third later']) await belay.ask(text);
    const panel = await belay.panel();
    const rows = panel.locator('.queued');
    const texts = async (): Promise<string> => (await rows.allInnerTexts()).join('|');
    await panel.getByRole('button', { name: '3 queued messages' }).click();
    await belay.until('three wait', async () => (await rows.count()) === 3);
    await rows.filter({ hasText: 'Third later' }).getByRole('button', { name: 'Move up' }).click();
    await belay.until('it has moved', async () => /Third.*Second/u.test(await texts()));
    await rows.filter({ hasText: 'First later' }).getByRole('button', { name: 'Remove' }).click();
    await belay.until('it is gone', async () => (await rows.count()) === 2);
    await rows.filter({ hasText: 'Second later' }).locator('.queued-text').click();
    const editor = panel.getByRole('textbox', { name: 'Queued message' });
    await editor.fill('Second, changed');
    await editor.press('Enter');
    await belay.until('it is changed', async () => /Third.*Second, changed/u.test(await texts()));
    await panel.getByRole('button', { name: /^Stop/u }).first().click();
    await panel.getByText('2 queued messages are on hold.').waitFor();
    await belay.idle();
    assert.equal(await rows.count(), 2);
    await panel.locator('.queue').getByRole('button', { name: 'Send', exact: true }).click();
    await belay.until('both were sent', async () => (await rows.count()) === 0);
    // Between the two runs nothing is at work for a moment.
    const asked = (): string => JSON.stringify(belay.turns.at(-1)?.messages);
    await belay.until('both were asked', () => /Third later.*Second, changed/u.test(asked()));
    await belay.idle();
    assert.doesNotMatch(asked(), /First later/u);
  });

  it('takes what is typed as the answer while the agent asks, and shows it as given on the card', async () => {
    belay.use(
      inOrder(calls(call('ask_human', { question: 'Which port?', choices: ['80'] })), say('Done.')),
    );
    await belay.ask('Serve it');
    const panel = await belay.panel();
    await panel.locator('.question', { hasText: 'Which port?' }).waitFor();
    await belay.ask('Use 8080');
    await belay.shows('Done.');
    assert.equal(await panel.locator('.queued').count(), 0);
    assert.match(resultsIn(belay.turns.at(-1)), /Use 8080/u);
    await belay.shows('Use 8080');
  });

  it('A9: an answer is used: its lines are links, its code becomes a pending change, its diagram a picture', async () => {
    const answer =
      'Lines 2–3 of `src/pace.ts` stay.\n\n```ts src/idea.ts\nexport const idea = 1;\n```\n\n```mermaid\nflowchart LR\n  A[Valley] --> B[Summit]\n```\n';
    belay.use(() => say(answer));
    await belay.ask('Show me');
    const panel = await belay.panel();
    const { page, workbench } = belay;
    await panel.getByRole('link', { name: 'Lines 2–3' }).click();
    await page.locator('.tab', { hasText: 'pace.ts' }).waitFor();
    await panel.getByRole('button', { name: /^Apply to a file/u }).click();
    await page.locator('.statusbar-item', { hasText: /1 change to review/u }).waitFor();
    // A change is listed just before it is written.
    await belay.until('the file is written', () =>
      existsSync(path.join(belay.folder, 'src/idea.ts')),
    );
    await panel.getByRole('button', { name: 'Open the diagram' }).click();
    const tab = await workbench.webview('#diagram .picture img');
    const image = tab.locator('.picture img');
    assert.ok((await image.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 50);
    await workbench.screenshot(path.join(pictures, 'answer-diagram-tab.png'));
  });
});
