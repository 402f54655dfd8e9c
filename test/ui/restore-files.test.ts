import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

describe('restoring files', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('shows a preview that asks in its title bar, and keeps the user’s own edits', async () => {
    const { page, workbench, folder } = belay;
    const notes = path.join(folder, 'notes.md');
    const made = path.join(folder, 'made.md');
    await belay.mode('Edit');
    await writeFile(notes, 'one\ntwo\nthree\nfour\nfive\n');
    belay.use(
      inOrder(
        calls(call('read_file', { files: [{ path: 'notes.md' }] })),
        calls(
          call('edit_file', {
            path: 'notes.md',
            edits: [{ old_string: 'two', new_string: 'TWO' }],
          }),
          call('write_file', { path: 'made.md', content: 'made\n' }),
        ),
        say('All written.'),
      ),
    );
    await belay.ask('Write it');
    await belay.shows('All written.');
    await belay.idle();
    await writeFile(notes, 'one\nTWO\nthree\nfour\nfive, says the person\n');

    await workbench.choose('Belay: Restore…');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'your own edits stay' })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Write it' }).waitFor();
    await page.keyboard.press('Enter');
    await belay.until('the preview is open', async () =>
      (await belay.tabs()).some((title) => title.startsWith('Restore Files')),
    );
    await belay.until('the preview says what is restored', async () => {
      const text = (await page.locator('.monaco-diff-editor').allInnerTexts()).join('\n');
      return /Restore 2 files to before “Write it”[^]*Your own edits stay/u.test(
        text.replaceAll('\u00a0', ' '),
      );
    });
    const title = page.locator('.editor-actions');
    await title.getByRole('button', { name: /^Cancel/u }).waitFor();
    assert.equal(await title.getByRole('button', { name: 'Keep File' }).count(), 0);
    await page.screenshot({
      path: path.join(pictures, 'restore-files-dark.png'),
    });
    await title.getByRole('button', { name: 'Restore', exact: true }).click();
    // One file comes after the other.
    await belay.until(
      'the files are restored',
      async () =>
        !existsSync(made) &&
        (await readFile(notes, 'utf8')) === 'one\ntwo\nthree\nfour\nfive, says the person\n',
    );
    await belay.until('the preview is closed', async () =>
      (await belay.tabs()).every((tab) => !tab.startsWith('Restore Files')),
    );
    await belay.notification('2 files restored');
  });
});
