import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Script } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

/** Reads two files, changes both in three places, makes a third one. */
const changes = (answer: string): Script =>
  inOrder(
    calls(call('read_file', { path: 'src/pace.ts' }), call('read_file', { path: 'src/route.ts' })),
    calls(
      call('edit_file', {
        path: 'src/pace.ts',
        edits: [
          { old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' },
          { old_string: 'Math.floor(minutes / 60)', new_string: 'Math.floor(minutes / 45)' },
        ],
      }),
    ),
    calls(call('write_file', { path: 'src/rest.ts', content: 'export const rest = 10;\n' })),
    say(answer),
  );

const BROKEN = 'export const sum = (a, b) => a - b;\n';
const CHECK = `import { sum } from './sum.js';
console.log('The sum is', sum(1, 2));
process.exitCode = sum(1, 2) === 3 ? 0 : 1;
`;

/** With the keyboard alone, but for what VS Code itself has no keys for. */
describe('pending changes', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const file = (name: string): string => path.join(belay.folder, name);
  const text = (name: string): Promise<string> => readFile(file(name), 'utf8');
  const chord = async (key: string): Promise<void> => {
    await belay.page.keyboard.press('Control+k');
    await belay.page.keyboard.press(key);
  };
  /** The next change is on screen and has the focus. */
  const next = async (title: RegExp): Promise<void> => {
    await chord('g');
    // It is said when extensions know which editor is in front: a key that comes before only leads there.
    await inStatusBar(new RegExp(`Change \\d+ of \\d+, .*${title.source}`, 'u'));
    await belay.page.locator('.tab.active', { hasText: title }).waitFor();
    await belay.page
      .locator('.modified .line-insert, .monaco-editor .codelens-decoration')
      .first()
      .waitFor();
    await belay.page.locator('.editor-container .monaco-editor.focused').waitFor();
  };
  const status = (label: RegExp) => belay.page.locator('.statusbar-item', { hasText: label });
  const inStatusBar = async (label: RegExp): Promise<void> => status(label).first().waitFor();
  const told = (): string => JSON.stringify(belay.turns.at(-1)?.messages);

  for (const mode of ['Ask', 'Edit'])
    it(`mode ${mode}: the agent fixes a failing test, by keyboard alone`, async () => {
      const manifest = { type: 'module', scripts: { test: `node check.js ${mode}` } };
      await writeFile(file('package.json'), JSON.stringify(manifest));
      await writeFile(file('sum.js'), BROKEN);
      await writeFile(file('check.js'), CHECK);
      await belay.mode(mode);
      belay.use(
        inOrder(
          calls(call('read_file', { path: 'sum.js' })),
          calls(call('run_command', { command: 'npm test' })),
          calls(
            call('edit_file', {
              path: 'sum.js',
              edits: [{ old_string: 'a - b', new_string: 'a + b' }],
            }),
          ),
          calls(call('run_command', { command: 'npm test' })),
          say('All tests pass.'),
        ),
      );
      await belay.ask('Fix the failing test');
      const allow = async (detail: string): Promise<void> => {
        const card = (await belay.panel())
          .getByRole('group', { name: /^Approval: / })
          .filter({ hasText: detail });
        await card.locator('[data-answer="allow"]:enabled').waitFor();
        await (await belay.input()).press('Control+Enter');
        await card.waitFor({ state: 'detached' });
      };
      await allow('npm test');
      if (mode === 'Ask') {
        assert.equal(await text('sum.js'), BROKEN);
        await allow('a + b');
      }
      await belay.shows('All tests pass.');
      assert.match(await text('sum.js'), /a \+ b/u);
      assert.match(told(), /The sum is -1.*exit code 1.*The sum is 3/su);
      if (mode === 'Edit') await status(/1 change to review/u).waitFor();
      else assert.equal(await status(/changes? to review/u).count(), 0);
    });

  it('goes from change to change, keeps one, edits and keeps another, undoes the third; the model hears of it', async () => {
    const { page } = belay;
    await belay.mode('Edit');
    belay.use(changes('All changed.'));
    await belay.ask('Walk faster');
    await belay.shows('All changed.');
    await belay.idle();
    await status(/3 changes to review/u).waitFor();
    await next(/pace\.ts/u);
    assert.equal(await (await belay.input()).inputValue(), '', 'keys of a chord are no text');
    await chord('a');
    await status(/2 changes to review/u).waitFor();
    // The cursor has gone on to the next change of the file.
    await status(/Ln 8/u).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' // every 45 minutes');
    await chord('a');
    await status(/1 change to review/u).waitFor();
    await page.keyboard.press('Control+s');
    await belay.until('the second one is kept as it was edited', async () =>
      /minutes \/ 45.*\/\/ every 45 minutes/u.test(await text('src/pace.ts')),
    );
    await next(/rest\.ts/u);
    // A key that is pressed before VS Code knows that this editor has it is lost.
    await belay.until('the third is undone', async () => {
      await chord('x');
      return status(/changes? to review/u)
        .waitFor({ state: 'detached', timeout: 3000 })
        .then(() => true)
        .catch(() => false);
    });
    assert.equal(existsSync(file('src/rest.ts')), false);
    belay.use(() => say('I see.'));
    await belay.ask('Go on');
    await belay.shows('I see.');
    await belay.idle();
    assert.match(told(), /every 45 minutes/u);
    assert.match(told(), /The user undid your changes/u);
  });

  it('is in the file at once, stays pending over a reload, and the undo of the editor brings an undone one back', async () => {
    await belay.mode('Edit');
    const before = await text('src/route.ts');
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/route.ts' })),
        calls(call('write_file', { path: 'src/route.ts', content: `// Routes.\n${before}` })),
        say('Written.'),
      ),
    );
    await belay.ask('Add a header');
    await belay.shows('Written.');
    await belay.idle();
    assert.equal(await text('src/route.ts'), `// Routes.\n${before}`);
    await status(/1 change to review/u).waitFor();
    await belay.reload();
    await status(/1 change to review/u).waitFor();
    await next(/route\.ts/u);
    await chord('x');
    await belay.until('the file is as it was', async () => (await text('src/route.ts')) === before);
    await status(/1 change to review/u).waitFor({ state: 'detached' });
    await belay.page.keyboard.press('Control+z');
    await status(/1 change to review/u).waitFor();
    await belay.page.keyboard.press('Control+s');
    await belay.until('the header is back', async () =>
      (await text('src/route.ts')).startsWith('// Routes.'),
    );
    // The keys count when the editor has its change again, which the status bar may tell earlier.
    await belay.until('it is kept', async () => {
      await chord('a');
      return (await status(/1 change to review/u).count()) === 0;
    });
  });

  it('goes to a change, comments on it, keeps and undoes; the agent hears the comment', async () => {
    const { page } = belay;
    const original = await text('src/pace.ts');
    await belay.mode('Edit');
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/pace.ts' })),
        calls(
          call('edit_file', {
            path: 'src/pace.ts',
            edits: [{ old_string: 'kilometres / 5', new_string: 'kilometres / 6' }],
          }),
          call('write_file', { path: 'src/rest.ts', content: 'export const rest = 1;\n' }),
        ),
        say('Changed.'),
      ),
    );
    await belay.ask('Walk faster');
    await belay.shows('Changed.');
    await inStatusBar(/2 changes to review/u);
    await belay.icon.locator('.badge', { hasText: '2' }).waitFor();

    await chord('g');
    await inStatusBar(/Change 1 of 2, src\/pace\.ts/u);
    await page.locator('.codelens-decoration', { hasText: 'Comment' }).first().waitFor();

    await chord('Shift+C');
    const box = page.locator('.review-widget .comment-form-container');
    await box.waitFor();
    belay.use(() => say('I see.'));
    await belay.until('the comment is in its box', async () => {
      await page.keyboard.type('Too fast.');
      return (await box.innerText()).replaceAll('\u00a0', ' ').includes('Too fast.');
    });
    await page.keyboard.press('Control+Enter');
    await belay.shows('I see.');
    const message = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(message, /Comment on your pending change of src\/pace\.ts, line \d+:/u);
    assert.match(message, /\+.*kilometres \/ 6/u);
    const panel = await belay.panel();
    await panel.locator('.commented-place', { hasText: 'src/pace.ts, line' }).waitFor();
    await panel.locator('.request-text', { hasText: 'Too fast.' }).waitFor();

    await page.keyboard.press('Escape');
    await page.locator('.tab', { hasText: 'pace.ts' }).click();
    await chord('g');
    await inStatusBar(/Change 2 of 2, src\/rest\.ts/u);
    await chord('a');
    await inStatusBar(/Kept\. 1 change left in 1 file\./u);
    await chord('g');
    await inStatusBar(/Change 1 of 1, src\/pace\.ts/u);
    await chord('x');
    await inStatusBar(/Undone\. Nothing is left to review\./u);
    assert.equal(await text('src/pace.ts'), original);
    assert.equal(await text('src/rest.ts'), 'export const rest = 1;\n');
    await belay.icon.locator('.badge').waitFor({ state: 'hidden' });
  });
});
