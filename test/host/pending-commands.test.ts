import { countPending } from '../../src/core/review/model/selected-changes.ts';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FileReview } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { eventually } from './eventually.ts';
import { ControlsKit, cursor, TEN_LINES } from './controls-kit.ts';
import { typeAt } from './pending-kit.ts';
import type { PendingKit } from './pending-kit.ts';

const LENSES = ['Keep', 'Undo', 'Comment', 'Diff'];

describe('what a person presses about pending changes', () => {
  let kit: ControlsKit;
  let pending: PendingKit;

  beforeEach(async () => {
    kit = await ControlsKit.open();
    pending = kit.pending;
  });
  afterEach(() => kit.close());

  const known = (file: string): FileReview => {
    const review = pending.reviews.find(file);
    assert.ok(review);
    return review;
  };
  const argumentOf = (lens: vscode.CodeLens | undefined): unknown => lens?.command?.arguments?.[0];
  const lensesOf = async (uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> => {
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      1000,
    );
    // The product's own review is active in the same window, and has nothing pending here.
    return all.toSorted((a, b) => a.range.start.line - b.range.start.line);
  };

  it('keeps and undoes at the cursor by key alone, and goes on to the next of the file', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 1);
    await kit.press['belay.keepChange']();
    assert.deepEqual(pending.hunks(file), ['-line 5+', '-line 8+LINE 8|more']);
    assert.equal(cursor(), 'file a.ts:5');
    assert.equal(kit.controls.announcer.last, 'Kept. 2 changes left in 1 file.');
    await kit.press['belay.undoChange']();
    assert.equal(cursor(), 'file a.ts:8');
    await kit.press['belay.undoChange']();
    assert.equal(kit.controls.announcer.last, 'Undone. Nothing is left to review.');
    assert.deepEqual(pending.reviews.pending, []);
    assert.equal(await readFile(file, 'utf8'), TEN_LINES.replace('line 1\n', 'LINE 1\n'));
  });

  it('what was undone comes back with the undo of the editor, pending as it was', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 5);
    await kit.press['belay.undoChange']();
    assert.equal(pending.hunks(file).length, 2);
    await vscode.commands.executeCommand('undo');
    await eventually('it is pending again', () => pending.hunks(file)[1] === '-line 5+');
    assert.equal(pending.hunks(file).length, 3);
  });

  it('means everything that a selection touches, and nothing beside the cursor', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 3);
    await kit.press['belay.keepChange']();
    assert.equal(pending.hunks(file).length, 3);
    assert.equal(kit.controls.announcer.last, 'No pending change is at the cursor.');
    await kit.goTo(file, 0, 6);
    await kit.press['belay.undoChange']();
    assert.deepEqual(pending.hunks(file), ['-line 8+LINE 8|more']);
    assert.equal(kit.controls.announcer.last, 'Undid 2 changes. 1 change left in 1 file.');
  });

  it('goes to the next and the previous change across files and round, and says where that is', async () => {
    await kit.changed('a.ts');
    const second = await pending.file('b.ts', TEN_LINES);
    await pending.edit(second, `first\n${TEN_LINES}`);
    const steps: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      await kit.press['belay.nextChange']();
      steps.push(`${cursor()} ${kit.controls.announcer.last.replace(/, .*[/\\]/u, ', ')}`);
    }
    assert.deepEqual(steps, [
      'file a.ts:1 Change 1 of 4, a.ts',
      'file a.ts:5 Change 2 of 4, a.ts',
      'file a.ts:7 Change 3 of 4, a.ts',
      'file b.ts:0 Change 4 of 4, b.ts',
      'file a.ts:1 Change 1 of 4, a.ts',
    ]);
    await kit.press['belay.previousChange']();
    assert.equal(cursor(), 'file b.ts:0');
    await kit.press['belay.previousChange']();
    assert.equal(cursor(), 'file a.ts:7');
  });

  it('keeps and undoes a file, a new and a deleted one too', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 0);
    await kit.press['belay.undoFile']();
    assert.equal(await readFile(file, 'utf8'), TEN_LINES);
    const created = pending.path('new.ts');
    await pending.edit(created, 'one\ntwo\n');
    await kit.goTo(created, 1);
    await kit.press['belay.keepChange']();
    assert.equal(await readFile(created, 'utf8'), 'one\ntwo\n');
    await pending.agent.delete(file, { origin: pending.origin() });
    await kit.press['belay.nextChange']();
    await eventually('its text is shown', () =>
      cursor().startsWith('belay-test-belay-baseline a.ts'),
    );
    await kit.press['belay.undoChange']();
    assert.equal(await readFile(file, 'utf8'), TEN_LINES);
    assert.deepEqual(pending.reviews.pending, []);
  });

  it('decides what is clicked in the Source Control view and in the peek at a change', async () => {
    const file = await kit.changed('a.ts');
    const last = hunksOf(known(file)).at(-1) ?? assert.fail();
    const [from, to] = [last.documentFrom + 1, last.documentTo];
    const change = { modifiedStartLineNumber: from, modifiedEndLineNumber: to };
    const before = pending.hunks(file);
    await kit.press['belay.undoChange'](vscode.Uri.file(file), [change], 0);
    assert.deepEqual(pending.hunks(file), before.slice(0, -1));
    const rows = [{ review: known(file) }];
    await kit.press['belay.keepFile'](...rows);
    assert.deepEqual(pending.reviews.pending, []);
    await assert.rejects(kit.press['belay.keepFile'](...rows), { code: 'not_found' });
  });

  it('says a sentence and does nothing when nothing is pending or a click is stale', async () => {
    for (const command of [
      'belay.keepChange',
      'belay.undoFile',
      'belay.nextChange',
      'belay.commentOnChange',
      'belay.lookedAtChange',
    ] as const)
      await kit.press[command]();
    const file = await kit.changed('a.ts');
    const stale = { path: file, hunk: 'gone' };
    await assert.rejects(kit.press['belay.keepChange'](stale), { code: 'not_found' });
    await assert.rejects(kit.press['belay.undoChange'](stale), { code: 'not_found' });
    await assert.rejects(kit.press['belay.lookedAtChange'](stale), { code: 'not_found' });
    await assert.rejects(kit.press['belay.commentOnChange'](stale), { code: 'not_found' });
    assert.equal(pending.hunks(file).length, 3);
    assert.deepEqual(kit.sent, []);
  });

  it('a double click decides once and is no failure; the other button afterwards says what was decided', async () => {
    const file = await kit.changed('a.ts');
    const [first, second, third] = hunksOf(known(file)).map(({ id }) => id);
    const change = { path: file, hunk: first };
    await Promise.all([
      kit.press['belay.keepChange'](change),
      kit.press['belay.keepChange'](change),
    ]);
    assert.equal(pending.hunks(file).length, 2);
    await kit.press['belay.keepChange'](change);
    assert.equal(kit.controls.announcer.last, 'Kept already. 2 changes left in 1 file.');
    await assert.rejects(kit.press['belay.undoChange'](change), {
      code: 'not_found',
      message: /a\.ts was kept a moment ago, so nothing more was done/u,
    });
    assert.equal(pending.hunks(file).length, 2);
    await kit.press['belay.undoChange']({ ...change, hunk: second });
    await kit.press['belay.undoChange']({ ...change, hunk: third });
    await kit.press['belay.undoChange']({ ...change, hunk: third });
    assert.equal(kit.controls.announcer.last, 'Undone already. Nothing is left to review.');
  });

  it('a key that is pressed again before the decision is made decides about nothing else', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 1);
    await Promise.all([kit.press['belay.keepChange'](), kit.press['belay.undoChange']()]);
    assert.equal(pending.hunks(file).length, 2);
    assert.equal(kit.controls.announcer.last, 'Kept. 2 changes left in 1 file.');
    assert.equal(cursor(), 'file a.ts:5');
  });

  it('marks what was looked at, and takes the mark away', async () => {
    const file = await kit.changed('a.ts');
    await kit.goTo(file, 1);
    await kit.press['belay.lookedAtChange']();
    const looked = (): number => pending.reviews.find(file)?.looked.length ?? 0;
    assert.equal(looked(), 1);
    assert.equal(kit.controls.announcer.last, 'Marked as looked at: 1 of 3.');
    await kit.press['belay.lookedAtChange']();
    assert.equal(looked(), 0);
    assert.equal(pending.hunks(file).length, 3);
  });

  it('shows buttons above each change with who made it, which do what they say', async () => {
    const file = await kit.changed('a.ts');
    const uri = vscode.Uri.file(file);
    const document = await pending.show(file);
    const lenses = await lensesOf(uri);
    assert.deepEqual(
      lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`),
      [1, 5, 7].flatMap((line) => LENSES.map((title) => `${line} ${title}`)),
    );
    await typeAt(document, 1, 0, '// ');
    const origin = (await lensesOf(uri))[3]?.command?.tooltip;
    assert.equal(origin, 'edit_file for “add tests” · edited by you');
    const [, , , , , reject] = await lensesOf(uri);
    await kit.press['belay.undoChange'](argumentOf(reject));
    assert.deepEqual(pending.hunks(file), ['-line 1+// LINE 1', '-line 8+LINE 8|more']);
    kit.showsLenses = false;
    assert.deepEqual(await lensesOf(uri), []);
  });

  it('tells buttons of a created and of a renamed file apart', async () => {
    const created = pending.path('new.ts');
    await pending.edit(created, 'one\n');
    const titles = async (file: string): Promise<readonly (string | undefined)[]> =>
      (await lensesOf(vscode.Uri.file(file))).map(({ command }) => command?.title);
    await pending.show(created);
    assert.deepEqual((await titles(created)).slice(0, 2), ['Keep New File', 'Undo New File']);
    const moved = pending.path('moved.ts');
    await pending.agent.rename(await pending.file('old.ts', TEN_LINES), moved, {
      origin: pending.origin(),
    });
    await pending.show(moved);
    assert.deepEqual(await titles(moved), [
      'Keep New Name',
      'Undo New Name',
      'renamed from old.ts',
    ]);
    const [, reject] = await lensesOf(vscode.Uri.file(moved));
    await kit.press['belay.undoFile'](argumentOf(reject));
    assert.equal(await readFile(pending.path('old.ts'), 'utf8'), TEN_LINES);
  });

  it('stays quick with 300 changes in a file', async () => {
    const lines = Array.from({ length: 900 }, (_, line) => `line ${line}`);
    const file = await pending.file('large.ts', lines.join('\n'));
    await pending.edit(
      file,
      lines.map((one, line) => (line % 3 === 1 ? `${one}!` : one)).join('\n'),
    );
    const document = await pending.show(file);
    assert.equal(countPending(pending.reviews.pending).hunks, 300);
    const from = performance.now();
    assert.equal(kit.controls.lenses.provideCodeLenses(document).length, 1200);
    await kit.press['belay.previousChange']();
    console.log(`lenses and a step of 300 changes: ${Math.round(performance.now() - from)} ms`);
    assert.equal(cursor(), 'file large.ts:898');
  });
});
