import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hunksOf } from '../../src/core/review/hunks.ts';
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
      review().some((hunk) => hunk.changedOutside),
      false,
    );
  });

  it('typing in a hunk belongs to it, and the hunk says so', async () => {
    await typeAt(document, 1, 1, '22');
    await eventually('it is known', () => kit.hunks(file)[0] === '-two+222');
    assert.equal(review()[0]?.editedByUser, true);
    assert.equal(review()[0]?.changedOutside, false);
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

  it('undo of a rejection brings the hunk back as pending', async () => {
    await kit.reviews.reject({ kind: 'written', path: file });
    assert.equal(document.getText(), BEFORE);
    assert.deepEqual(kit.hunks(file), []);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), AFTER);
    await eventually('the hunks are back', () => kit.hunks(file).length === 2);
  });

  it('a change on disk of a clean document is of something else', async () => {
    await writeFile(file, AFTER.replace('one', 'eins').replace('2\n', '2!\n'));
    await eventually('it is known', () => kit.hunks(file)[0] === '-two+2!');
    assert.equal(kit.baseline(file), BEFORE.replace('one', 'eins'));
    assert.equal(review()[0]?.changedOutside, true);
    assert.equal(review()[0]?.editedByUser, false);
  });

  it('a rejection leaves unsaved text unsaved', async () => {
    await replaceIn(document, [0, 0, 0, 0], 'typed ');
    await eventually('it is dirty', () => document.isDirty);
    await kit.reviews.reject({ kind: 'written', path: file });
    assert.equal(document.getText(), `typed ${BEFORE}`);
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(file, 'utf8'), AFTER);
  });

  const review = () => {
    const found = kit.reviews.find('written', file);
    assert.ok(found);
    return hunksOf(found);
  };
});
