import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportedLines, importLines } from '../../src/compose/review/transfer.ts';
import type { ImportedSession } from '../../src/compose/review/transfer.ts';
import { takenInWords } from '../../src/core/review/transfer/taken-in-words.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews } from '../../src/core/review/service/reviews.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { withSnapshots } from '../support/engine/with-snapshots.ts';
import type { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const TEXT = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', ''].join('\n');
const FILES = {
  'a.txt': TEXT,
  'gone.txt': 'old\r\nlines\r\n',
  'pixel.bin': 'x',
  'lib/b.txt': TEXT,
};
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** Edits of all kinds; the last two by a command. */
const EDITS = inOrder(
  calls(call('read_file', { path: 'a.txt' }, 'c0')),
  calls(call('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }, 'c1')),
  calls(call('edit_file', { path: 'a.txt', old_text: 'seven', new_text: 'SEVEN' }, 'c2')),
  calls(call('write_file', { path: 'made/new.txt', content: 'new\n' }, 'c3')),
  calls(
    call(
      'run_command',
      {
        command: String.raw`rm gone.txt && printf 'a\0b\377' > pixel.bin && printf '#!/bin/sh\r\n' > run.sh`,
      },
      'c4',
    ),
  ),
  say('All is changed.'),
);

describe('a session on another machine', function () {
  this.timeout(60_000);
  const left: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of left.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  });

  const open = async (
    script = inOrder(say('Hello again.')),
    files = FILES,
  ): Promise<TestEngine> => {
    const opened = await withSnapshots({ files, script, host: { reviewed: true } });
    left.push(opened);
    return opened.test;
  };
  const host = (test: TestEngine) => ({
    log: silentLog,
    workspace: {
      roots: () => [test.workspace],
      trusted: () => true,
      focus: () => [],
      environment: () => ({ system: '', date: '', roots: [] }),
    },
  });
  const linesOf = async (test: TestEngine, sessionId: string): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of exportedLines(test.engine, host(test), sessionId)) lines.push(line);
    return lines;
  };
  const made = async (script = EDITS): Promise<{ test: TestEngine; lines: string[] }> => {
    const test = await open(script);
    const { sessionId } = await test.run('Change everything');
    return { test, lines: await linesOf(test, sessionId) };
  };
  const imported = (
    test: TestEngine,
    lines: readonly string[],
    isAllowed = true,
    allowProtected = async (_path: string): Promise<boolean> => false,
  ): Promise<ImportedSession> =>
    importLines(test.engine, host(test), lines, {
      approval: { allowAll: async () => isAllowed, allowProtected },
    });
  const at = (test: TestEngine, name: string): string => path.join(test.workspace, name);
  const text = (test: TestEngine, name: string): Promise<string> =>
    readFile(at(test, name), 'utf8');
  const reviewsOf = ({ engine }: TestEngine): Reviews => {
    assert.ok(engine.reviews !== undefined);
    return engine.reviews;
  };
  const outcomes = ({ taken }: ImportedSession): Record<string, string> =>
    Object.fromEntries(taken.map((one) => [one.path, one.why ?? one.outcome]));

  it('where files do not have the changes, they are written and pending, and the session goes on', async () => {
    const { lines } = await made();
    const test = await open();
    const session = await imported(test, lines);
    assert.deepEqual(new Set(Object.values(outcomes(session))), new Set(['written']));
    assert.deepEqual(takenInWords(session.taken), []);
    assert.equal(await text(test, 'made/new.txt'), 'new\n');
    assert.equal(await text(test, 'run.sh'), '#!/bin/sh\r\n');
    assert.deepEqual(await readFile(at(test, 'pixel.bin')), Buffer.from('a\0b\u00ff', 'latin1'));
    await assert.rejects(stat(at(test, 'gone.txt')));
    const reviews = reviewsOf(test);
    const review = reviews.find(at(test, 'a.txt'));
    assert.ok(review !== undefined);
    const [two, seven] = hunksOf(review);
    assert.deepEqual([two?.added, seven?.added], [['TWO'], ['SEVEN']]);
    await reviews.decisions.undo({ path: at(test, 'a.txt'), choice: [seven?.id ?? ''] });
    assert.equal(await text(test, 'a.txt'), TEXT.replace('two', 'TWO'));
    await reviews.decisions.undo({ path: at(test, 'gone.txt') });
    assert.equal(await text(test, 'gone.txt'), FILES['gone.txt']);
    await test.engine.agent.send(session.sessionId, { text: 'And now?' });
    assert.equal((await test.engine.agent.runs.settled(session.sessionId))?.reason, 'done');
  });

  it('writes nothing unless the user allowed it', async () => {
    const { lines } = await made();
    const test = await open();
    const session = await imported(test, lines, false);
    assert.deepEqual(new Set(Object.values(outcomes(session))), new Set(['not applied']));
    assert.match(takenInWords(session.taken).join(' '), /a\.txt .*were not written/u);
    assert.equal(await text(test, 'a.txt'), TEXT);
    assert.deepEqual(reviewsOf(test).pending, []);
  });

  it('asks for each protected file by itself', async () => {
    const { lines } = await made();
    for (const isAllowed of [false, true]) {
      const test = await open();
      await mkdir(at(test, '.vscode'));
      await writeFile(at(test, '.vscode/tasks.json'), TEXT);
      const asked: string[] = [];
      const renamed = lines.map((line) => line.replaceAll('"a.txt"', '".vscode/tasks.json"'));
      await imported(test, renamed, true, async (file) => {
        asked.push(file);
        return isAllowed;
      });
      assert.deepEqual(asked, ['.vscode/tasks.json']);
      assert.equal((await text(test, '.vscode/tasks.json')) === TEXT, !isAllowed);
    }
  });

  it('where the files have the changes already, they can be taken back, bytes and mode included', async () => {
    const origin = await open(EDITS);
    await chmod(at(origin, 'gone.txt'), 0o755);
    const { sessionId } = await origin.run('Change everything');
    const lines = await linesOf(origin, sessionId);
    const test = await open();
    await rm(test.workspace, { recursive: true });
    await cp(origin.workspace, test.workspace, { recursive: true });
    const session = await imported(test, lines);
    assert.deepEqual(new Set(Object.values(outcomes(session))), new Set(['written']));
    const reviews = reviewsOf(test);
    assert.equal(reviews.pending.length, 5);
    await reviews.decisions.decide(
      'undo',
      reviews.pending.map((review) => ({ path: review.path })),
    );
    assert.deepEqual(reviews.pending, []);
    for (const [name, before] of Object.entries(FILES))
      assert.equal(await text(test, name), before);
    assert.equal((await stat(at(test, 'gone.txt'))).mode & 0o777, 0o755);
    await assert.rejects(stat(at(test, 'made/new.txt')));
  });

  it('merges into files that changed, and names those where it cannot', async () => {
    const { lines } = await made();
    const test = await open();
    await writeFile(at(test, 'a.txt'), TEXT.replace('four', 'four, by me'));
    await rm(at(test, 'pixel.bin'));
    await writeFile(at(test, 'gone.txt'), 'mine\n');
    const session = await imported(test, lines);
    const found = outcomes(session);
    assert.equal(found['a.txt'], 'merged');
    assert.equal(found['pixel.bin'], 'gone');
    assert.equal(found['gone.txt'], 'conflict');
    assert.match(takenInWords(session.taken).join(' '), /gone\.txt .*same lines.*pixel\.bin/u);
    assert.equal(
      await text(test, 'a.txt'),
      TEXT.replace('two', 'TWO').replace('seven', 'SEVEN').replace('four', 'four, by me'),
    );
    assert.equal(await text(test, 'gone.txt'), 'mine\n');
  });

  it('a second import leaves what is pending alone', async () => {
    const { lines } = await made();
    const test = await open();
    await imported(test, lines);
    const before = reviewsOf(test).pending;
    const again = await imported(test, lines);
    assert.deepEqual(new Set(Object.values(outcomes(again))), new Set(['others']));
    assert.deepEqual(reviewsOf(test).pending, before);
  });

  it('a secret in a change keeps that change where it is; the others travel', async () => {
    const { lines } = await made(
      inOrder(
        calls(call('write_file', { path: 'key.txt', content: `${SECRET}\n` }, 'c1')),
        calls(call('write_file', { path: 'plain.txt', content: 'plain\n' }, 'c2')),
        say('Done.'),
      ),
    );
    assert.doesNotMatch(lines.join('\n'), new RegExp(SECRET, 'u'));
    const test = await open();
    const session = await imported(test, lines);
    assert.deepEqual(outcomes(session), { 'key.txt': 'secret', 'plain.txt': 'written' });
  });

  it('a hostile file puts nothing outside of the workspace, into repositories, or behind links', async () => {
    const { lines } = await made();
    for (const bad of ['../out.txt', '/tmp/out.txt', '.git/hooks/pre-commit', '..', '']) {
      const test = await open();
      const forged = lines.map((line) =>
        line.includes('"type":"pending"') ? line.replaceAll('"a.txt"', JSON.stringify(bad)) : line,
      );
      const session = await imported(test, forged);
      assert.ok(['refused', 'unreadable'].includes(outcomes(session)[bad] ?? ''), bad);
      const paths = reviewsOf(test).pending.map((review) => review.path);
      assert.ok(
        paths.every((one) => one.startsWith(`${test.workspace}/`) && !one.includes('.git')),
      );
    }
  });
});
