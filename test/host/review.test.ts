import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/core/ports/person/approval.ts';
import type { Log } from '../../src/core/ports/log.ts';
import { ApprovalQueue } from '../../src/window/approvals/approval-queue.ts';
import { Review } from '../../src/hosts/vscode/review/review.ts';
import { MapMemento } from '../support/memento.ts';
import { eventually } from './eventually.ts';

/** Not the product's: that one may be active in the same window. */
const SCHEME = 'belay-test-proposed';

const problems: string[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (message, thrown) => void problems.push(`${message} ${String(thrown)}`),
};

const diffTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      (tab) => tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === SCHEME,
    );

const diffInput = (tab: vscode.Tab | undefined): vscode.TabInputTextDiff => {
  assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
  return tab.input;
};

describe('review of a proposed edit, in the real editor', () => {
  let folder: string;
  let file: string;
  let state: MapMemento;
  let desk: ApprovalQueue;
  let review: Review;
  let opensAlone = true;

  const begin = (): void => {
    desk = new ApprovalQueue();
    review = new Review({ scheme: SCHEME, desk, state, log, opensAlone: () => opensAlone });
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-review-'));
    file = path.join(folder, 'greeting.ts');
    await writeFile(file, 'const a = 1;\nconst b = 2;\n');
    state = new MapMemento();
    opensAlone = true;
    problems.length = 0;
    begin();
  });

  afterEach(async () => {
    for (const question of desk.approvals()) decide(question, false);
    await eventually('all is closed', () => diffTabs().length === 0);
    review.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
    assert.deepEqual(problems, []);
  });

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
      edit: {
        path: more.path ?? file,
        before: more.before ?? 'const a = 1;\nconst b = 2;\n',
        after,
        creates: more.creates ?? false,
      },
    };
    return { question, answer: desk.approve(question, signal) };
  };

  const shown = async (question: ApprovalQuestion): Promise<vscode.TextDocument> => {
    const uri = await eventually(
      'the proposal is known',
      () => review.proposals.find((one) => one.question.id === question.id)?.proposed,
    );
    await eventually('the diff is open', () =>
      diffTabs().find((tab) => diffInput(tab).modified.toString() === uri.toString()),
    );
    return eventually('its right side is loaded', () =>
      vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
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

  it('opens as a diff of the file, touches nothing on disk, and closes when accepted', async () => {
    const { question, answer } = propose('const a = 1;\nconst b = 3;\n');
    const document = await shown(question);
    assert.equal(document.getText(), 'const a = 1;\nconst b = 3;\n');
    assert.equal(document.languageId, 'typescript');
    assert.equal(diffInput(diffTabs()[0]).original.fsPath, file);
    assert.equal(await readFile(file, 'utf8'), 'const a = 1;\nconst b = 2;\n');
    decide(question, true);
    assert.equal('editedAfter' in (await answer), false);
    await eventually('the diff is closed', () => diffTabs().length === 0);
    assert.equal(await readFile(file, 'utf8'), 'const a = 1;\nconst b = 2;\n');
  });

  it('takes over what the person types into the right side, saved or not', async () => {
    const unsaved = propose('const b = 3;\n');
    await type(await shown(unsaved.question), '// mine\n');
    decide(unsaved.question, true);
    assert.equal((await unsaved.answer).editedAfter, '// mine\nconst b = 3;\n');
    await eventually('the dirty diff is closed without a question', () => diffTabs().length === 0);

    const saved = propose('const b = 4;\n');
    const document = await shown(saved.question);
    await type(document, '// saved\n');
    assert.equal(await document.save(), true);
    decide(saved.question, true);
    assert.equal((await saved.answer).editedAfter, '// saved\nconst b = 4;\n');
    assert.equal(await readFile(file, 'utf8'), 'const a = 1;\nconst b = 2;\n');
  });

  it('does not call line ends and byte order marks an edit', async () => {
    const { question, answer } = propose('\uFEFFconst a = 1;\r\nconst b = 3;\nconst c = 4;\r\n');
    await shown(question);
    decide(question, true);
    assert.equal('editedAfter' in (await answer), false);
  });

  it('keeps the marks of the proposal in what the person made of it', async () => {
    const { question, answer } = propose('\uFEFFconst a = 1;\r\nconst b = 3;\r\n');
    await type(await shown(question), '// mine\n');
    decide(question, true);
    assert.equal((await answer).editedAfter, '\uFEFF// mine\r\nconst a = 1;\r\nconst b = 3;\r\n');
  });

  it('shows several proposals at once, for one file too, and decides each alone', async () => {
    const first = propose('first\n');
    const second = propose('second\n');
    await shown(first.question);
    await shown(second.question);
    assert.equal(diffTabs().length, 2);
    decide(first.question, false);
    assert.equal((await first.answer).allowed, false);
    await eventually('the first is closed', () => diffTabs().length === 1);
    assert.equal((await shown(second.question)).getText(), 'second\n');
    decide(second.question, true);
    await second.answer;
  });

  it('finds the proposal of the active editor, for keys and the palette', async () => {
    const first = propose('first\n');
    const second = propose('second\n');
    await shown(first.question);
    await shown(second.question);
    await review.open(first.question.id, { preserveFocus: false });
    await eventually(
      'the first is active',
      () => review.active()?.question.id === first.question.id,
    );
    decide(first.question, false);
    decide(second.question, false);
    await eventually('all are closed', () => diffTabs().length === 0);
    assert.equal(review.active(), undefined);
  });

  it('does not open by itself when the person looks at something else; it opens when asked', async () => {
    opensAlone = false;
    const { question } = propose('quiet\n');
    await eventually('it is known', () => review.proposals.length === 1);
    assert.equal(diffTabs().length, 0);
    await review.openCall(question.callId);
    await shown(question);
    decide(question, false);
  });

  it('shows a new file against nothing, and a deleted one against what it was', async () => {
    const created = propose('new\n', {
      path: path.join(folder, 'new.md'),
      before: '',
      creates: true,
    });
    await shown(created.question);
    const empty = await vscode.workspace.openTextDocument(diffInput(diffTabs()[0]).original);
    assert.equal(empty.getText(), '');
    decide(created.question, false);
    await eventually('it is closed', () => diffTabs().length === 0);

    await rm(file);
    const deleted = propose('const b = 3;\n');
    await shown(deleted.question);
    const was = await vscode.workspace.openTextDocument(diffInput(diffTabs()[0]).original);
    assert.equal(was.getText(), 'const a = 1;\nconst b = 2;\n');
    decide(deleted.question, true);
    assert.equal((await deleted.answer).allowed, true);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('closes when the run is stopped, and has the typed text back when it is asked again after a reload', async () => {
    const stop = new AbortController();
    const first = propose('const b = 5;\n', {}, stop.signal);
    await type(await shown(first.question), '// typed before the reload\n');
    stop.abort();
    await assert.rejects(first.answer, { name: 'AbortError' });
    await eventually('it is closed', () => diffTabs().length === 0);

    review.dispose();
    begin();
    const again = propose('const b = 5;\n');
    const document = await shown(again.question);
    assert.equal(document.getText(), '// typed before the reload\nconst b = 5;\n');
    decide(again.question, true);
    assert.equal((await again.answer).editedAfter, '// typed before the reload\nconst b = 5;\n');

    await eventually('it is closed', () => diffTabs().length === 0);
    const third = propose('const b = 5;\n');
    assert.equal((await shown(third.question)).getText(), 'const b = 5;\n');
    decide(third.question, false);
    await third.answer;
  });

  it('shows the diff of a decided edit again, read-only', async () => {
    const { question, answer } = propose('const b = 6;\n');
    await shown(question);
    decide(question, true);
    await answer;
    await eventually('it is closed', () => diffTabs().length === 0);
    assert.equal(await review.openCall(question.callId), false);
    const edit = { path: 'src/greeting.ts', before: 'const b = 5;\n', after: 'const b = 6;\n' };
    await review.showEdits(question.callId, [edit]);
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const after = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(after.getText(), 'const b = 6;\n');
  });
});
