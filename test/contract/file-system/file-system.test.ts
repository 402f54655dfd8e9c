import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isChangedMeanwhile } from '../../../src/core/files/changed-meanwhile.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import type { FailureCode } from '../../../src/domain/failure.ts';
import type { FileSystem } from '../../../src/core/ports/files/file-system.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { agentFiles } from './agent-files.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

/** Fails with this code and a sentence that names the path. */
function failsWith(code: FailureCode, about: string | RegExp) {
  return (thrown: unknown): boolean => {
    assert.ok(thrown instanceof BelayError, `not a BelayError: ${String(thrown)}`);
    assert.equal(thrown.code, code, thrown.message);
    assert.match(
      thrown.message,
      typeof about === 'string'
        ? new RegExp(about.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`), 'u')
        : about,
    );
    assert.match(thrown.message, /\.$/u, 'not a sentence');
    return true;
  };
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

for (const { name, open } of [
  {
    name: 'the files of Node',
    open: async () => ({ files: new NodeFileSystem(), close: async () => undefined }),
  },
  { name: 'the files as an agent has them, every change pending', open: agentFiles },
])
  describe(`contract of FileSystem: ${name}`, function () {
    this.timeout(60_000);

    let files: FileSystem;
    let opened: Awaited<ReturnType<typeof open>>;
    let root: string;
    const at = (...parts: string[]): string => path.join(root, ...parts);

    beforeEach(async () => {
      root = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-files-')));
      opened = await open();
      ({ files } = opened);
    });

    afterEach(async () => {
      await opened.close();
      await rm(root, { recursive: true, force: true });
    });

    describe('read', () => {
      it('gives the bytes, also of names with blanks, quotes, line feeds and emoji', async () => {
        for (const name of [
          'a b.txt',
          `it's "quoted".txt`,
          'line\nfeed.txt',
          'münch😀.txt',
          '-rf',
          '$HOME',
        ]) {
          await writeFile(at(name), name);
          assert.equal(text(await files.read(at(name))), name);
        }
      });

      it('refuses what is larger than asked for, and reads exactly as much', async () => {
        await writeFile(at('a'), 'x'.repeat(100));
        await assert.rejects(files.read(at('a'), 99), failsWith('invalid', 'has 100 bytes'));
        assert.equal((await files.read(at('a'), 100)).length, 100);
        await writeFile(at('empty'), '');
        assert.equal((await files.read(at('empty'), 0)).length, 0);
      });

      it('says what is wrong with a path that cannot be read', async () => {
        await writeFile(at('file'), '');
        await assert.rejects(files.read(at('missing')), failsWith('not_found', at('missing')));
        await assert.rejects(
          files.read(at('file', 'below')),
          failsWith('not_found', at('file', 'below')),
        );
        await assert.rejects(files.read(root), failsWith('invalid', 'is a folder'));
        await assert.rejects(files.read(`${root}/a\0b`), failsWith('invalid', 'not a path'));
        await symlink(at('loop'), at('loop'));
        await assert.rejects(files.read(at('loop')), failsWith('invalid', 'leads back to itself'));
      });

      it('never waits for a pipe or a device', async function () {
        if (process.platform === 'win32') this.skip();
        execFileSync('mkfifo', [at('pipe')]);
        await assert.rejects(files.read(at('pipe')), failsWith('invalid', 'not a regular file'));
        await assert.rejects(files.read('/dev/zero'), failsWith('invalid', 'not a regular file'));
      });

      it('reads 200 files at once', async () => {
        await Promise.all(
          Array.from({ length: 200 }, (_, index) => writeFile(at(`f${index}`), String(index))),
        );
        const read = await Promise.all(
          Array.from({ length: 200 }, (_, index) => files.read(at(`f${index}`))),
        );
        assert.deepEqual(
          read.map(text),
          Array.from({ length: 200 }, (_, index) => String(index)),
        );
      });

      it('gives a part, shorter at the end and empty behind it', async () => {
        await writeFile(at('a'), '0123456789');
        assert.equal(text(await files.readPart(at('a'), 3, 4)), '3456');
        assert.equal(text(await files.readPart(at('a'), 8, 100)), '89');
        assert.equal(text(await files.readPart(at('a'), 10, 5)), '');
        assert.equal(text(await files.readPart(at('a'), 50, 5)), '');
      });
    });

    describe('write', () => {
      it('creates the file with its folders, and replaces it whole', async () => {
        await files.write(at('a', 'b', 'c.txt'), bytes('one and more'));
        await files.write(at('a', 'b', 'c.txt'), bytes('two'));
        assert.equal(await readFile(at('a', 'b', 'c.txt'), 'utf8'), 'two');
        assert.deepEqual(await readdir(at('a', 'b')), ['c.txt'], 'a temporary file was left');
      });

      it('writes over nothing but what it was told is there', async () => {
        await writeFile(at('a'), 'changed');
        await assert.rejects(
          files.write(at('a'), bytes('new'), { replaces: bytes('seen') }),
          (thrown) =>
            failsWith('invalid', `${at('a')} was changed by something else`)(thrown) &&
            isChangedMeanwhile(thrown),
        );
        await assert.rejects(
          files.write(at('a'), bytes('new'), { replaces: 'nothing' }),
          failsWith('invalid', `${at('a')} was created by something else`),
        );
        await assert.rejects(
          files.write(at('gone'), bytes('new'), { replaces: bytes('seen') }),
          failsWith('invalid', `${at('gone')} was deleted or moved`),
        );
        assert.equal(await readFile(at('a'), 'utf8'), 'changed');
        assert.deepEqual(await readdir(root), ['a'], 'a temporary file was left');
        await files.write(at('a'), bytes('new'), { replaces: bytes('changed') });
        await files.write(at('b'), bytes('new'), { replaces: 'nothing' });
        assert.equal(await readFile(at('a'), 'utf8'), 'new');
        assert.equal(await readFile(at('b'), 'utf8'), 'new');
      });

      it('tells what it made of a file, in its own words, and of a failure nothing', async () => {
        const told: unknown[] = [];
        const changed = (file: string, content?: Uint8Array): void =>
          void told.push([file, content && text(content)]);
        await files.write(at('a'), bytes('one'), { changed });
        await assert.rejects(files.write(at('a'), bytes('two'), { replaces: 'nothing', changed }));
        await files.delete(at('a'), { changed });
        await assert.rejects(files.delete(at('a'), { changed }));
        assert.deepEqual(told, [
          [at('a'), 'one'],
          [at('a'), undefined],
        ]);
      });

      it('keeps the mode', async () => {
        await writeFile(at('script'), '#!/bin/sh\n');
        await chmod(at('script'), 0o754);
        await files.write(at('script'), bytes('#!/bin/sh\necho\n'));
        assert.equal((await stat(at('script'))).mode & 0o7777, 0o754);
      });

      it('writes through a link to its target, also where the target is missing', async () => {
        await mkdir(at('real'));
        await writeFile(at('real', 'file'), 'old');
        await symlink(at('real', 'file'), at('link'));
        await symlink('real/new', at('dangling'));
        await symlink(at('real'), at('folder'));
        await files.write(at('link'), bytes('new'));
        await files.write(at('dangling'), bytes('made'));
        await files.write(at('folder', 'deep', 'x'), bytes('deep'));
        assert.equal(await readFile(at('real', 'file'), 'utf8'), 'new');
        assert.equal(await readFile(at('real', 'new'), 'utf8'), 'made');
        assert.equal(await readFile(at('real', 'deep', 'x'), 'utf8'), 'deep');
        assert.equal((await files.list(root)).find(({ name }) => name === 'link')?.type, 'symlink');
      });

      it('keeps the other names of a file, whatever its length becomes', async () => {
        await writeFile(at('a'), 'old');
        await link(at('a'), at('b'));
        for (const content of ['longer than it was', 'new', '']) {
          await files.write(at('a'), bytes(content));
          assert.equal(await readFile(at('b'), 'utf8'), content);
        }
        assert.equal((await stat(at('a'))).ino, (await stat(at('b'))).ino);
        await assert.rejects(
          files.write(at('a'), bytes('x'), { replaces: bytes('seen') }),
          isChangedMeanwhile,
        );
        assert.deepEqual(await readdir(root), ['a', 'b'], 'a temporary file was left');
      });

      it('cuts the link of a package to the store that projects share', async () => {
        await mkdir(at('node_modules', 'p'), { recursive: true });
        await writeFile(at('store'), 'old');
        await link(at('store'), at('node_modules', 'p', 'index.js'));
        await files.write(at('node_modules', 'p', 'index.js'), bytes('new'));
        assert.equal(await readFile(at('store'), 'utf8'), 'old');
      });

      it('keeps owner and mode', async function () {
        if (process.getuid?.() !== 0) this.skip();
        await writeFile(at('a'), 'old', { mode: 0o640 });
        await chown(at('a'), 12_345, 23_456);
        await files.write(at('a'), bytes('new'));
        const { uid, gid, mode } = await stat(at('a'));
        assert.deepEqual([uid, gid, mode & 0o7777], [12_345, 23_456, 0o640]);
        assert.equal(await readFile(at('a'), 'utf8'), 'new');
      });

      it('writes in place what belongs to somebody else', async function () {
        if (process.getuid?.() !== 0 || process.platform !== 'linux') this.skip();
        await chmod(root, 0o777);
        await writeFile(at('a'), 'old and longer');
        await chmod(at('a'), 0o666);
        const { ino } = await stat(at('a'));
        process.seteuid?.(65_534);
        try {
          await files.write(at('a'), bytes('new'));
        } finally {
          process.seteuid?.(0);
        }
        const after = await stat(at('a'));
        assert.deepEqual([after.uid, after.ino], [0, ino]);
        assert.equal(await readFile(at('a'), 'utf8'), 'new');
        assert.deepEqual(await readdir(root), ['a'], 'a temporary file was left');
      });

      it('refuses a read-only file and changes nothing', async () => {
        await writeFile(at('fixed'), 'old');
        await chmod(at('fixed'), 0o444);
        assert.equal((await files.stat(at('fixed')))?.readOnly, true);
        await assert.rejects(
          files.write(at('fixed'), bytes('new')),
          failsWith('permission', 'is read-only'),
        );
        assert.equal(await readFile(at('fixed'), 'utf8'), 'old');
        assert.deepEqual(await readdir(root), ['fixed']);
      });

      it('refuses a folder and a pipe', async function () {
        if (process.platform === 'win32') this.skip();
        await mkdir(at('folder'));
        execFileSync('mkfifo', [at('pipe')]);
        await assert.rejects(
          files.write(at('folder'), bytes('')),
          failsWith('invalid', 'is a folder'),
        );
        await assert.rejects(files.write(at('pipe'), bytes('')), failsWith('invalid', at('pipe')));
        await writeFile(at('file'), '');
        await assert.rejects(
          files.write(at('file', 'below'), bytes('')),
          failsWith('not_found', 'a part of the path is a file'),
        );
      });

      it('leaves the old file whole when the disk is full', async function () {
        if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
        mkdirSync(at('small'));
        try {
          execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('small')], {
            stdio: 'ignore',
          });
        } catch {
          this.skip();
        }
        try {
          await files.write(at('small', 'file'), bytes('kept'));
          await assert.rejects(
            files.write(at('small', 'file'), new Uint8Array(200_000)),
            failsWith('tool', 'the disk is full'),
          );
          assert.equal(await readFile(at('small', 'file'), 'utf8'), 'kept');
          assert.deepEqual(await readdir(at('small')), ['file']);
        } finally {
          execFileSync('umount', [at('small')]);
        }
      });

      it('security 4: with `exact`, a folder that has become a link is not followed', async () => {
        await mkdir(at('outside'));
        await symlink(at('outside'), at('ws'));
        await assert.rejects(
          files.write(at('ws', 'f'), bytes('x'), { exact: true }),
          failsWith('permission', /became a link/u),
        );
        await assert.rejects(
          files.write(at('ws', 'deep', 'f'), bytes('x'), { exact: true }),
          failsWith('permission', /became a link/u),
        );
        assert.deepEqual(await readdir(at('outside')), []);
      });

      it('security 4: with `exact`, the file itself having become a link is refused, and the link stays', async () => {
        await writeFile(at('secret'), 'kept');
        await symlink(at('secret'), at('f'));
        await symlink(at('nowhere'), at('g'));
        for (const name of ['f', 'g'])
          await assert.rejects(
            files.write(at(name), bytes('x'), { exact: true }),
            failsWith('permission', /became a link/u),
          );
        assert.equal(await readFile(at('secret'), 'utf8'), 'kept');
        assert.equal(await readlink(at('f')), at('secret'));
        assert.deepEqual((await readdir(root)).toSorted(), ['f', 'g', 'secret']);
      });

      it('security 4: nothing gets outside while a folder is exchanged for a link again and again', async function () {
        if (process.platform !== 'linux') this.skip();
        this.timeout(30_000);
        mkdirSync(at('outside'));
        mkdirSync(at('ws', 'a'), { recursive: true });
        const stop = new AbortController();
        let written = 0;
        const swap = (async () => {
          for (let round = 0; !stop.signal.aborted; round += 1) {
            // Now and then the folder stays until a write has come through: some surely do.
            const before = written;
            const stays = round % 10 === 0;
            const isAwaited = (): boolean => stays && written === before && !stop.signal.aborted;
            while (isAwaited()) await new Promise((resolve) => setImmediate(resolve));
            renameSync(at('ws', 'a'), at('ws', 'kept'));
            // The writer may have made the folder anew in between: then there is nothing to exchange.
            const exchanged = attempt(() => symlinkSync(at('outside'), at('ws', 'a')));
            await new Promise((resolve) => setImmediate(resolve));
            if (exchanged) unlinkSync(at('ws', 'a'));
            else rmSync(at('ws', 'a'), { recursive: true, force: true });
            while (!attempt(() => renameSync(at('ws', 'kept'), at('ws', 'a'))))
              rmSync(at('ws', 'a'), { recursive: true, force: true });
            await new Promise((resolve) => setImmediate(resolve));
          }
        })();
        for (let tries = 0; tries < 100; tries += 1) {
          await files.write(at('ws', 'a', 'f.txt'), bytes('x'), { exact: true }).then(
            () => (written += 1),
            (thrown: unknown) => assert.ok(thrown instanceof BelayError, String(thrown)),
          );
        }
        stop.abort();
        await swap;
        assert.deepEqual(await readdir(at('outside')), []);
        assert.ok(written > 0 && written < 100, `${written} of 100 writes came through`);
      });
    });

    describe('the rest', () => {
      it('tells kind, size and time of a path, through links; undefined when there is none', async () => {
        await writeFile(at('a'), 'abc');
        await symlink(at('a'), at('l'));
        const found = await files.stat(at('l'));
        assert.equal(found?.type, 'file');
        assert.equal(found.size, 3);
        assert.ok(Math.abs(found.modifiedAt - Date.now()) < 60_000);
        assert.equal(found.readOnly, false);
        assert.equal((await files.stat(root))?.type, 'directory');
        assert.equal(await files.stat(at('missing')), undefined);
        assert.equal(await files.stat(at('a', 'below')), undefined);
        assert.equal((await files.stat('/dev/null'))?.type, 'other');
      });

      it('lists a folder with the kinds of its entries', async () => {
        await writeFile(at('f'), '');
        await mkdir(at('d'));
        await symlink('nowhere', at('s'));
        const entries = (await files.list(root)).toSorted((left, right) =>
          left.name < right.name ? -1 : 1,
        );
        assert.deepEqual(entries, [
          { name: 'd', type: 'directory' },
          { name: 'f', type: 'file' },
          { name: 's', type: 'symlink' },
        ]);
        await assert.rejects(files.list(at('f')), failsWith('invalid', 'is a file, not a folder'));
        await assert.rejects(files.list(at('missing')), failsWith('not_found', at('missing')));
      });

      it('gives the real path of what is there and of what is not yet', async () => {
        await mkdir(at('real'));
        await symlink(at('real'), at('link'));
        assert.equal(await files.realpath(at('link')), at('real'));
        assert.equal(await files.realpath(at('link', 'new', 'deep')), at('real', 'new', 'deep'));
        assert.equal(await files.realpath(at('link', '..', 'x')), at('x'));
        await symlink('../elsewhere/file', at('real', 'dangling'));
        assert.equal(await files.realpath(at('link', 'dangling')), at('elsewhere', 'file'));
        await symlink(at('b'), at('a'));
        await symlink(at('a'), at('b'));
        await assert.rejects(files.realpath(at('a')), failsWith('invalid', 'leads back to itself'));
      });

      it('deletes files and folders, and a link without its target', async () => {
        await mkdir(at('d', 'e'), { recursive: true });
        await writeFile(at('f'), 'kept');
        await symlink(at('f'), at('l'));
        await files.delete(at('l'));
        await files.delete(at('d'));
        assert.deepEqual(await readdir(root), ['f']);
        await assert.rejects(files.delete(at('d')), failsWith('not_found', at('d')));
      });

      it('renames, and never over something that is there', async () => {
        await writeFile(at('a'), 'a');
        await writeFile(at('b'), 'b');
        await assert.rejects(
          files.rename(at('a'), at('b')),
          failsWith('invalid', 'exists already'),
        );
        await assert.rejects(files.rename(at('x'), at('y')), failsWith('not_found', at('x')));
        await files.rename(at('a'), at('c'));
        await files.rename(at('c'), at('new', 'folder', 'c'));
        assert.equal(await readFile(at('new', 'folder', 'c'), 'utf8'), 'a');
        assert.equal(await readFile(at('b'), 'utf8'), 'b');
      });
    });
  });
