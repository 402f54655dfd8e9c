import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { readChangeComment } from '../../src/domain/review/change-comment.ts';
import { ControlsKit, TEN_LINES } from './controls-kit.ts';
import { eventually } from './eventually.ts';
import { typeAt } from './pending-kit.ts';
import type { PendingKit } from './pending-kit.ts';

describe('comments on pending changes', () => {
  let kit: ControlsKit;
  let pending: PendingKit;

  beforeEach(async () => {
    kit = await ControlsKit.open();
    pending = kit.pending;
  });
  afterEach(() => kit.close());

  it('offers to comment beside each change, and opens the box with the keyboard in it', async () => {
    const file = await kit.changed('a.ts');
    const document = await pending.show(file);
    const ranges = kit.controls.comments.provideCommentingRanges(document);
    assert.deepEqual(
      ranges.map(({ start, end }) => [start.line, end.line]),
      [
        [1, 1],
        [5, 5],
        [7, 8],
      ],
    );
    await kit.goTo(file, 7);
    await kit.press['belay.commentOnChange']();
    await eventually('what is typed goes into the box', async () => {
      const before = document.getText();
      await vscode.commands.executeCommand('type', { text: 'x' });
      if (document.getText() === before) return true;
      await vscode.commands.executeCommand('undo');
      return false;
    });
    assert.equal(pending.hunks(file).length, 3);
  });

  it('a key pressed in the box decides the change that the comment is beside, never the first line', async () => {
    const file = await pending.file('a.ts', TEN_LINES);
    await pending.edit(file, TEN_LINES.replace('line 0', 'LINE 0').replace('line 7', 'LINE 7'));
    await kit.goTo(file, 7);
    await kit.press['belay.commentOnChange']();
    await eventually(
      'the box has the keyboard',
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'comment',
    );
    await kit.press['belay.keepChange']();
    assert.deepEqual(pending.hunks(file), ['-line 0+LINE 0']);
    assert.equal(kit.controls.announcer.last, 'Kept. 1 change left in 1 file.');
    await kit.press['belay.undoChange']();
    assert.deepEqual(pending.hunks(file), ['-line 0+LINE 0']);
  });

  it('keeps a comment that could not be sent, with the reason, until it is sent or discarded', async () => {
    const file = await kit.changed('a.ts');
    const document = await pending.show(file);
    const { comments } = kit.controls;
    const range = new vscode.Range(7, 0, 8, 0);
    const controller = vscode.comments.createCommentController('belay-test-box', 'Test');
    try {
      const thread = controller.createCommentThread(document.uri, range, []);
      kit.refusal = 'The database is locked.';
      await assert.rejects(comments.submit({ thread, text: 'Too **much**.' }), {
        code: 'store',
        message: /not sent: The database is locked\. .*kept/u,
      });
      const [unsent] = comments.unsent;
      assert.equal(unsent?.body, 'Too **much**.');
      assert.equal(unsent?.mode, vscode.CommentMode.Editing);
      assert.match(thread.label ?? '', /The database is locked/u);
      kit.refusal = undefined;
      assert.ok(unsent);
      unsent.body = 'Too much, I think.';
      await kit.press['belay.sendChangeComment'](unsent);
      assert.deepEqual(comments.unsent, []);
      assert.deepEqual(
        thread.comments.map(({ body, label }) => [body, label]),
        [['Too much, I think.', 'sent to “a title”']],
      );
      const [message] = kit.sent;
      assert.equal(message?.sessionId, 's');
      const read = readChangeComment(message?.text ?? '');
      assert.deepEqual([read?.from, read?.to, read?.comment], [8, 9, 'Too much, I think.']);
      assert.match(read?.path ?? '', /a\.ts$/u);
      assert.equal(read?.diff, '@@ -9,1 +8,2 @@\n-line 8\n+LINE 8\n+more');

      // A change above moves the thread; another decision leaves it open; its own resolves it.
      const [first, , last] = hunksOf(pending.reviews.find(file) ?? assert.fail());
      assert.ok(first && last);
      await typeAt(document, 0, 0, 'above\n');
      await eventually('it moved', () => thread.range?.start.line === 8);
      await pending.reviews.decisions.keep({ path: file, choice: [first.id] });
      await eventually('two are left', () => pending.hunks(file).length === 2);
      assert.notEqual(thread.state, vscode.CommentThreadState.Resolved);
      await pending.reviews.decisions.keep({ path: file, choice: [last.id] });
      await eventually('it is resolved', () => thread.state === vscode.CommentThreadState.Resolved);

      kit.refusal = 'No.';
      await assert.rejects(comments.submit({ thread, text: 'later' }), { code: 'store' });
      const [left] = comments.unsent;
      assert.ok(left);
      await kit.press['belay.discardChangeComment'](left);
      assert.deepEqual(comments.unsent, []);
      assert.equal(thread.comments.length, 1);
    } finally {
      controller.dispose();
    }
  });

  it('a comment goes on with what the agent makes of the change in the same place', async () => {
    const file = await kit.changed('a.ts');
    const document = await pending.show(file);
    const controller = vscode.comments.createCommentController('belay-test-box', 'Test');
    try {
      const thread = controller.createCommentThread(document.uri, new vscode.Range(1, 0, 1, 0), []);
      await kit.controls.comments.submit({ thread, text: 'Shorter.' });
      await pending.edit(file, document.getText().replace('LINE 1', 'L1'));
      await eventually('the change is another', () => pending.hunks(file)[0] === '-line 1+L1');
      await new Promise((done) => setTimeout(done, 100));
      assert.notEqual(thread.state, vscode.CommentThreadState.Resolved);
      await kit.goTo(file, 1);
      await kit.press['belay.keepChange']();
      await eventually('it is resolved', () => thread.state === vscode.CommentThreadState.Resolved);
    } finally {
      controller.dispose();
    }
  });
});
