import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

const edits: Turn = calls(
  call('edit_file', {
    path: 'src/pace.ts',
    edits: [
      { old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' },
      { old_string: 'Math.floor(minutes / 60)', new_string: 'Math.floor(minutes / 45)' },
    ],
  }),
);
const creates: Turn = calls(
  call('write_file', { path: 'src/rest.ts', content: 'export const rest = 10;\nexport {};\n' }),
);
const reads: Turn = calls(call('read_file', { path: 'src/pace.ts' }));

/** In a VS Code with default settings. */
describe('edits where they are', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const text = (name: string): Promise<string> => readFile(path.join(belay.folder, name), 'utf8');
  const run = async (...script: readonly Turn[]): Promise<void> => {
    belay.use(inOrder(...script, say('All is proposed.')));
    await belay.ask('Walk faster');
    await belay.shows('All is proposed.');
    await belay.idle();
  };
  const openDiff = async (card: RegExp): Promise<void> => {
    const panel = await belay.panel();
    await panel
      .getByRole('group', { name: card })
      .getByRole('button', { name: 'Open diff' })
      .click();
    await belay.page.locator('.monaco-diff-editor').first().waitFor();
  };
  const shoot = async (name: string): Promise<void> => {
    await inEachTheme(belay.workbench, (theme) =>
      belay.page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) }),
    );
  };
  /** Decorations are contents of styles. */
  const beside = (text: RegExp): Promise<boolean> =>
    belay.page.evaluate(
      (source) =>
        [...document.querySelectorAll('.view-line span')].some((span) =>
          new RegExp(source, 'u').test(getComputedStyle(span, '::after').content),
        ),
      text.source,
    );
  const lens = (title: string) => belay.page.locator('.codelens-decoration a', { hasText: title });
  const titleButton = (name: RegExp) =>
    belay.page.locator('.editor-actions').getByRole('button', { name }).first();

  it('mode Ask: the open file shows what is proposed for it, and is decided there', async () => {
    const { page } = belay;
    await run(reads, edits);
    await belay.workbench.openFile('pace.ts');
    // The lines below a lens move when it comes.
    await belay.until('both lenses stand', async () => (await lens('Keep').count()) === 2);
    await page.getByText('proposed: +1 −1').first().waitFor();
    await belay.until('what would come stands beside what would go', () =>
      beside(/metresUphill.\/.500/u),
    );
    await shoot('proposal-in-file');
    const line = page.locator('.view-line', { hasText: 'metresUphill / 600' });
    const hover = page.locator('.monaco-hover', { hasText: 'Belay proposes' });
    // Lenses that are computed anew take the line away from under the mouse: it is sought again.
    await belay.until('the proposal can be read on the spot', async () => {
      await page.mouse.move(5, 5);
      await line.hover();
      return hover.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    });
    await page.screenshot({ path: path.join(pictures, 'proposal-hover-dark.png') });
    await page.mouse.move(5, 5);
    await lens('Undo').nth(1).click();
    await belay.until('one is left', async () => (await lens('Keep').count()) === 1);
    await lens('Keep').click();
    await belay.until('it is in the file', async () =>
      (await text('src/pace.ts')).includes('metresUphill / 500'),
    );
    assert.match(await text('src/pace.ts'), /minutes \/ 60/u);
    await lens('Keep').waitFor({ state: 'detached' });
  });

  it('the diff of a card opens in Ask, is decided by the buttons of its title, and opens again afterwards', async () => {
    await run(reads, edits, creates);
    await openDiff(/pace\.ts/u);
    await titleButton(/^Keep Change/u).waitFor();
    await shoot('proposal-diff');
    await titleButton(/^Keep Change/u).click();
    await belay.until('the first one is in the file', async () =>
      (await text('src/pace.ts')).includes('metresUphill / 500'),
    );
    assert.match(await text('src/pace.ts'), /minutes \/ 60/u);
    await titleButton(/^Undo All Changes of This File/u).click();
    await belay.diffsClose();
    await openDiff(/pace\.ts/u);
    await belay.page.locator('.tab.active', { hasText: 'edit by Belay' }).waitFor();
    await belay.page.locator('.modified .view-line', { hasText: 'minutes / 45' }).waitFor();
    // Also in the next window.
    await belay.reload();
    await belay.closeEditors();
    await openDiff(/pace\.ts/u);
    await belay.page.locator('.modified .view-line', { hasText: 'minutes / 45' }).waitFor();
  });

  it('a link to a file that is only proposed opens the proposal; counts are the same everywhere', async () => {
    await run(creates);
    const panel = await belay.panel();
    const card = panel.getByRole('group', { name: /rest\.ts/u });
    assert.match(await card.innerText(), /\+2/u);
    assert.match(await panel.locator('.review').first().innerText(), /\+2/u);
    await card
      .getByRole('link', { name: /rest\.ts/u })
      .first()
      .click();
    await belay.page.locator('.tab.active', { hasText: 'rest.ts' }).waitFor();
    await belay.page.locator('.view-line', { hasText: 'export const rest = 10;' }).waitFor();
    assert.equal(await panel.locator('.notice').count(), 0);
  });

  it('mode Edit: the diff of a card opens while it is pending and when it is decided', async () => {
    await belay.mode('Edit');
    try {
      await run(reads, edits);
      await openDiff(/pace\.ts/u);
      await titleButton(/^Keep All Changes of This File/u).click();
      await belay.diffsClose();
      await openDiff(/pace\.ts/u);
      await belay.page.locator('.tab.active', { hasText: 'edit by Belay' }).waitFor();
    } finally {
      await belay.mode('Ask');
    }
  });
});
