import { call, calls, inOrder, say, talk } from '../support/model-server/turn.ts';
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

  /** What it offers follows what the panel shows. */
  const all = async (titles: readonly string[], expected: boolean): Promise<void> => {
    for (const title of titles)
      await belay.until(
        `${title} is ${expected ? '' : 'not '}offered`,
        async () => (await offers(title)) === expected,
      );
  };

  it('before anything has happened it offers what needs no state', async () => {
    await all(['New Session', 'Open Session…', 'Focus Panel', 'Set API Key…', 'Show Log'], true);
    await all(['Stop', 'Keep Change', 'Undo Change', 'Continue', 'Remove API Key'], false);
    await all(['Choose Persona…', 'Show Follow-ups', 'Set Telemetry Key…'], false);
  });

  it('offers Stop only while a run is on, and it stops it', async () => {
    belay.use(() => talk('word '.repeat(4000)));
    await belay.ask('Talk');
    await belay.shows(/word word/);
    await all(['Stop'], true);
    await belay.workbench.runCommand('Belay: Stop');
    await belay.idle();
    await all(['Stop'], false);
    await all(['Export Session…', 'Delete Session', 'Compact Conversation'], true);
  });

  it('offers to keep and to undo while a change is pending', async () => {
    belay.use(inOrder(calls(call('write_file', { path: 'a.md', content: 'a' })), say('Written.')));
    await belay.newSession();
    await belay.ask('Write');
    await belay.shows('Written.');
    await all(['Keep Change', 'Undo Change'], true);
    await belay.workbench.runCommand('Belay: Next Pending Change');
    await belay.page.locator('.tab.active', { hasText: 'a.md' }).waitFor();
    await belay.workbench.runCommand('Belay: Undo Change');
    await all(['Keep Change', 'Undo Change'], false);
  });

  it('deletes a session, and brings it back', async () => {
    belay.use(() => say('To be deleted.'));
    await belay.newSession();
    await belay.ask('Short life');
    await belay.shows('To be deleted.');
    await belay.idle();
    await belay.workbench.runCommand('Belay: Delete Session');
    await (await belay.panel()).locator('.empty').waitFor();
    await belay.press('Undo', '” deleted.');
    await belay.shows('To be deleted.');
  });
});
