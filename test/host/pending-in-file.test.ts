import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { ControlsKit, cursor, TEN_LINES } from './controls-kit.ts';
import { typeAt } from './pending-kit.ts';
import type { PendingKit } from './pending-kit.ts';

describe('proposals in the open files that they are for', () => {
  let kit: ControlsKit;
  let pending: PendingKit;
  let file: string;

  beforeEach(async () => {
    kit = await ControlsKit.open();
    pending = kit.pending;
    file = await pending.file('a.ts', TEN_LINES);
    const text = TEN_LINES.replace('line 1\n', 'LINE 1\n').replace('line 5\n', '');
    await pending.edit(file, text.replace('line 8\n', 'line 8\nmore\n'), 'propose');
    await pending.settled();
  });
  afterEach(() => kit.close());

  const hunks = (): readonly string[] => pending.hunks(file, 'proposed');
  const lenses = async (): Promise<readonly vscode.CodeLens[]> =>
    vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      vscode.Uri.file(file),
      1000,
    );
  const hoverAt = async (line: number): Promise<string> => {
    const found = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      vscode.Uri.file(file),
      new vscode.Position(line, 0),
    );
    return found
      .flatMap(({ contents }) => contents)
      .map((one) => (typeof one === 'string' ? one : one.value))
      .join('\n');
  };

  it('have buttons above their lines, with what they do', async () => {
    await pending.show(file);
    const all = (await lenses()).toSorted((a, b) => a.range.start.line - b.range.start.line);
    const titles = all.map(({ range, command }) => `${range.start.line} ${command?.title}`);
    assert.equal(titles.length, 15);
    assert.match(titles[0] ?? '', /^1 .*Keep$/u);
    assert.match(titles[1] ?? '', /^1 .*Undo$/u);
    assert.match(titles[2] ?? '', /^1 .*Comment$/u);
    assert.match(titles[3] ?? '', /^1 .*Diff$/u);
    assert.match(titles[4] ?? '', /^1 proposed: \+1 −1 · edit_file for “add tests”$/u);
    assert.match(titles[9] ?? '', /^5 proposed: \+0 −1/u);
    const argument: unknown = all[5]?.command?.arguments?.[0];
    await kit.press['belay.keepChange'](argument);
    assert.deepEqual(hunks(), ['-line 1+LINE 1', '-+more']);
    assert.equal(await readFile(file, 'utf8'), TEN_LINES.replace('line 5\n', ''));
  });

  it('can be read on the spot, by mouse and keyboard, with their buttons', async () => {
    await pending.show(file);
    const text = await hoverAt(1);
    assert.match(text, /-line 1\n\+LINE 1/u);
    assert.match(text, /change 1 of 3/u);
    assert.match(text, /\[Keep\]\(command:belay\.keepChange\?/u);
    assert.match(text, /\[Undo\]\(command:belay\.undoChange\?/u);
    assert.match(text, /\[Comment\]\(command:belay\.commentOnChange\?/u);
    assert.match(await hoverAt(8), /\+more/u);
    assert.doesNotMatch(await hoverAt(3), /Belay proposes/u);
  });

  it('are decided at the cursor by key, from one to the next, in the file itself', async () => {
    await kit.goTo(file, 1);
    await kit.press['belay.keepChange']();
    assert.deepEqual(hunks(), ['-line 5+', '-+more']);
    assert.equal(cursor(), 'file a.ts:5');
    await kit.press['belay.undoChange']();
    assert.deepEqual(hunks(), ['-+more']);
    await kit.press['belay.keepChange']();
    assert.deepEqual(pending.reviews.pending, []);
    const expected = TEN_LINES.replace('line 1\n', 'LINE 1\n').replace(
      'line 8\n',
      'line 8\nmore\n',
    );
    await eventually('it is in the file', async () => (await readFile(file, 'utf8')) === expected);
  });

  it('next and previous stay in the file while one is in it', async () => {
    await kit.goTo(file, 0);
    await kit.press['belay.nextChange']();
    assert.equal(cursor(), 'file a.ts:1');
    await kit.press['belay.nextChange']();
    assert.equal(cursor(), 'file a.ts:5');
    await kit.press['belay.previousChange']();
    assert.equal(cursor(), 'file a.ts:1');
  });

  it('follow what is typed above them, also unsaved', async () => {
    const document = await pending.show(file);
    await typeAt(document, 0, 0, 'typed\n');
    await eventually('the buttons moved', async () =>
      (await lenses()).some(({ range }) => range.start.line === 2),
    );
    assert.match(await hoverAt(2), /-line 1\n\+LINE 1/u);
    await kit.goTo(file, 2);
    await kit.press['belay.undoChange']();
    assert.deepEqual(hunks(), ['-line 5+', '-+more']);
  });

  it('all of a file are decided where all of it can be read: in the diff, which opens', async () => {
    await kit.goTo(file, 3);
    await kit.press['belay.undoFile']();
    await eventually('the diff is open', () => cursor().startsWith('belay-test-belay-pending'));
    assert.equal(hunks().length, 3);
    await kit.press['belay.undoFile']();
    assert.deepEqual(pending.reviews.pending, []);
    assert.equal(await readFile(file, 'utf8'), TEN_LINES);
  });

  it('in the diff that opens the buttons of the title mean the first change, then the next', async () => {
    await kit.controls.diffs.open({ kind: 'proposed', path: file });
    await eventually('the diff is open', () => cursor() === 'belay-test-belay-pending a.ts:1');
    const modified = pending.uris.documentOf({ kind: 'proposed', path: file });
    await kit.press['belay.keepChange'](modified);
    assert.deepEqual(hunks(), ['-line 5+', '-+more']);
    await kit.press['belay.undoChange'](modified);
    assert.deepEqual(hunks(), ['-+more']);
    await kit.press['belay.keepFile'](modified);
    assert.deepEqual(pending.reviews.pending, []);
  });
});
