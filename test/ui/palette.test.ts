import assert from 'node:assert/strict';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('the command palette', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  /** Whether the palette offers a command of ours. */
  const offers = async (title: string): Promise<boolean> => {
    const { page } = belay;
    await belay.workbench.search(`Belay: ${title}`);
    const labels = page.locator('.quick-input-list .monaco-list-row .label-name');
    // VS Code itself has commands with similar names, so there is always a first row.
    await labels.first().waitFor();
    const found = await labels.allInnerTexts();
    await page.keyboard.press('Escape');
    return found.includes(`Belay: ${title}`);
  };

  const all = async (titles: readonly string[], expected: boolean): Promise<void> => {
    for (const title of titles) assert.equal(await offers(title), expected, title);
  };

  it('before anything has happened it offers what needs no state', async () => {
    await all(['New Session', 'Open Session…', 'Focus Panel', 'Set API Key…', 'Show Log'], true);
    await all(['Stop', 'Accept Change', 'Reject Change', 'Continue', 'Remove API Key'], false);
  });

  it('offers Stop only while a run is on, and it stops it', async () => {
    belay.use(() => say('word '.repeat(4000), { deltaSize: 10, gapMs: 100 }));
    await belay.ask('Talk');
    await belay.shows(/word word/);
    await belay.until('Stop is offered', () => offers('Stop'));
    await belay.workbench.runCommand('Belay: Stop');
    await belay.idle();
    await all(['Stop'], false);
    await all(['Export Session…', 'Delete Session', 'Compact Conversation'], true);
  });

  it('offers to accept and to reject while an edit waits', async () => {
    belay.use(() => calls(call('write_file', { path: '.github/a.md', content: 'a' })));
    await belay.newSession();
    await belay.ask('Write');
    await belay.approval();
    await belay.until('Accept is offered', () => offers('Accept Change'));
    await all(['Reject Change', 'Show What Waits for You…'], true);
    await all(['Accept All Edits'], false);
    belay.use(() => say('Right.'));
    await belay.workbench.runCommand('Belay: Reject Change');
    await belay.shows('Right.');
    await all(['Accept Change', 'Show What Waits for You…'], false);
  });

  it('deletes a session, and brings it back', async () => {
    belay.use(() => say('To be deleted.'));
    await belay.newSession();
    await belay.ask('Short life');
    await belay.shows('To be deleted.');
    await belay.idle();
    const { page } = belay;
    await belay.workbench.runCommand('Belay: Delete Session');
    await (await belay.panel()).locator('.empty').waitFor();
    const news = page.locator('.notification-toast', { hasText: '” deleted.' });
    await news.getByRole('button', { name: 'Undo' }).click();
    await belay.shows('To be deleted.');
  });
});
