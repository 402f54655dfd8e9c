import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { eventually } from './eventually.ts';
import { PendingKit, replaceIn, typeAt } from './pending-kit.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\n2\nthree\nfour\n5\nsix\n';
const BOTH = ['-two+2', '-five+5'];

describe('pending changes while people and programs work on the files', () => {
  let kit: PendingKit;
  let file: string;
  let document: vscode.TextDocument;

  beforeEach(async () => {
    kit = await PendingKit.open();
    file = await kit.file('a.txt', BEFORE);
    document = await kit.show(file);
    await kit.edit(file, AFTER);
    assert.deepEqual(kit.hunks(file), BOTH);
  });

  afterEach(() => kit.close());

  it('what is typed above, between and below hunks is not pending', async () => {
    await typeAt(document, 0, 0, 'x');
    await typeAt(document, 2, 5, ' y');
    await typeAt(document, 6, 0, 'end');
    assert.equal(document.getText(), 'xone\n2\nthree y\nfour\n5\nsix\nend');
    await eventually('it is known', () => kit.document(file) === document.getText());
    assert.deepEqual(kit.hunks(file), BOTH);
    assert.equal(kit.baseline(file), 'xone\ntwo\nthree y\nfour\nfive\nsix\nend');
    assert.equal(
      review().some((hunk) => hunk.editedByUser),
      false,
    );
  });

  it('typing in a hunk belongs to it, and the hunk says so', async () => {
    await typeAt(document, 1, 1, '22');
    await eventually('it is known', () => kit.hunks(file)[0] === '-two+222');
    assert.equal(review()[0]?.editedByUser, true);
  });

  it('undo of the agent’s edit takes the hunks away, redo brings them back', async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await eventually('nothing is pending', () => kit.hunks(file).length === 0);
    assert.equal(document.getText(), BEFORE);
    await vscode.commands.executeCommand('redo');
    await eventually('the hunks are back', () => kit.hunks(file).length === 2);
    assert.equal(document.getText(), AFTER);
  });

  it('the undo of the editor brings an undone hunk back as pending', async () => {
    await kit.reviews.decisions.undo({ path: file });
    assert.equal(document.getText(), BEFORE);
    assert.deepEqual(kit.hunks(file), []);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), AFTER);
    await eventually('the hunks are back', () => kit.hunks(file).length === 2);
  });

  it('the undo of the editor in the very moment of an undo brings the hunks back for good', async () => {
    for (const wait of [undefined, 0, 5, 20]) {
      const undone = Promise.withResolvers<void>();
      const undo = (): void => {
        listening.dispose();
        // At once, or somewhere in the middle of the saving.
        delay(wait ?? 0)
          .then(() => vscode.commands.executeCommand('undo'))
          .then(() => undone.resolve(), undone.reject);
      };
      const listening =
        wait === undefined
          ? vscode.workspace.onDidChangeTextDocument((event) => {
              if (event.document === document && document.getText() === BEFORE) undo();
            })
          : vscode.workspace.onWillSaveTextDocument((event) => {
              if (event.document === document) undo();
            });
      await Promise.all([kit.reviews.decisions.undo({ path: file }), undone.promise]);
      await eventually('it is undone', () => document.getText() === AFTER);
      await kit.settled();
      await kit.reviews.files.fileChanged(file);
      assert.deepEqual(kit.hunks(file), BOTH, `after ${wait} ms`);
      await document.save();
      assert.equal(await readFile(file, 'utf8'), AFTER, `after ${wait} ms`);
    }
  });

  it('a change on disk beside a hunk is not pending, and one in a hunk marks it', async () => {
    await writeFile(file, AFTER.replace('six', 'sechs').replace('2\n', '  2\n'));
    await eventually('it is known', () => kit.hunks(file)[0] === '-two+  2');
    assert.equal(kit.baseline(file), BEFORE.replace('six', 'sechs'));
    assert.equal(review()[0]?.editedByUser, true);
  });

  it('an undo leaves unsaved text unsaved', async () => {
    await replaceIn(document, [0, 0, 0, 0], 'typed ');
    await eventually('it is dirty', () => document.isDirty);
    await kit.reviews.decisions.undo({ path: file });
    assert.equal(document.getText(), `typed ${BEFORE}`);
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(file, 'utf8'), AFTER);
  });

  it('a formatter that runs on save edits a hunk, and takes none away', async () => {
    const formatter = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document !== document) return;
      const line = document.lineAt(1);
      event.waitUntil(Promise.resolve([vscode.TextEdit.replace(line.range, `${line.text};`)]));
    });
    try {
      await replaceIn(document, [5, 0, 5, 3], 'typed');
      assert.equal(await document.save(), true);
    } finally {
      formatter.dispose();
    }
    await eventually('it is known', () => kit.hunks(file)[0] === '-two+2;');
    assert.equal(review()[0]?.editedByUser, true);
    assert.equal(kit.hunks(file)[1], '-five+5');
    assert.equal(kit.baseline(file), BEFORE.replace('six', 'typed'));
  });

  it('unsaved text wins over a newer file on disk, and loses no hunk', async () => {
    await replaceIn(document, [0, 0, 0, 0], 'typed ');
    await eventually('it is dirty', () => document.isDirty);
    await writeFile(file, 'of another program\n');
    await kit.reviews.files.fileChanged(file);
    await kit.settled();
    assert.equal(document.getText(), `typed ${AFTER}`);
    assert.deepEqual(kit.hunks(file), BOTH);
  });

  it('a file that is renamed keeps its hunks and its unsaved text, also with its folder', async () => {
    await replaceIn(document, [0, 0, 0, 0], 'typed ');
    const moved = kit.path('moved.txt');
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(vscode.Uri.file(file), vscode.Uri.file(moved));
    assert.equal(await vscode.workspace.applyEdit(rename), true);
    await eventually('it is known', () => kit.hunks(moved).length === 2);
    assert.deepEqual(kit.hunks(file), []);
    const inside = await kit.file('folder/b.txt', BEFORE);
    await kit.edit(inside, AFTER);
    const folder = new vscode.WorkspaceEdit();
    folder.renameFile(vscode.Uri.file(kit.path('folder')), vscode.Uri.file(kit.path('other')));
    assert.equal(await vscode.workspace.applyEdit(folder), true);
    const there = kit.path('other/b.txt');
    await eventually('it is known', () => kit.hunks(there).length === 2);
    await kit.reviews.decisions.undo({ path: there });
    assert.equal(await readFile(there, 'utf8'), BEFORE);
    await kit.reviews.decisions.undo({ path: moved });
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === moved);
    assert.equal(open?.getText(), `typed ${BEFORE}`);
  });

  it('an open file that the agent renames keeps the hunks it had', async () => {
    const moved = kit.path('moved.txt');
    await kit.agent.rename(file, moved, { origin: kit.origin() });
    await kit.settled();
    assert.deepEqual(kit.hunks(moved), BOTH);
    assert.equal(kit.reviews.find(moved)?.renamedFrom, file);
    await kit.reviews.decisions.undo({ path: moved });
    assert.equal(await readFile(file, 'utf8'), BEFORE);
  });

  it('what was pending in a deleted file is back with the file', async () => {
    await vscode.workspace.fs.delete(vscode.Uri.file(file));
    await kit.reviews.files.fileChanged(file);
    assert.deepEqual(kit.hunks(file), []);
    await writeFile(file, AFTER);
    await kit.reviews.files.fileChanged(file);
    assert.deepEqual(kit.hunks(file), BOTH);
  });

  it('every editor of a file shows the same, and undoing a change is one step of undo', async () => {
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await kit.window.diffs.open(file);
    await typeAt(document, 0, 0, 'x');
    await eventually('it is known', () => kit.document(file) === document.getText());
    await kit.reviews.decisions.undo({ path: file });
    assert.equal(document.getText(), `x${BEFORE}`);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), `x${AFTER}`);
    await eventually('the hunks are back', () => kit.hunks(file).length === 2);
  });

  it('pending changes survive the end of their window', async () => {
    await typeAt(document, 3, 4, '!');
    await document.save();
    await kit.stop();
    await kit.start();
    assert.deepEqual(kit.hunks(file), BOTH);
    assert.equal(kit.baseline(file), BEFORE.replace('four', 'four!'));
    await typeAt(document, 1, 1, '2');
    await eventually('it goes on', () => kit.hunks(file)[0] === '-two+22');
  });

  it('loses no stroke and no hunk while the agent writes and the person types', async function () {
    this.timeout(90_000);
    const race = { over: false };
    let strokes = 0;
    let value = 0;
    const isEnough = (): boolean => value >= 5 && strokes >= 30;
    const person = async (): Promise<void> => {
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      for (; !race.over && strokes < 1000; strokes += 1) {
        await vscode.commands.executeCommand('type', { text: 'x' });
        // In bursts: between them is time to write.
        await delay(strokes % 6 === 5 ? 80 : 5);
      }
    };
    const typing = person();
    for (let round = 1; round <= 200 && !isEnough(); round += 1) {
      const read = await kit.agent.read(file);
      const next = Buffer.from(read).toString('utf8').replace(/six.*/u, `six ${round}`);
      const options = { replaces: read, origin: kit.origin() };
      await kit.agent.write(file, Buffer.from(next), options).then(
        () => (value = round),
        () => undefined,
      );
    }
    race.over = true;
    await typing;
    const typed = 'x'.repeat(strokes);
    const expected = `${typed}${AFTER.replace('six', `six ${value}`)}`;
    await eventually('both are there', () => document.getText() === expected);
    await eventually('both count', () => kit.document(file) === expected);
    assert.equal(kit.baseline(file), `${typed}${BEFORE}`);
    assert.ok(value > 0 && strokes > 0, `${value} writes, ${strokes} strokes`);
  });

  const review = () => {
    const found = kit.reviews.find(file);
    assert.ok(found);
    return hunksOf(found);
  };
});
