import assert from 'node:assert/strict';
import { inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('snapshots of a conversation in VS Code (D8)', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('D8: saved, restored and emptied from the palette; what was replaced is kept', async () => {
    const { page, workbench } = belay;
    belay.use(inOrder(say('The first answer.'), say('The second answer.'), say('Anew.')));
    await belay.ask('First question');
    await belay.shows('The first answer.');
    await belay.idle();

    await workbench.choose('Belay: Save Snapshot…');
    await page.locator('.quick-input-title', { hasText: 'Save Snapshot' }).waitFor();
    await workbench.palette.fill('Before the second');
    await workbench.palette.press('Enter');

    await belay.ask('Second question');
    await belay.shows('The second answer.');
    await belay.idle();
    await workbench.choose('Belay: Restore…');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Restore Snapshot' })
      .click();
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Before the second' })
      .click();
    const panel = await belay.panel();
    await panel.locator('.row', { hasText: 'The second answer.' }).waitFor({ state: 'detached' });
    await belay.shows('The first answer.');

    await workbench.choose('Belay: Empty Conversation…');
    await page.getByRole('button', { name: 'Empty', exact: true }).click();
    await (await belay.panel()).locator('.empty').waitFor();
    await belay.ask('Anew?');
    await belay.shows('Anew.');
    assert.doesNotMatch(JSON.stringify(belay.turns.at(-1)?.messages), /question/u);
  });
});
