import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { NodeFileOperations } from '../../src/hosts/node/files/file-operations.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { agentChanges } from '../../src/core/review/files/agent-changes.ts';
import { ReviewedOperations } from '../../src/core/review/files/reviewed-operations.ts';
import { ChangeLenses } from '../../src/hosts/vscode/pending/editors/change-lenses.ts';
import { eventually } from './eventually.ts';
import { PendingKit } from './pending-kit.ts';

/** Disposed at the end of its block. */
function disposable<Value extends { dispose(): void }>(value: Value) {
  return { value, [Symbol.dispose]: () => value.dispose() };
}

const tab = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';

describe('proposals about whole files', () => {
  let kit: PendingKit;
  let operations: ReviewedOperations;

  beforeEach(async () => {
    kit = await PendingKit.open();
    operations = new ReviewedOperations({
      files: kit.disk,
      operations: new NodeFileOperations(kit.path('removed')),
      changes: agentChanges(kit.disk, kit.reviews, new SystemClock()),
    });
  });

  afterEach(() => kit.close());

  const propose = () => ({ origin: kit.origin('propose') });
  const open = (file: string): Promise<void> =>
    kit.window.diffs.open({ kind: 'proposed', path: file });
  const tooltips = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      (
        kit.window.sourceControl.groups.find(({ id }) => id === 'proposed')?.resourceStates ?? []
      ).map(({ resourceUri, decorations }) => [
        path.basename(resourceUri.fsPath),
        decorations?.tooltip ?? '',
      ]),
    );

  it('a new name, a deletion, other line ends and a picture say in words what they are, and are decided', async function () {
    this.timeout(60_000);
    const moved = await kit.file('src/old.ts', 'one\n');
    const gone = await kit.file('gone.ts', 'two\n');
    const ends = await kit.file('ends.txt', 'a\nb\n');
    const picture = await kit.file('a.png', '\u0089\u0000x');
    const to = kit.path('lib/new.ts');
    const copy = kit.path('b.png');
    await operations.rename(moved, to, propose());
    await operations.remove(gone, propose());
    await operations.copy(picture, copy, new AbortController().signal, propose());
    await kit.edit(ends, 'a\r\nb\r\n', 'propose');
    await eventually('they are listed', () => Object.keys(tooltips()).length === 4);
    const listed = tooltips();
    assert.match(listed['new.ts'] ?? '', /^renamed from .*old\.ts · \+0 −0$/u);
    assert.match(listed['gone.ts'] ?? '', /^deleted · 1 change/u);
    assert.match(listed['ends.txt'] ?? '', /^changed \(line ends: LF → CR LF\) · 1 change/u);
    assert.match(listed['b.png'] ?? '', /^created \(binary, 4 B\) · 1 change/u);

    await open(to);
    await eventually('the new name', () => tab().includes('old.ts → new.ts (Belay: Proposed'));
    assert.match(tab(), /only the name changes/u);
    await open(ends);
    await eventually('the line ends', () => tab().includes('line ends: LF → CR LF'));
    using lenses = disposable(
      new ChangeLenses({
        reviews: kit.reviews,
        uris: kit.uris,
        feed: kit.window.feed,
        titleOf: () => undefined,
        requestText: () => '',
        evidence: { known: () => undefined },
        isOn: () => true,
        onSettingChanged: () => ({ dispose: () => {} }),
      }),
    );
    const uri = kit.uris.documentOf({ kind: 'proposed', path: ends });
    const shownLenses = lenses.value.provideCodeLenses({ uri });
    const titles = shownLenses.flatMap(({ command }) => command?.title ?? []);
    assert.ok(
      titles.some((title) => title.includes('Line Ends and Encoding')),
      titles.join(),
    );
    await open(gone);
    await eventually('the deletion', () => tab().includes('gone.ts (Belay: Proposed Changes, del'));
    await open(copy);
    await eventually('the picture', () => tab().includes('b.png'));
    const shown = await vscode.workspace.fs.readFile(
      kit.uris.documentOf({ kind: 'proposed', path: copy }),
    );
    assert.equal(shown.length, 4);
    assert.equal(existsSync(copy), false);

    const { failed } = await kit.reviews.decisions.decide(
      'accept',
      [to, gone, ends, copy].map((file) => ({ kind: 'proposed', path: file })),
    );
    assert.deepEqual(failed, []);
    assert.equal(await readFile(to, 'utf8'), 'one\n');
    assert.deepEqual([existsSync(moved), existsSync(gone)], [false, false]);
    assert.equal(await readFile(ends, 'utf8'), 'a\r\nb\r\n');
    assert.equal((await readFile(copy)).length, 4);
  });

  it('line ends of a file that is open in an editor, and a new name with unsaved text', async () => {
    const ends = await kit.file('ends.txt', 'a\nb\n');
    const document = await kit.show(ends);
    await kit.edit(ends, 'a\r\nb\r\n', 'propose');
    await kit.reviews.decisions.accept({ kind: 'proposed', path: ends });
    assert.equal(await readFile(ends, 'utf8'), 'a\r\nb\r\n');
    await eventually('it is shown', () => document.eol === vscode.EndOfLine.CRLF);
    const to = kit.path('other.txt');
    await operations.rename(ends, to, propose());
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'typed ');
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await kit.reviews.decisions.accept({ kind: 'proposed', path: to });
    const open = await vscode.workspace.openTextDocument(to);
    assert.equal(open.getText(), 'typed a\r\nb\r\n');
  });
});
