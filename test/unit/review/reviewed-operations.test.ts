import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { ReviewWorkspace } from '../../support/review/workspace.ts';

const diskFails = new BelayError({ code: 'tool', message: 'The disk is full.' });

describe('files and folders that an agent moves, copies and removes', function () {
  this.timeout(60_000);

  let ws: ReviewWorkspace;
  let notes: string[];
  const open = async (files: Parameters<typeof ReviewWorkspace.open>[0]): Promise<void> => {
    ws = await ReviewWorkspace.open(files);
    notes = [];
  };
  const options = (how: ChangeOrigin['how']) => ({
    origin: ws.origin(how),
    note: (text: string) => void notes.push(text),
  });
  const rename = (how: ChangeOrigin['how'], from: string, to: string): Promise<void> =>
    ws.operations.rename(ws.at(from), ws.at(to), options(how));
  const copy = (how: ChangeOrigin['how'], from: string, to: string): Promise<void> =>
    ws.operations.copy(ws.at(from), ws.at(to), new AbortController().signal, options(how));
  const remove = async (how: ChangeOrigin['how'], name: string): Promise<string> =>
    (await ws.operations.remove(ws.at(name), options(how))).to;
  const rejectAll = async (): Promise<void> => {
    const selected = ws.reviews.pending.map((review) => ({ path: review.path }));
    const { failed } = await ws.reviews.decisions.decide('undo', selected);
    assert.deepEqual(failed, []);
    assert.deepEqual(ws.pending, []);
  };

  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  const files = {
    'src/a.sh': '#!/bin/sh\r\n',
    'src/deep/i.png': new Uint8Array([0x89, 0, 1]),
    'b.txt': 'b\n',
  };

  it('in the modes that write: each file is pending, and comes back as it was', async () => {
    await open(files);
    await ws.setMode('src/a.sh', 0o755);
    await rename('write', 'src', 'lib');
    await copy('write', 'lib', 'copied');
    await copy('write', 'b.txt', 'c.txt');
    assert.deepEqual(ws.pending, [
      'c.txt: create',
      'copied/a.sh: create',
      'copied/deep/i.png: binary',
      'src/a.sh → lib/a.sh:',
      'src/deep/i.png → lib/deep/i.png:',
    ]);
    await remove('write', 'lib');
    await remove('write', 'b.txt');
    assert.deepEqual(ws.pending, [
      'b.txt: delete',
      'c.txt: create',
      'copied/a.sh: create',
      'copied/deep/i.png: binary',
      'src/a.sh → lib/a.sh: delete',
      'src/deep/i.png → lib/deep/i.png: binary',
    ]);
    await ws.restart();
    await rejectAll();
    assert.equal(ws.onDisk('src/a.sh'), '#!/bin/sh\r\n');
    assert.equal(await ws.mode('src/a.sh'), 0o755);
    assert.deepEqual(ws.bytesOnDisk('src/deep/i.png'), files['src/deep/i.png']);
    assert.equal(ws.onDisk('b.txt'), 'b\n');
    for (const name of ['lib/a.sh', 'copied/a.sh', 'copied/deep/i.png', 'c.txt'])
      assert.equal(ws.onDisk(name), undefined, name);
    assert.deepEqual(notes, []);
  });

  it('moves and removes what is edited already: rejecting takes back both', async () => {
    await open(files);
    await ws.write('write', 'b.txt', 'B\n');
    await rename('write', 'b.txt', 'c.txt');
    assert.deepEqual(ws.pending, ['b.txt → c.txt: -b +B']);
    await remove('write', 'src/a.sh');
    await rename('write', 'c.txt', 'src/a.sh');
    assert.deepEqual(ws.pending, ['b.txt → c.txt: delete', 'src/a.sh: -#!/bin/sh +B']);
    await rejectAll();
    assert.equal(ws.onDisk('b.txt'), 'b\n');
    assert.equal(ws.onDisk('c.txt'), undefined);
    assert.equal(ws.onDisk('src/a.sh')?.trim(), '#!/bin/sh');
  });

  it('when it fails, nothing is pending that was not before', async () => {
    await open(files);
    await ws.write('write', 'b.txt', 'B\n');
    const before = ws.pending;
    const fails = async (): Promise<never> => {
      throw diskFails;
    };
    Object.assign(ws.operationsOnDisk, { rename: fails, copy: fails, remove: fails });
    await assert.rejects(rename('write', 'src', 'lib'), diskFails);
    assert.deepEqual(ws.pending, before);
    await assert.rejects(copy('write', 'src', 'lib'), diskFails);
    assert.deepEqual(ws.pending, before);
    await assert.rejects(remove('write', 'src'), diskFails);
    await assert.rejects(remove('write', 'b.txt'), diskFails);
    assert.deepEqual(ws.pending, before);
    await ws.restart();
    assert.deepEqual(ws.pending, before);
  });

  it('a folder with too many files is moved all the same, and says who can take it back', async () => {
    const many = Array.from({ length: 201 }, (_, index) => [`many/${index}.txt`, `${index}\n`]);
    await open(Object.fromEntries(many) as Record<string, string>);
    await ws.write('write', 'many/7.txt', 'seven\n');
    await rename('write', 'many', 'lots');
    assert.deepEqual(ws.pending, ['lots/7.txt: -7 +seven']);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /more than 200 files.*Belay: Restore/u);
  });

  it('a folder with 200 files is reviewed file by file', async () => {
    const many = Array.from({ length: 200 }, (_, index) => [`many/${index}.txt`, `${index}\n`]);
    await open(Object.fromEntries(many) as Record<string, string>);
    await rename('write', 'many', 'lots');
    assert.deepEqual([ws.pending.length, notes.length], [200, 0]);
  });

  it('a link is itself, and no file to review', async () => {
    await open(files);
    symlinkSync(ws.at('b.txt'), ws.at('link'));
    await remove('write', 'link');
    assert.deepEqual(ws.pending, []);
    assert.equal(ws.onDisk('b.txt'), 'b\n');
  });
});
