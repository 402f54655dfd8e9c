import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('sessions in editor tabs', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  /** The page of a tab. One that is moved, or was out of sight, may be another one a moment later. */
  const tab = (name: string): Promise<Frame> =>
    belay.workbench.webview(`#panel[data-place="${name}"] .composer`);
  const view = (): Promise<Frame> => belay.workbench.webview('#panel:not([data-place]) .composer');
  const input = (page: Frame): Locator => page.getByRole('textbox', { name: 'Message to Belay' });
  const label = (title: string): Locator =>
    belay.page.locator('.tabs-container .tab', { hasText: title });

  const has = (page: () => Promise<Frame>, draft: string): Promise<unknown> =>
    belay.until(
      `the draft ${draft} is there`,
      async () => (await input(await page()).inputValue()) === draft,
    );
  const says = (page: () => Promise<Frame>, text: string): Promise<unknown> =>
    belay.until(`it says ${text}`, async () => (await page()).getByText(text).first().isVisible());
  const one = (): Promise<Frame> => tab('new/1');
  const two = (): Promise<Frame> => tab('new/2');

  it('stand side by side and answer at once, share a draft with the view, and are there after a reload', async () => {
    belay.use((request) => {
      const text = JSON.stringify(request.messages);
      return say(text.includes('left') ? 'From the left.' : 'From the right.', {
        deltaSize: 2,
        gapMs: 60,
      });
    });
    await belay.workbench.choose('Belay: New Session in Editor');
    await input(await one()).fill('Say it on the left');
    await belay.workbench.choose('Belay: New Session in Editor');
    await (await two()).locator('textarea:focus').waitFor();
    await belay.workbench.choose('View: Move Editor into Right Group');
    await belay.page.locator('.editor-group-container').nth(1).waitFor();
    await has(one, 'Say it on the left');
    // VS Code shows the tab behind it, too, and gives the focus to one after the other: which one has it is its own.
    await input(await two()).fill('Say it on the right');
    await has(two, 'Say it on the right');
    for (const page of [two, one])
      await (await page()).getByRole('button', { name: /^Send \(/u }).click();
    for (const page of [two, one]) await says(page, 'From the');
    await says(one, 'From the left.');
    await says(two, 'From the right.');
    // The titles are the sessions’.
    await label('A day in the mountains').nth(1).waitFor();

    // The view shows the session of a tab: one draft, one conversation.
    const panel = await view();
    await panel.locator('.title-button').click();
    await panel.locator('.session-open').first().click();
    await panel.getByText('From the').first().waitFor();
    await input(await one()).fill('Half a ');
    await input(await two()).fill('Half b ');
    const isLeft = (await panel.getByText('From the left.').count()) > 0;
    const [same, other] = isLeft ? [one, two] : [two, one];
    await has(view, await input(await same()).inputValue());
    await input(panel).press('End');
    await input(panel).pressSequentially('thought');
    await has(same, isLeft ? 'Half a thought' : 'Half b thought');
    await has(other, isLeft ? 'Half b ' : 'Half a ');

    await belay.reload();
    await says(one, 'From the left.');
    await says(two, 'From the right.');
    await has(same, isLeft ? 'Half a thought' : 'Half b thought');
    await has(other, isLeft ? 'Half b ' : 'Half a ');
  });

  it('asks in its tab and nowhere else while that is to be seen; keys and commands mean the tab', async () => {
    belay.use((request) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? say('Done in the tab.')
        : calls(call('write_file', { path: '.github/notes.md', content: 'from the model' })),
    );
    const { page } = belay;
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Shift+N');
    const own = await tab('new/1');
    await own.locator('textarea:focus').waitFor();
    await input(own).fill('Write it down');
    await input(own).press('Enter');
    await own.getByRole('group', { name: /^Approval: / }).waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 0);

    await belay.workbench.choose('Belay: Running and Waiting Sessions…');
    const row = page.locator('.quick-input-list .monaco-list-row').first();
    await row.filter({ hasText: 'waits for your approval' }).waitFor();
    await page.keyboard.press('Enter');
    await own.getByRole('group', { name: /^Approval: / }).waitFor();

    await input(own).focus();
    await input(own).press('Control+Enter');
    await own.getByText('Done in the tab.').first().waitFor();
    await input(own).press('Control+K');
    await page.keyboard.press('N');
    await own.locator('.empty').waitFor();
    await label('New session').waitFor();
  });
});
