import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('going back in a conversation, by keyboard', () => {
  let belay: BelayPage;
  let notes: string;

  useSharedWindow((page) => {
    belay = page;
  });
  const conversation = async (): Promise<void> => {
    await belay.mode('Edit');
    notes = path.join(belay.folder, 'notes.md');
    await writeFile(notes, 'one\ntwo\n');
    belay.use(
      inOrder(
        calls(call('read_file', { files: [{ path: 'notes.md' }] })),
        say('The first answer.'),
        calls(
          call('edit_file', {
            path: 'notes.md',
            edits: [{ old_string: 'two', new_string: 'TWO' }],
          }),
        ),
        say('The second answer.'),
        say('The answer of the fork.'),
      ),
    );
    await belay.ask('First question');
    await belay.shows('The first answer.');
    await belay.idle();
    await belay.ask('Second question');
    await belay.shows('The second answer.');
    await belay.idle();
  };

  /** Chooses an entry of the menu at a message by its first letters. */
  const choose = async (message: string, keys: readonly string[]): Promise<void> => {
    const row = (await belay.panel()).locator('.request', { hasText: message });
    await row.locator('.message-actions').press('Enter');
    for (const key of [...keys, 'Enter']) await row.locator('.item:focus').press(key);
  };
  const dialog = (): Locator => belay.page.locator('.monaco-dialog-box');
  /** What the dialog says; then it is accepted. */
  const accept = async (): Promise<string> => {
    await dialog().waitFor();
    const text = (await dialog().textContent()) ?? '';
    await belay.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    return text;
  };
  /** Answers the preview in its title bar. */
  const restoreInTitle = async (): Promise<void> => {
    const title = belay.page.locator('.editor-actions');
    await title.getByRole('button', { name: 'Restore', exact: true }).click();
  };
  const gone = async (text: string): Promise<void> =>
    (await belay.panel()).locator('.row', { hasText: text }).waitFor({ state: 'detached' });
  const inputHas = (text: string): Promise<unknown> =>
    belay.until(`the input has ${text}`, async () => {
      return (await (await belay.input()).inputValue()) === text;
    });

  it('files and conversation: what would change is shown, the message comes into the input; redo by palette', async () => {
    await conversation();
    await choose('Second question', ['End']);
    await restoreInTitle();
    await gone('The second answer.');
    await inputHas('Second question');
    assert.equal(await readFile(notes, 'utf8'), 'one\ntwo\n');
    await belay.notification('1 message of yours and 1 answer are taken out');
    await belay.workbench.runCommand('Belay: Redo Restore');
    await belay.shows('The second answer.');
    await inputHas('');
    await belay.until('the file is back', async () => {
      return (await readFile(notes, 'utf8')) === 'one\nTWO\n';
    });
  });

  it('the conversation alone: the way back is offered in the panel after a reload', async () => {
    await conversation();
    await choose('Second question', ['e']);
    assert.match(await accept(), /Files stay as they are: 1 file changed since/u);
    await gone('The second answer.');
    await inputHas('Second question');
    assert.equal(await readFile(notes, 'utf8'), 'one\nTWO\n');
    await belay.notification('Files are as they were');
    await belay.reload();
    const notice = (await belay.panel()).locator('.notice', {
      hasText: 'The conversation is as it was before “Second question”',
    });
    await inputHas('Second question');
    await notice.getByRole('button', { name: 'Redo' }).press('Enter');
    await belay.shows('The second answer.');
    await inputHas('');
  });

  it('a fork from a message chosen in the list, with the files as they were then', async () => {
    await conversation();
    const { page, workbench } = belay;
    await workbench.choose('Belay: Fork Session from Here…');
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'The first answer' });
    await row.waitFor();
    await page.keyboard.type('The first answer');
    await page.keyboard.press('Enter');
    await (await belay.panel()).locator('.header', { hasText: '(fork)' }).waitFor();
    await belay.press('Restore Files…', '1 file changed after this message');
    await restoreInTitle();
    await gone('The second answer.');
    await belay.until('the file is as it was', async () => {
      return (await readFile(notes, 'utf8')) === 'one\ntwo\n';
    });
    await belay.ask('Another way');
    await belay.shows('The answer of the fork.');
    assert.doesNotMatch(JSON.stringify(belay.turns.at(-1)?.messages), /Second question/u);
  });
});
