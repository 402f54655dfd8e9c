import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

/** An edit that needs approval, because programs obey files there: the model has read it. */
const editing = (answer: string) =>
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

describe('the diff of an edit that waits for approval', () => {
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

  const openDiff = async (answer: string): Promise<void> => {
    belay.use(editing(answer));
    await belay.ask('Walk faster');
    const card = await belay.approval();
    await card.getByRole('button', { name: 'Open diff' }).click();
    await tab().waitFor();
    await belay.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  };
  const tab = () => belay.page.locator('.tab', { hasText: 'pace.ts (Belay: Waits for Approval)' });

  it('closes when the edit is denied, and nothing is written', async () => {
    await openDiff('I leave it.');
    assert.equal(await read(), original);
    const card = await belay.approval();
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('textbox').press('Enter');
    await belay.shows('I leave it.');
    await tab().waitFor({ state: 'detached' });
    assert.equal(await read(), original);
    assert.match(lastResult(), /The user denied edit_file/u);
  });

  it('can be edited before the edit is allowed, and closes without a question; the model hears it', async () => {
    await openDiff('Together.');
    const { page } = belay;
    await page.locator('.monaco-diff-editor .modified .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('const faster = true;\n');
    await belay.sayYes(await belay.approval());
    await belay.shows('Together.');
    await tab().waitFor({ state: 'detached' });
    const changed = original.replace('metresUphill / 600', 'metresUphill / 500');
    assert.equal(await read(), `const faster = true;\n${changed}`);
    assert.match(lastResult(), /The user changed the edit before allowing it.*faster/su);
  });
});
