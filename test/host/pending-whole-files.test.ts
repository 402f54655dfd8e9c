import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { NodeFileOperations } from '../../src/hosts/node/files/file-operations.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { WrittenChanges } from '../../src/core/review/files/written-changes.ts';
import { ReviewedOperations } from '../../src/core/review/files/reviewed-operations.ts';
import { eventually } from './eventually.ts';
import { PendingKit } from './pending-kit.ts';

const tab = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';

describe('pending changes of whole files', () => {
  let kit: PendingKit;
  let operations: ReviewedOperations;

  beforeEach(async () => {
    kit = await PendingKit.open();
    operations = new ReviewedOperations({
      files: kit.disk,
      operations: new NodeFileOperations(kit.path('removed')),
      changes: new WrittenChanges(kit.reviews, new SystemClock()),
    });
  });

  afterEach(() => kit.close());

  const tooltips = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      kit.window.sourceControl.groups
        .flatMap(({ resourceStates }) => resourceStates)
        .map(({ resourceUri, decorations }) => [
          path.basename(resourceUri.fsPath),
          decorations?.tooltip ?? '',
        ]),
    );

  it('say in words what happened, are shown, and come back when they are undone', async function () {
    this.timeout(60_000);
    const moved = await kit.file('src/old.ts', 'one\n');
    const gone = await kit.file('gone.ts', 'two\n');
    const picture = await kit.file('a.png', '\u0089\u0000x');
    const to = kit.path('src/new.ts');
    const copy = kit.path('b.png');
    const made = () => ({ origin: kit.origin('write') });
    await operations.rename(moved, to, made());
    await operations.remove(gone, made());
    await operations.copy(picture, copy, new AbortController().signal, made());
    await eventually('they are listed', () => Object.keys(tooltips()).length === 3);
    const listed = tooltips();
    assert.match(listed['new.ts'] ?? '', /^renamed from .*old\.ts · \+0 −0$/u);
    assert.match(listed['gone.ts'] ?? '', /^deleted · 1 change/u);
    assert.match(listed['b.png'] ?? '', /^created \(binary, 4 B\) · 1 change/u);

    await kit.window.diffs.open(to);
    await eventually('the new name', () => tab().includes('old.ts → new.ts (Belay: Pending'));
    assert.match(tab(), /only the name changes/u);
    await kit.window.diffs.open(gone);
    await eventually('the deletion', () => tab().includes('gone.ts (Belay: Pending Changes, del'));

    const { failed } = await kit.reviews.decisions.decide(
      'undo',
      [to, gone, copy].map((file) => ({ path: file })),
    );
    assert.deepEqual(failed, []);
    assert.equal(await readFile(moved, 'utf8'), 'one\n');
    assert.equal(await readFile(gone, 'utf8'), 'two\n');
    assert.deepEqual([existsSync(to), existsSync(copy)], [false, false]);
  });
});
