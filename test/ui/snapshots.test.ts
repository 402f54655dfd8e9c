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

    // The input box stays open, so the palette is not waited for.
    const asked = workbench.runCommand('Belay: Save Snapshot…').catch(() => undefined);
    const input = page.locator('.quick-input-widget input[type=text]');
    await belay.until('the title is asked for', async () =>
      (
        await page
          .locator('.quick-input-title')
          .innerText()
          .catch(() => '')
      ).includes('Save Snapshot'),
    );
    await input.fill('Before the second');
    await page.keyboard.press('Enter');
    await asked;

    await belay.ask('Second question');
    await belay.shows('The second answer.');
    await belay.idle();
    const row = page.locator('.quick-input-list .monaco-list-row', {
      hasText: 'Before the second',
    });
    // The palette offers it a moment after the run has ended.
    const listed = async (): Promise<boolean> => {
      await page.keyboard.press('Escape');
      const choosing = workbench.choose('Belay: Restore Snapshot…').catch(() => undefined);
      const shown = await row.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      await choosing;
      return shown;
    };
    await belay.until('the snapshots are listed', listed);
    await row.click();
    const panel = await belay.panel();
    await panel.locator('.row', { hasText: 'The second answer.' }).waitFor({ state: 'detached' });
    await belay.shows('The first answer.');

    const emptying = workbench.runCommand('Belay: Empty Conversation…').catch(() => undefined);
    await page.getByRole('button', { name: 'Empty', exact: true }).click();
    await emptying;
    await (await belay.panel()).locator('.empty').waitFor();
    await belay.ask('Anew?');
    await belay.shows('Anew.');
    assert.doesNotMatch(JSON.stringify(belay.turns.at(-1)?.messages), /question/u);
  });
});
