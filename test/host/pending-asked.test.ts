import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/core/ports/person/approval.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { FinishedEdits } from '../../src/hosts/vscode/panel/finished-edits.ts';
import type { Disposable } from '../../src/domain/lifetime/disposable.ts';
import { ApprovalQueue } from '../../src/window/approvals/approval-queue.ts';
import { openAskedReviews } from '../../src/window/approvals/asked-reviews.ts';
import { ControlsKit } from './controls-kit.ts';
import { eventually } from './eventually.ts';

const BEFORE = 'const a = 1;\nconst b = 2;\n';

describe('an edit that is asked about, in the real editor', () => {
  let kit: ControlsKit;
  let file: string;
  let desk: ApprovalQueue;
  let asked: Disposable;

  const begin = (): void => {
    const { reviews, log, window } = kit.pending;
    desk = new ApprovalQueue();
    asked = openAskedReviews({
      desk,
      reviews,
      log,
      clock: new SystemClock(),
      onAsked: (path) => window.diffs.open({ kind: 'asked', path }, { preserveFocus: true }),
    });
  };

  beforeEach(async () => {
    kit = await ControlsKit.open();
    file = await kit.pending.file('greeting.ts', BEFORE);
    begin();
  });

  afterEach(async () => {
    for (const question of desk.approvals()) decide(question, false);
    try {
      await eventually('all is closed', () => diffTabs().length === 0);
    } finally {
      asked.dispose();
      await kit.close();
    }
  });

  const diffTabs = (): vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff &&
        input.modified.scheme === kit.pending.uris.proposalScheme
          ? input
          : [],
      );

  let count = 0;
  const propose = (
    after: string,
    more: { readonly path?: string; readonly before?: string; readonly creates?: boolean } = {},
    signal = new AbortController().signal,
  ): { readonly question: ApprovalQuestion; readonly answer: Promise<ApprovalAnswer> } => {
    count += 1;
    const question: ApprovalQuestion = {
      id: `question_${count}`,
      sessionId: 's1',
      runId: 'r1',
      callId: `call_${count}`,
      tool: 'edit_file',
      title: 'Edit greeting.ts',
      detail: '',
      hash: `hash of ${after}`,
      edit: { path: file, before: BEFORE, after, creates: false, ...more },
    };
    return { question, answer: desk.approve(question, signal) };
  };

  const shown = async (path = file): Promise<vscode.TextDocument> => {
    const uri = await eventually('the diff is open', () => {
      const now = kit.pending.uris.documentOf({ kind: 'asked', path }).toString();
      return diffTabs().some(({ modified }) => modified.toString() === now) && now;
    });
    return eventually('its right side is loaded', () =>
      vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri),
    );
  };

  const decide = (question: ApprovalQuestion, allowed: boolean): void => {
    desk.answerApproval({ questionId: question.id, hash: question.hash, allowed });
  };

  const type = async (document: vscode.TextDocument, text: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.equal(await vscode.workspace.applyEdit(edit), true);
  };

  const leftText = async (): Promise<string> => {
    const original = diffTabs()[0]?.original ?? assert.fail('No diff is open.');
    return (await vscode.workspace.openTextDocument(original)).getText();
  };

  it('opens as a diff of the file, touches nothing on disk, and closes when allowed on the card', async () => {
    const { question, answer } = propose('const a = 1;\nconst b = 3;\n');
    const document = await shown();
    assert.equal(document.getText(), 'const a = 1;\nconst b = 3;\n');
    assert.equal(document.languageId, 'typescript');
    assert.equal(diffTabs()[0]?.original.fsPath, file);
    assert.equal(await leftText(), BEFORE);
    decide(question, true);
    assert.equal('editedAfter' in (await answer), false);
    await eventually('the diff is closed', () => diffTabs().length === 0);
    assert.equal(await readFile(file, 'utf8'), BEFORE);
  });

  it('takes over what the person types into the right side, saved or not', async () => {
    const unsaved = propose('const b = 3;\n');
    await type(await shown(), '// mine\n');
    decide(unsaved.question, true);
    assert.equal((await unsaved.answer).editedAfter, '// mine\nconst b = 3;\n');
    await eventually('the dirty diff is closed without a question', () => diffTabs().length === 0);

    const saved = propose('const b = 4;\n');
    const document = await shown();
    await type(document, '// saved\n');
    assert.equal(await document.save(), true);
    decide(saved.question, true);
    assert.equal((await saved.answer).editedAfter, '// saved\nconst b = 4;\n');
    assert.equal(await readFile(file, 'utf8'), BEFORE);
  });

  it('keeps line ends and byte order mark of the proposal, and calls neither an edit', async () => {
    const after = '\uFEFFconst a = 1;\r\nconst b = 3;\r\n';
    const first = propose(after);
    await shown();
    decide(first.question, true);
    assert.equal('editedAfter' in (await first.answer), false);
    await eventually('it is closed', () => diffTabs().length === 0);
    const second = propose(after);
    await type(await shown(), '// mine\n');
    decide(second.question, true);
    assert.equal(
      (await second.answer).editedAfter,
      '\uFEFF// mine\r\nconst a = 1;\r\nconst b = 3;\r\n',
    );
  });

  it('shows several, of one file one after the other, and decides each alone', async () => {
    const other = await kit.pending.file('other.ts', BEFORE);
    const first = propose('first\n');
    const second = propose('second\n');
    const third = propose('third\n', { path: other });
    await shown();
    await shown(other);
    assert.equal(diffTabs().length, 2);
    decide(first.question, false);
    assert.equal((await first.answer).allowed, false);
    await eventually('the second is shown', async () => (await shown()).getText() === 'second\n');
    decide(second.question, true);
    decide(third.question, false);
    assert.equal((await second.answer).allowed, true);
    assert.equal((await third.answer).allowed, false);
  });

  it('is decided change by change with the keys of all pending changes; the last one answers', async () => {
    const text = 'one\ntwo\nthree\nfour\nfive\n';
    const path = await kit.pending.file('lines.txt', text);
    const after = text.replace('one', 'ONE').replace('five', 'FIVE');
    const { answer } = propose(after, { path, before: text });
    await shown(path);
    await kit.controls.diffs.open({ kind: 'asked', path });
    await eventually('the diff is active', () =>
      vscode.window.activeTextEditor?.document.uri.query.startsWith('asked'),
    );
    await kit.press['belay.keepChange'](undefined);
    await eventually(
      'its left side has what was kept',
      async () => (await leftText()) === text.replace('one', 'ONE'),
    );
    assert.equal(desk.approvals().length, 1);
    await kit.press['belay.undoChange'](undefined);
    assert.equal((await answer).editedAfter, text.replace('one', 'ONE'));
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it('is in its file too: buttons and keys there, and in the source control view', async () => {
    const { answer } = propose('const a = 1;\nconst b = 3;\n');
    await shown();
    const editor = await kit.goTo(file, 1);
    await eventually('the file is active', () => vscode.window.activeTextEditor === editor);
    const lenses = kit.controls.lenses.provideCodeLenses(editor.document);
    assert.ok(lenses.some(({ command }) => command?.command === 'belay.keepChange'));
    const [group] = await eventually('it is listed', () => {
      const groups = kit.pending.window.sourceControl.groups;
      return groups[0]?.resourceStates.length === 1 ? groups : undefined;
    });
    assert.equal(group?.id, 'asked');
    assert.equal(kit.controls.counts.totals.hunks, 0);
    assert.deepEqual(kit.controls.counts.paths, [file]);
    await kit.press['belay.undoChange'](undefined);
    assert.equal((await answer).allowed, false);
    await eventually(
      'nothing is listed',
      () => kit.pending.window.sourceControl.groups.length === 0,
    );
  });

  it('shows a new file against nothing, and a deleted one against what it was', async () => {
    const path = kit.pending.path('new.md');
    const created = propose('new\n', { path, before: '', creates: true });
    await shown(path);
    assert.equal(await leftText(), '');
    decide(created.question, false);
    await eventually('it is closed', () => diffTabs().length === 0);

    await rm(file);
    const deleted = propose('const b = 3;\n');
    await shown();
    assert.equal(await leftText(), BEFORE);
    decide(deleted.question, true);
    assert.equal((await deleted.answer).allowed, true);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('closes when the run is stopped, and has the typed text back when it is asked again after a reload', async () => {
    const stop = new AbortController();
    const first = propose('const b = 5;\n', {}, stop.signal);
    await type(await shown(), '// typed before the reload\n');
    stop.abort();
    await assert.rejects(first.answer, { name: 'AbortError' });
    await eventually('it is closed', () => diffTabs().length === 0);

    asked.dispose();
    begin();
    const again = propose('const b = 5;\n');
    const document = await shown();
    assert.equal(document.getText(), '// typed before the reload\nconst b = 5;\n');
    decide(again.question, true);
    assert.equal((await again.answer).editedAfter, '// typed before the reload\nconst b = 5;\n');
    await eventually('it is closed', () => diffTabs().length === 0);

    const third = propose('const b = 5;\n');
    assert.equal((await shown()).getText(), 'const b = 5;\n');
    decide(third.question, false);
    await third.answer;
  });

  it('shows what a decided edit did, read-only', async () => {
    const finished = new FinishedEdits();
    const edit = { path: 'src/greeting.ts', before: 'const b = 5;\n', after: 'const b = 6;\n' };
    await finished.show('call', [edit]);
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const after = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(after.getText(), 'const b = 6;\n');
    finished.dispose();
  });
});
