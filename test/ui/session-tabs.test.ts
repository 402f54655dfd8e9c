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

  /** The page of a tab. */
  const tab = (name: string): Promise<Frame> =>
    belay.workbench.webview(`#panel[data-place="${name}"] .composer`, 30_000);
  const input = (page: Frame): Locator => page.getByRole('textbox', { name: 'Message to Belay' });
  const label = (title: string): Locator =>
    belay.page.locator('.tabs-container .tab', { hasText: title });

  const has = (page: Frame, draft: string): Promise<unknown> =>
    belay.until(
      `the draft ${draft} is there`,
      async () => (await input(page).inputValue()) === draft,
    );

  it('stand side by side and answer at once, share a draft with the view, and are there after a reload', async () => {
    belay.use((request) => {
      const text = JSON.stringify(request.messages);
      return say(text.includes('left') ? 'From the left.' : 'From the right.', {
        deltaSize: 2,
        gapMs: 60,
      });
    });
    await belay.workbench.choose('Belay: New Session in Editor');
    const left = await tab('new/1');
    await input(left).fill('Say it on the left');
    await belay.workbench.choose('Belay: New Session in Editor');
    const right = await tab('new/2');
    await right.locator('textarea:focus').waitFor();
    await belay.workbench.choose('View: Move Editor into Right Group');
    const moved = await tab('new/2');
    const there = await tab('new/1');
    await has(there, 'Say it on the left');
    // VS Code shows the tab behind it, too, and gives the focus to one after the other: which one has it is its own.
    await input(moved).fill('Say it on the right');
    for (const page of [moved, there])
      await page.getByRole('button', { name: /^Send \(/u }).click();
    await moved.getByText('From the').first().waitFor();
    await there.getByText('From the').first().waitFor();
    await there.getByText('From the left.').first().waitFor();
    await moved.getByText('From the right.').first().waitFor();
    assert.equal(await label('A day in the mountains').count(), 2, 'the titles are the sessions’');

    // The view shows the session of a tab: one draft, one conversation.
    const panel = await belay.workbench.webview('#panel:not([data-place]) .composer');
    await panel.locator('.title-button').click();
    await panel.locator('.session-open').first().click();
    await panel.getByText('From the').first().waitFor();
    await input(there).fill('Half a ');
    await input(moved).fill('Half b ');
    const isLeft = (await panel.getByText('From the left.').count()) > 0;
    const [same, other] = isLeft ? [there, moved] : [moved, there];
    await has(panel, await input(same).inputValue());
    await input(panel).press('End');
    await input(panel).pressSequentially('thought');
    await has(same, isLeft ? 'Half a thought' : 'Half b thought');
    await has(other, isLeft ? 'Half b ' : 'Half a ');

    await belay.workbench.reload();
    const [one, two] = [await tab('new/1'), await tab('new/2')];
    await one.getByText('From the left.').first().waitFor();
    await two.getByText('From the right.').first().waitFor();
    await has(isLeft ? one : two, isLeft ? 'Half a thought' : 'Half b thought');
    await has(isLeft ? two : one, isLeft ? 'Half b ' : 'Half a ');
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
    await page.locator('.tab', { hasText: 'notes.md (Belay: Proposed Changes' }).waitFor();
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
