import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { hunksOf } from '../../src/core/review/hunks.ts';
import { readChangeComment } from '../../src/domain/change-comment.ts';
import { BelayError } from '../../src/domain/failure.ts';
import { pendingChangeCommands } from '../../src/hosts/vscode/commands/pending-changes.ts';
import { pendingCommentCommands } from '../../src/hosts/vscode/commands/pending-comments.ts';
import type { CommandServices } from '../../src/hosts/vscode/commands/services.ts';
import { PendingControls } from '../../src/hosts/vscode/pending/pending-controls.ts';
import { eventually } from './eventually.ts';
import { PendingKit, typeAt } from './pending-kit.ts';

const ten = Array.from({ length: 10 }, (_, at) => `line ${at}\n`).join('');
const LENSES = ['$(check) Accept', '$(discard) Reject', '$(comment) Comment'];

describe('what a person presses about pending changes', () => {
  let kit: PendingKit;
  let controls: PendingControls;
  let sent: { readonly sessionId: string; readonly text: string }[];
  let refusal: string | undefined;
  let showLenses: boolean;

  type Command = ReturnType<typeof pendingChangeCommands> &
    ReturnType<typeof pendingCommentCommands>;
  let press: Command;

  const begin = (): void => {
    controls = new PendingControls({
      window: kit.window,
      titleOf: () => 'add tests',
      shownSession: () => undefined,
      send: async (sessionId, text) => {
        if (refusal !== undefined) throw new BelayError({ code: 'store', message: refusal });
        sent.push({ sessionId, text });
      },
      isOn: () => showLenses,
      onSettingChanged: () => ({ dispose: () => {} }),
      onError: (error) => void kit.problems.push(String(error)),
      commentController: 'belay-test-changes',
      leftOverScheme: 'belay-test-left-over',
    });
    const review: Pick<CommandServices['review'], 'active' | 'proposals'> = {
      active: () => undefined,
      proposals: [],
    };
    const services = { controls, review } as unknown as CommandServices;
    press = { ...pendingChangeCommands(services), ...pendingCommentCommands(services) };
  };

  beforeEach(async () => {
    kit = await PendingKit.open();
    sent = [];
    refusal = undefined;
    showLenses = true;
    begin();
  });

  afterEach(async () => {
    controls.dispose();
    await kit.close();
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const at = (): string => {
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const { document, selection } = editor;
    return `${document.uri.scheme} ${path.basename(document.uri.path)}:${selection.active.line}`;
  };
  const goTo = async (file: string, line: number, to = line): Promise<vscode.TextEditor> => {
    const document = await kit.show(file);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(line, 0, to, 0);
    return editor;
  };
  /** A file with changes in its lines 1 and 8, and one in its middle taken away. */
  const changed = async (name: string): Promise<string> => {
    const file = await kit.file(name, ten);
    const text = ten.replace('line 1\n', 'LINE 1\n').replace('line 5\n', '');
    await kit.edit(file, text.replace('line 8\n', 'LINE 8\nmore\n'));
    return file;
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

  it('accepts and rejects at the cursor by key alone, and goes on to the next of the file', async () => {
    const file = await changed('a.ts');
    await goTo(file, 1);
    await press['belay.acceptChange']();
    assert.deepEqual(kit.hunks(file), ['-line 5+', '-line 8+LINE 8|more']);
    assert.equal(at(), 'file a.ts:5');
    assert.equal(controls.announcer.last, 'Accepted. 2 changes left in 1 file.');
    await press['belay.rejectChange']();
    assert.equal(at(), 'file a.ts:8');
    await press['belay.rejectChange']();
    assert.equal(controls.announcer.last, 'Rejected. Nothing is left to review.');
    assert.deepEqual(kit.reviews.pending, []);
    assert.equal(await readFile(file, 'utf8'), ten.replace('line 1\n', 'LINE 1\n'));
  });

  it('what was rejected comes back with Undo, pending as it was', async () => {
    const file = await changed('a.ts');
    await goTo(file, 5);
    await press['belay.rejectChange']();
    assert.equal(kit.hunks(file).length, 2);
    await vscode.commands.executeCommand('undo');
    await eventually('it is pending again', () => kit.hunks(file)[1] === '-line 5+');
    assert.equal(kit.hunks(file).length, 3);
  });

  it('means everything that a selection touches, and nothing beside the cursor', async () => {
    const file = await changed('a.ts');
    await goTo(file, 3);
    await press['belay.acceptChange']();
    assert.equal(kit.hunks(file).length, 3);
    assert.equal(controls.announcer.last, 'No pending change is at the cursor.');
    await goTo(file, 0, 6);
    await press['belay.rejectChange']();
    assert.deepEqual(kit.hunks(file), ['-line 8+LINE 8|more']);
    assert.equal(controls.announcer.last, 'Rejected 2 changes. 1 change left in 1 file.');
  });

  it('goes to the next and the previous change across files and round, and says where that is', async () => {
    await changed('a.ts');
    const second = await kit.file('b.ts', ten);
    await kit.edit(second, `first\n${ten}`);
    const steps: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      await press['belay.nextChange']();
      steps.push(`${at()} ${controls.announcer.last.replace(/, .*[/\\]/u, ', ')}`);
    }
    assert.deepEqual(steps, [
      'file a.ts:1 Change 1 of 4, a.ts',
      'file a.ts:5 Change 2 of 4, a.ts',
      'file a.ts:7 Change 3 of 4, a.ts',
      'file b.ts:0 Change 4 of 4, b.ts',
      'file a.ts:1 Change 1 of 4, a.ts',
    ]);
    await press['belay.previousChange']();
    assert.equal(at(), 'file b.ts:0');
    await press['belay.previousChange']();
    assert.equal(at(), 'file a.ts:7');
  });

  it('works in the diff of a proposal, which is where next change leads', async () => {
    const file = await kit.file('a.ts', ten);
    await kit.edit(
      file,
      ten.replace('line 2\n', 'TWO\n').replace('line 7\n', 'SEVEN\n'),
      'propose',
    );
    await press['belay.nextChange']();
    await eventually('the proposal is shown', () => at() === 'belay-test-belay-pending a.ts:2');
    await press['belay.acceptChange']();
    assert.equal(await readFile(file, 'utf8'), ten.replace('line 2\n', 'TWO\n'));
    await eventually('the cursor goes on', () => at() === 'belay-test-belay-pending a.ts:7');
    await press['belay.rejectChange']();
    assert.deepEqual(kit.reviews.pending, []);
    assert.equal(await readFile(file, 'utf8'), ten.replace('line 2\n', 'TWO\n'));
  });

  it('decides about nothing that is not in view: it is shown', async () => {
    const file = await kit.file('a.ts', ten);
    await kit.edit(file, ten.replace('line 2\n', 'TWO\n'), 'propose');
    await goTo(file, 2);
    await press['belay.acceptFile']();
    await eventually('the proposal is shown', () => at() === 'belay-test-belay-pending a.ts:2');
    assert.equal(kit.hunks(file, 'proposed').length, 1);
    assert.match(controls.announcer.last, /^Nothing was decided/u);
    await press['belay.acceptFile']();
    assert.deepEqual(kit.reviews.pending, []);
    assert.match(controls.announcer.last, /^Accepted 1 change of .*a\.ts\. Nothing is left/u);
  });

  it('accepts and rejects a file, a new and a deleted one too', async () => {
    const file = await changed('a.ts');
    await goTo(file, 0);
    await press['belay.rejectFile']();
    assert.equal(await readFile(file, 'utf8'), ten);
    const created = kit.path('new.ts');
    await kit.edit(created, 'one\ntwo\n');
    await goTo(created, 1);
    await press['belay.acceptChange']();
    assert.equal(await readFile(created, 'utf8'), 'one\ntwo\n');
    await kit.agent.delete(file, { origin: kit.origin() });
    await press['belay.nextChange']();
    await eventually('its text is shown', () => at().startsWith('belay-test-belay-baseline a.ts'));
    await press['belay.rejectChange']();
    assert.equal(await readFile(file, 'utf8'), ten);
    assert.deepEqual(kit.reviews.pending, []);
  });

  it('says a sentence and does nothing when nothing is pending or a click is stale', async () => {
    for (const command of [
      'belay.acceptChange',
      'belay.rejectFile',
      'belay.nextChange',
      'belay.commentOnChange',
      'belay.lookedAtChange',
    ] as const)
      await press[command]();
    const file = await changed('a.ts');
    const stale = { kind: 'written', path: file, hunk: 'gone' };
    await assert.rejects(press['belay.acceptChange'](stale), { code: 'not_found' });
    await assert.rejects(press['belay.rejectChange'](stale), { code: 'not_found' });
    await assert.rejects(press['belay.lookedAtChange'](stale), { code: 'not_found' });
    await assert.rejects(press['belay.commentOnChange'](stale), { code: 'not_found' });
    assert.equal(kit.hunks(file).length, 3);
    assert.deepEqual(sent, []);
  });

  it('marks what was looked at, and takes the mark away', async () => {
    const file = await changed('a.ts');
    await goTo(file, 1);
    await press['belay.lookedAtChange']();
    const looked = (): number => kit.reviews.find('written', file)?.looked.length ?? 0;
    assert.equal(looked(), 1);
    assert.equal(controls.announcer.last, 'Marked as looked at: 1 of 3.');
    await press['belay.lookedAtChange']();
    assert.equal(looked(), 0);
    assert.equal(kit.hunks(file).length, 3);
  });

  it('shows buttons above each change with who made it, which do what they say', async () => {
    const file = await changed('a.ts');
    const uri = vscode.Uri.file(file);
    const document = await kit.show(file);
    const lenses = await lensesOf(uri);
    assert.deepEqual(
      lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`),
      [1, 5, 7].flatMap((line) =>
        [...LENSES, 'edit_file for “add tests”'].map((title) => `${line} ${title}`),
      ),
    );
    await typeAt(document, 1, 0, '// ');
    const origin = (await lensesOf(uri))[3]?.command?.title;
    assert.equal(origin, 'edit_file for “add tests” · edited by you');
    const [, , , , , reject] = await lensesOf(uri);
    await press['belay.rejectChange'](argumentOf(reject));
    assert.deepEqual(kit.hunks(file), ['-line 1+// LINE 1', '-line 8+LINE 8|more']);
    showLenses = false;
    assert.deepEqual(await lensesOf(uri), []);
  });

  it('tells buttons of a created and of a renamed file apart', async () => {
    const created = kit.path('new.ts');
    await kit.edit(created, 'one\n');
    const titles = async (file: string): Promise<readonly (string | undefined)[]> =>
      (await lensesOf(vscode.Uri.file(file))).map(({ command }) => command?.title);
    await kit.show(created);
    assert.deepEqual((await titles(created)).slice(0, 2), [
      '$(check) Accept New File',
      '$(discard) Reject New File',
    ]);
    const moved = kit.path('moved.ts');
    await kit.agent.rename(await kit.file('old.ts', ten), moved, { origin: kit.origin() });
    await kit.show(moved);
    assert.deepEqual(await titles(moved), [
      '$(check) Accept New Name',
      '$(discard) Reject New Name',
      'renamed from old.ts',
    ]);
    const [, reject] = await lensesOf(vscode.Uri.file(moved));
    await press['belay.rejectFile'](argumentOf(reject));
    assert.equal(await readFile(kit.path('old.ts'), 'utf8'), ten);
  });

  it('stays quick with 300 changes in a file', async () => {
    const lines = Array.from({ length: 900 }, (_, line) => `line ${line}`);
    const file = await kit.file('large.ts', lines.join('\n'));
    await kit.edit(file, lines.map((one, line) => (line % 3 === 1 ? `${one}!` : one)).join('\n'));
    const document = await kit.show(file);
    assert.equal(kit.reviews.totals.hunks, 300);
    const from = performance.now();
    assert.equal(controls.lenses.provideCodeLenses(document).length, 1200);
    await press['belay.previousChange']();
    console.log(`lenses and a step of 300 changes: ${Math.round(performance.now() - from)} ms`);
    assert.equal(at(), 'file large.ts:898');
  });

  it('offers to comment beside each change, and opens the box with the keyboard in it', async () => {
    const file = await changed('a.ts');
    const document = await kit.show(file);
    const ranges = controls.comments.provideCommentingRanges(document);
    assert.deepEqual(
      ranges.map(({ start, end }) => [start.line, end.line]),
      [
        [1, 1],
        [5, 5],
        [7, 8],
      ],
    );
    await goTo(file, 7);
    await press['belay.commentOnChange']();
    await eventually('what is typed goes into the box', async () => {
      const before = document.getText();
      await vscode.commands.executeCommand('type', { text: 'x' });
      if (document.getText() === before) return true;
      await vscode.commands.executeCommand('undo');
      return false;
    });
    assert.equal(kit.hunks(file).length, 3);
  });

  it('keeps a comment that could not be sent, with the reason, until it is sent or discarded', async () => {
    const file = await changed('a.ts');
    const document = await kit.show(file);
    const { comments } = controls;
    const range = new vscode.Range(7, 0, 8, 0);
    const controller = vscode.comments.createCommentController('belay-test-box', 'Test');
    try {
      const thread = controller.createCommentThread(document.uri, range, []);
      refusal = 'The database is locked.';
      await assert.rejects(comments.submit({ thread, text: 'Too **much**.' }), {
        code: 'store',
        message: /not sent: The database is locked\. .*kept/u,
      });
      const [unsent] = comments.unsent;
      assert.equal(unsent?.body, 'Too **much**.');
      assert.equal(unsent?.mode, vscode.CommentMode.Editing);
      assert.match(thread.label ?? '', /The database is locked/u);
      refusal = undefined;
      assert.ok(unsent);
      unsent.body = 'Too much, I think.';
      await press['belay.resendChangeComment'](unsent);
      assert.deepEqual(comments.unsent, []);
      assert.deepEqual(
        thread.comments.map(({ body, label }) => [body, label]),
        [['Too much, I think.', 'sent to “add tests”']],
      );
      const [message] = sent;
      assert.equal(message?.sessionId, 's');
      const read = readChangeComment(message?.text ?? '');
      assert.deepEqual([read?.from, read?.to, read?.comment], [8, 9, 'Too much, I think.']);
      assert.match(read?.path ?? '', /a\.ts$/u);
      assert.equal(read?.diff, '@@ -9,1 +8,2 @@\n-line 8\n+LINE 8\n+more');

      // A change above moves the thread; another decision leaves it open; its own resolves it.
      const [first, , last] = hunksOf(kit.reviews.find('written', file) ?? assert.fail());
      assert.ok(first && last);
      await typeAt(document, 0, 0, 'above\n');
      await eventually('it moved', () => thread.range?.start.line === 8);
      await kit.reviews.accept({ kind: 'written', path: file, choice: [first.id] });
      await eventually('two are left', () => kit.hunks(file).length === 2);
      assert.notEqual(thread.state, vscode.CommentThreadState.Resolved);
      await kit.reviews.accept({ kind: 'written', path: file, choice: [last.id] });
      await eventually('it is resolved', () => thread.state === vscode.CommentThreadState.Resolved);

      refusal = 'No.';
      await assert.rejects(comments.submit({ thread, text: 'later' }), { code: 'store' });
      const [left] = comments.unsent;
      assert.ok(left);
      await press['belay.discardChangeComment'](left);
      assert.deepEqual(comments.unsent, []);
      assert.equal(thread.comments.length, 1);
    } finally {
      controller.dispose();
    }
  });

  it('a comment goes on with what the agent makes of the change in the same place', async () => {
    const file = await changed('a.ts');
    const document = await kit.show(file);
    const controller = vscode.comments.createCommentController('belay-test-box', 'Test');
    try {
      const thread = controller.createCommentThread(document.uri, new vscode.Range(1, 0, 1, 0), []);
      await controls.comments.submit({ thread, text: 'Shorter.' });
      await kit.edit(file, document.getText().replace('LINE 1', 'L1'));
      await eventually('the change is another', () => kit.hunks(file)[0] === '-line 1+L1');
      await new Promise((done) => setTimeout(done, 100));
      assert.notEqual(thread.state, vscode.CommentThreadState.Resolved);
      await goTo(file, 1);
      await press['belay.acceptChange']();
      await eventually('it is resolved', () => thread.state === vscode.CommentThreadState.Resolved);
    } finally {
      controller.dispose();
    }
  });

  it('what was pending in a file that is gone is offered after a restart, and can be read', async () => {
    const file = await changed('a.ts');
    await kit.reviews.flush();
    controls.dispose();
    await kit.stop();
    await rm(file);
    await kit.start();
    begin();
    assert.equal(controls.leftOver.count, 1);
    const [offer] = controls.leftOver.files;
    assert.ok(offer);
    await controls.leftOver.show(offer);
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const before = await vscode.workspace.openTextDocument(input.original);
    const after = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(before.getText(), ten);
    assert.match(after.getText(), /LINE 8\nmore/u);
    assert.equal(controls.leftOver.count, 1);
  });
});
