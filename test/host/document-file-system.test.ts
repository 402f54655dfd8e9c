import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { BelayError } from '../../src/domain/failure.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { DocumentFileSystem } from '../../src/hosts/vscode/files/document-file-system.ts';
import { eventually } from './eventually.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Writes while the person types. */
const WRITES = 20;
/** How often the editor is closed while the file is written. */
const CLOSINGS = 15;
const WORDS = ['one', 'two', 'three', 'zero', 'thirteen'] as const;

const isRefusal = (thrown: unknown): true => {
  assert.ok(thrown instanceof BelayError, String(thrown));
  assert.ok(thrown.code === 'invalid' || thrown.code === 'tool', thrown.message);
  return true;
};

const text = (content: Uint8Array): string => Buffer.from(content).toString('utf8');

describe('files that are open in an editor', () => {
  let folder: string;
  let file: string;
  const files = new DocumentFileSystem(new NodeFileSystem());

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-files-')));
    file = path.join(folder, 'a.txt');
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  const open = async (content: string | Uint8Array): Promise<vscode.TextDocument> => {
    await writeFile(file, content);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    return document;
  };

  const type = async (document: vscode.TextDocument, typed: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), typed);
    assert.equal(await vscode.workspace.applyEdit(edit), true);
  };

  it('reads what the person has typed, not what is on disk', async () => {
    const document = await open('one\n');
    await type(document, 'unsaved ');
    assert.equal(text(await files.read(file)), 'unsaved one\n');
    assert.equal(text(await files.readPart(file, 2, 4)), 'save');
    await assert.rejects(files.read(file, 5), { code: 'invalid' });
    assert.equal(await readFile(file, 'utf8'), 'one\n');
  });

  it('writes as an edit that is saved and can be undone', async () => {
    const document = await open('one\ntwo\nthree\n');
    await files.write(file, bytes('one\n2\nthree\n'));
    assert.equal(document.getText(), 'one\n2\nthree\n');
    assert.equal(document.isDirty, false);
    assert.equal(await readFile(file, 'utf8'), 'one\n2\nthree\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await eventually('the edit is undone', () => document.getText() === 'one\ntwo\nthree\n');
  });

  it('tells what was saved, with what its savers made of it, and nothing of what stays unsaved', async () => {
    const told: string[] = [];
    const changed = (_: string, content?: Uint8Array): void =>
      void told.push(content === undefined ? 'gone' : text(content));
    const document = await open('one\n');
    const saving = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document === document)
        event.waitUntil(
          Promise.resolve([vscode.TextEdit.insert(new vscode.Position(0, 0), 'formatted\n')]),
        );
    });
    await files.write(file, bytes('2\n'), { changed });
    saving.dispose();
    assert.deepEqual(told, ['formatted\n2\n']);
    assert.equal(await readFile(file, 'utf8'), 'formatted\n2\n');
    await type(document, 'typed\n');
    await files.write(file, bytes('typed\nformatted\n3\n'), { changed });
    assert.equal(document.isDirty, true);
    assert.deepEqual(told, ['formatted\n2\n']);
    await document.save();
    await files.delete(file, { changed });
    assert.deepEqual(told.slice(1), ['gone']);
  });

  it('never saves what the person has not saved, and says that it is unsaved', async () => {
    const document = await open('one\ntwo\n');
    assert.equal((await files.stat(file))?.unsaved, undefined);
    await type(document, 'typed\n');
    assert.equal((await files.stat(file))?.unsaved, true);
    const seen = await files.read(file);
    await files.write(file, bytes(text(seen).replace('two', '2')), { replaces: seen });
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(file, 'utf8'), 'one\ntwo\n');
    assert.equal(text(await files.read(file)), 'typed\none\n2\n');
    assert.equal(await document.save(), true);
    assert.equal(await readFile(file, 'utf8'), 'typed\none\n2\n');
  });

  it('keeps unsaved text that the written content contains, in one undo step of its own', async () => {
    const document = await open('one\ntwo\n');
    await type(document, 'typed\n');
    const seen = text(await files.read(file));
    await files.write(file, bytes(seen.replace('two', '2')));
    assert.equal(document.getText(), 'typed\none\n2\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await eventually('only the edit is undone', () => document.getText() === 'typed\none\ntwo\n');
  });

  it('keeps CRLF and the byte order mark of an open file', async () => {
    const document = await open('\uFEFFone\r\ntwo\r\n');
    await files.write(file, bytes('\uFEFFone\r\n2\r\n'));
    assert.equal(await readFile(file, 'utf8'), '\uFEFFone\r\n2\r\n');
    assert.equal(document.getText(), 'one\r\n2\r\n');
    await type(document, 'x');
    assert.equal(text(await files.read(file)), '\uFEFFxone\r\n2\r\n');
  });

  it('changes line ends where the content has others, byte by byte', async () => {
    const document = await open('one\r\ntwo\r\n');
    await files.write(file, bytes('one\ntwo\n'));
    assert.equal(await readFile(file, 'utf8'), 'one\ntwo\n');
    assert.equal(document.eol, vscode.EndOfLine.LF);
    await files.write(file, bytes('one\r\ntwo\nthree\n'));
    assert.equal(await readFile(file, 'utf8'), 'one\r\ntwo\nthree\n');
    await eventually('the editor has read it', () => document.getText().includes('three'));
  });

  it('refuses a read-only file before anything is changed', async () => {
    const document = await open('one\n');
    await chmod(file, 0o444);
    await assert.rejects(files.write(file, bytes('two\n')), { code: 'permission' });
    assert.equal(document.getText(), 'one\n');
    await chmod(file, 0o644);
  });

  it('keeps what was typed or written since it was read, and says so', async () => {
    const document = await open('one\n');
    const read = await files.read(file);
    await type(document, 'typed ');
    await assert.rejects(files.write(file, bytes('two\n'), { replaces: read }), {
      code: 'invalid',
      message: /was changed by something else.*Read the file again/u,
    });
    assert.equal(document.getText(), 'typed one\n');
    assert.equal(await readFile(file, 'utf8'), 'one\n');

    const typed = await files.read(file);
    await files.write(file, bytes('typed two\n'), { replaces: typed });
    assert.equal(document.getText(), 'typed two\n');
    assert.equal(await document.save(), true);
    await writeFile(file, 'of another program\n');
    await assert.rejects(files.write(file, bytes('three\n'), { replaces: bytes('typed two\n') }), {
      code: 'invalid',
    });
    assert.equal(await readFile(file, 'utf8'), 'of another program\n');
    await eventually('the editor has read it', () => document.getText().includes('program'));
    await assert.rejects(files.write(file, bytes('four\n'), { replaces: 'nothing' }), {
      code: 'invalid',
    });
    await files.write(file, bytes('four\n'), { replaces: await files.read(file) });
    assert.equal(await readFile(file, 'utf8'), 'four\n');
  });

  it('writes whole while its editor is closed and opened again in every moment of it', async function () {
    this.timeout(90_000);
    await writeFile(file, 'start 0\n');
    const race = { over: false };
    const person = async (): Promise<void> => {
      for (let round = 0; round < CLOSINGS && !race.over; round += 1) {
        const document = await vscode.workspace.openTextDocument(file);
        await vscode.window.showTextDocument(document, { preview: round % 2 === 0 });
        await delay((round * 7) % 40);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        await delay((round * 5) % 15);
      }
      race.over = true;
    };
    const closing = person();
    let present = 'start 0\n';
    let round = 0;
    let written = 0;
    try {
      while (!race.over) {
        round += 1;
        const next = `${WORDS[round % WORDS.length]} ${round}\n${'line\n'.repeat(round % 4)}`;
        const refused = await files
          .write(file, bytes(next), { replaces: bytes(present) })
          .then(() => false, isRefusal);
        if (!refused) {
          present = next;
          written += 1;
        }
        assert.equal(await readFile(file, 'utf8'), present, `write ${round}`);
      }
    } finally {
      race.over = true;
      await closing;
    }
    assert.ok(written > round / 2, `only ${written} of ${round} were written`);
    assert.equal(await readFile(file, 'utf8'), present);
  });

  it('never mixes with what the user types at the same time, nor loses a stroke', async function () {
    this.timeout(90_000);
    const document = await open('\nvalue 0\nend\n');
    const race = { over: false };
    let strokes = 0;
    let refusals = 0;
    const typeInBursts = async (): Promise<void> => {
      for (; !race.over && strokes < 2000; strokes += 1) {
        await vscode.commands.executeCommand('type', { text: 'x' });
        // Between bursts is time to write, and more of it on a machine too busy to write in that time.
        const isBurstEnd = strokes % 6 === 5;
        const pause = isBurstEnd ? 60 + 20 * refusals + ((strokes * 7) % 60) : (strokes * 3) % 17;
        await delay(pause);
      }
    };
    const typing = typeInBursts();
    let value = 0;
    try {
      for (let round = 1; round <= WRITES; round += 1) {
        const read = await files.read(file);
        const next = text(read).replace(
          /(?:value|a longer value) \d+/u,
          `${round % 2 === 0 ? 'value' : 'a longer value'} ${round}`,
        );
        const refused = await files
          .write(file, bytes(next), { replaces: read })
          .then(() => false, isRefusal);
        refusals = refused ? refusals + 1 : 0;
        if (!refused) value = round;
        assert.match(document.getText(), /^x*\n(?:value|a longer value) \d+\nend\n$/u);
      }
    } finally {
      race.over = true;
      await typing;
    }
    await document.save();
    const name = value === 0 || value % 2 === 0 ? 'value' : 'a longer value';
    const expected = `${'x'.repeat(strokes)}\n${name} ${value}\nend\n`;
    await eventually('the last stroke has arrived', () => document.getText() === expected);
    assert.equal(await readFile(file, 'utf8'), expected);
    assert.ok(value > 0 && strokes > WRITES, `${strokes} strokes, last write ${value}`);
  });

  it('finds the open file behind a symbolic link', async () => {
    const document = await open('one\n');
    await type(document, 'typed ');
    const link = path.join(folder, 'link', 'a.txt');
    await symlink(folder, path.join(folder, 'link'));
    assert.equal(text(await files.read(link)), 'typed one\n');
    await assert.rejects(files.write(link, bytes('x'), { exact: true }));
  });

  it('renames with the open editor, its unsaved text included', async () => {
    const document = await open('one\n');
    await type(document, 'typed ');
    const to = path.join(folder, 'b.txt');
    await files.rename(file, to);
    const moved = await eventually('the editor has moved', () =>
      vscode.workspace.textDocuments.find((one) => one.uri.fsPath === to),
    );
    assert.equal(moved.getText(), 'typed one\n');
  });

  it('deletes an open file', async () => {
    await open('one\n');
    await files.delete(file);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('writes to disk where a document is loaded but in no editor', async () => {
    await writeFile(file, 'one\n');
    await vscode.workspace.openTextDocument(file);
    await files.write(file, bytes('two\n'));
    assert.equal(await readFile(file, 'utf8'), 'two\n');
  });

  it('leaves files that are not open to the file system below', async () => {
    const other = path.join(folder, 'deep', 'b.txt');
    await files.write(other, bytes('two'));
    assert.equal(text(await files.read(other)), 'two');
    assert.equal((await files.stat(other))?.size, 3);
  });
});
