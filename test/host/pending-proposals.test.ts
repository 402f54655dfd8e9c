import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { eventually } from './eventually.ts';
import { PendingKit, replaceIn, typeAt } from './pending-kit.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\n2\nthree\nfour\n5\nsix\n';

const tabs = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs);

describe('proposals in the editor', () => {
  let kit: PendingKit;
  let file: string;

  beforeEach(async () => {
    kit = await PendingKit.open();
    file = await kit.file('a.ts', BEFORE);
    await kit.edit(file, AFTER, 'propose');
  });

  afterEach(() => kit.close());

  const proposal = async (path = file): Promise<vscode.TextDocument> => {
    const uri = kit.uris.documentOf({ kind: 'proposed', path });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };

  it('what the person makes of a proposal counts at once, and is what is kept', async () => {
    const document = await proposal();
    assert.equal(document.getText(), AFTER);
    await typeAt(document, 1, 1, '2');
    await eventually('it counts', () => kit.document(file, 'proposed') === document.getText());
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(file, 'utf8'), BEFORE);
    await kit.reviews.decisions.accept({ kind: 'proposed', path: file });
    assert.equal(await readFile(file, 'utf8'), AFTER.replace('2', '22'));
    await eventually('its tab is closed', () => tabs().length === 0);
  });

  it('is saved like any file, and reverting it takes back what was typed', async () => {
    const document = await proposal();
    await typeAt(document, 0, 0, 'saved ');
    assert.equal(await document.save(), true);
    await typeAt(document, 0, 0, 'not ');
    await eventually('it counts', () => kit.document(file, 'proposed')?.startsWith('not saved '));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await eventually('it is reverted', () => kit.document(file, 'proposed')?.startsWith('saved '));
    assert.equal(document.getText(), `saved ${AFTER}`);
  });

  it('shows what the agent does next, clean and with unsaved text', async () => {
    const document = await proposal();
    await kit.edit(file, AFTER.replace('four', '4'), 'propose');
    await eventually('it is shown', () => document.getText().includes('4'));
    assert.equal(document.isDirty, false);
    await typeAt(document, 0, 0, 'typed ');
    await eventually('it counts', () => kit.document(file, 'proposed')?.startsWith('typed '));
    await kit.edit(file, `typed ${AFTER.replace('four', '4').replace('six', '6')}`, 'propose');
    await eventually('it is shown', () => document.getText().includes('6'));
    assert.equal(document.getText(), `typed ${AFTER.replace('four', '4').replace('six', '6')}`);
    assert.equal(await document.save(), true);
    assert.equal(kit.document(file, 'proposed'), document.getText());
  });

  it('loses no stroke and no edit while the agent proposes and the person types', async function () {
    this.timeout(60_000);
    const document = await proposal();
    const race = { over: false };
    let strokes = 0;
    const isEnough = (): boolean => value >= 10 && strokes >= 30;
    let value = 0;
    const person = async (): Promise<void> => {
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      for (; !race.over && strokes < 1000; strokes += 1)
        await vscode.commands.executeCommand('type', { text: 'x' });
    };
    const typing = person();
    for (let round = 1; round <= 200 && !isEnough(); round += 1) {
      const read = await kit.agent.read(file);
      const next = Buffer.from(read).toString('utf8').replace(/six.*/u, `six ${round}`);
      const options = { replaces: read, origin: kit.origin('propose') };
      await kit.agent.write(file, Buffer.from(next), options).then(
        () => (value = round),
        () => undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 40));
    }
    race.over = true;
    await typing;
    const expected = `${'x'.repeat(strokes)}${AFTER.replace('six', `six ${value}`)}`;
    await eventually('both are there', () => document.getText() === expected);
    await eventually('both count', () => kit.document(file, 'proposed') === expected);
    assert.ok(value > 0 && strokes > 0, `${value} edits, ${strokes} strokes`);
  });

  it('survives the end of its window with what was typed', async () => {
    const document = await proposal();
    await typeAt(document, 1, 1, '!');
    await eventually('it counts', () => kit.hunks(file, 'proposed')[0] === '-two+2!');
    await kit.stop();
    await kit.start();
    assert.deepEqual(kit.hunks(file, 'proposed'), ['-two+2!', '-five+5']);
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    assert.equal(Buffer.from(bytes).toString('utf8'), AFTER.replace('2', '2!'));
  });

  it('follows the file: what is typed and written there goes into it', async () => {
    const document = await proposal();
    const shown = await kit.show(file);
    await typeAt(shown, 2, 0, 'the ');
    await eventually('it follows', () => document.getText().includes('the three'));
    await eventually('the review follows, too', () =>
      isDeepStrictEqual(kit.hunks(file, 'proposed'), ['-two+2', '-five+5']),
    );
    await kit.reviews.decisions.accept({ kind: 'proposed', path: file });
    assert.equal(shown.getText(), AFTER.replace('three', 'the three'));
    assert.equal(shown.isDirty, true);
    assert.equal(await readFile(file, 'utf8'), BEFORE);
  });

  it('opens diffs of all that can be proposed, which close when it is decided', async () => {
    const created = kit.path('new.ts');
    await kit.edit(created, 'new\n', 'propose');
    const deleted = await kit.file('old.ts', 'old\n');
    await kit.agent.delete(deleted, { origin: kit.origin('propose') });
    for (const path of [file, created, deleted]) {
      await kit.window.diffs.open({ kind: 'proposed', path });
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff, path);
    }
    await kit.window.diffs.openAll();
    const all = kit.reviews.pending.map(({ kind, review }) => ({ kind, path: review.path }));
    assert.equal(all.length, 3);
    assert.deepEqual(await kit.reviews.decisions.decide('accept', all), {
      done: 3,
      left: 0,
      elsewhere: 0,
      failed: [],
    });
    await eventually('they are closed', () =>
      tabs().every(({ input }) => !(input instanceof vscode.TabInputTextDiff)),
    );
    assert.equal(await readFile(created, 'utf8'), 'new\n');
    await assert.rejects(readFile(deleted), { code: 'ENOENT' });
  });

  it('a diff of written changes follows the decisions, and stays while text in it is unsaved', async () => {
    await kit.reviews.decisions.reject({ kind: 'proposed', path: file });
    await kit.edit(file, AFTER);
    await kit.window.diffs.open({ kind: 'written', path: file }, { line: 1 });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
    const left = await vscode.workspace.openTextDocument(activeTab.input.original);
    assert.equal(left.getText(), BEFORE);
    const review = kit.reviews.find('written', file);
    const [first] = review === undefined ? [] : hunksOf(review);
    assert.ok(first);
    await kit.reviews.decisions.accept({ kind: 'written', path: file, choice: [first.id] });
    await eventually('the left side follows', () => left.getText() === BEFORE.replace('two', '2'));
    const document = await vscode.workspace.openTextDocument(file);
    await replaceIn(document, [0, 0, 0, 0], 'typed ');
    await eventually('it is dirty', () => document.isDirty);
    await kit.reviews.decisions.accept({ kind: 'written', path: file });
    await kit.settled();
    assert.equal(document.getText(), `typed ${AFTER}`);
    assert.ok(tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff));
    await document.save();
    await writeFile(file, BEFORE);
  });
});
