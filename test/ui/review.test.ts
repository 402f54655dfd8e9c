import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

/** An edit that is asked about, because programs obey files there: the model has read it. */
const proposed = (answer: string) =>
  inOrder(
    calls(call('read_file', { path: '.github/pace.ts' })),
    calls(
      call('edit_file', {
        path: '.github/pace.ts',
        edits: [{ old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' }],
      }),
    ),
    say(answer),
  );

describe('review of an edit that is asked about', () => {
  let belay: BelayPage;
  let file: string;
  let original: string;

  useSharedWindow((page) => {
    belay = page;
  });
  beforeEach(async () => {
    file = path.join(belay.folder, '.github/pace.ts');
    original = await readFile(path.join(belay.folder, 'src/pace.ts'), 'utf8');
    await mkdir(path.dirname(file));
    await writeFile(file, original);
  });

  const read = (): Promise<string> => readFile(file, 'utf8');
  const lastResult = (): string => JSON.stringify(belay.turns.at(-1)?.messages.at(-1));

  const propose = async (answer: string): Promise<void> => {
    belay.use(proposed(answer));
    await belay.ask('Walk faster');
    await belay.approval();
    await belay.page.locator('.tab', { hasText: 'pace.ts (Belay: Proposed Changes' }).waitFor();
  };

  it('opens as a diff, touches nothing until it is kept in the editor title', async () => {
    await propose('Changed.');
    assert.equal(await read(), original);
    const { page } = belay;
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await page
      .locator('.editor-actions')
      .getByRole('button', { name: /^Keep Change/ })
      .click();
    await belay.shows('Changed.');
    assert.equal(await read(), original.replace('metresUphill / 600', 'metresUphill / 500'));
    await page
      .locator('.tab', { hasText: 'Belay: Proposed Changes' })
      .waitFor({ state: 'detached' });
  });

  it('changes nothing when it is denied on the card, and the model hears it', async () => {
    await propose('I leave it.');
    const card = await belay.approval();
    await card.getByRole('button', { name: /^Deny/ }).click();
    await belay.shows('I leave it.');
    assert.equal(await read(), original);
    assert.match(lastResult(), /is_error|denied|reject|declin/i);
    await belay.page
      .locator('.tab', { hasText: 'Belay: Proposed Changes' })
      .waitFor({ state: 'detached' });
  });

  it('takes over what is typed into the proposal, and goes on when the last change is kept by key', async () => {
    await propose('Together.');
    const { page } = belay;
    await page.locator('.monaco-diff-editor .modified .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('const faster = true;\n');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('a');
    await page.getByText('1 change left in 1 file').first().waitFor();
    assert.equal(await read(), original);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('a');
    await belay.shows('Together.');
    const changed = original.replace('metresUphill / 600', 'metresUphill / 500');
    assert.equal(await read(), `const faster = true;\n${changed}`);
    assert.match(lastResult(), /faster/);
  });
});
