import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ABSENT, textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\n2\nthree\nfour\n5\nsix\n';
const BOTH = ['-two+2', '-five+5'];

describe('pending changes of a branch that is left and come back to', function () {
  this.timeout(30_000);

  let folder: string;
  let file: string;
  let values: MapValues;
  let clock: FakeClock;
  let reviews: Reviews;

  const open = (): Reviews =>
    new Reviews({ values, writer: '1', files: new NodeFileSystem(), clock, log: silentLog });
  const git = (...given: readonly string[]): string =>
    execFileSync('git', [...given], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@example.com',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@example.com',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  /** What git does to the work tree, and the watcher tells. */
  const gits = async (...given: readonly string[]): Promise<void> => {
    git(...given);
    await reviews.files.fileChanged(file);
  };
  const isAt = (text: string | undefined) => (text === undefined ? ABSENT : textContent(text));
  const edit = async (before: string | undefined, after: string | undefined): Promise<void> => {
    await reviews.agent.edits(file, { before: isAt(before), after: isAt(after) }, by);
    if (after === undefined) rmSync(file);
    else writeFileSync(file, after);
  };
  const texts = (): readonly string[] =>
    reviews.pending.flatMap((review) =>
      hunksOf(review).map(({ removed, added }) => `-${removed.join('|')}+${added.join('|')}`),
    );
  const text = (): string => readFileSync(file, 'utf8');
  const restart = async (): Promise<void> => {
    await reviews.flush();
    reviews.dispose();
    reviews = open();
    await reviews.load();
    await reviews.flush();
  };
  const id = (index: number): string => hunksOf(reviews.pending[0]!)[index]!.id;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-parked-')));
    file = path.join(folder, 'a.txt');
    [values, clock] = [new MapValues(), new FakeClock()];
    reviews = open();
    git('init', '-q', '-b', 'main');
    writeFileSync(file, BEFORE);
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
  });
  afterEach(async () => {
    await reviews.flush();
    reviews.dispose();
    rmSync(folder, { recursive: true });
  });

  it('stash and pop: pending as they were, and each can be decided', async () => {
    await edit(BEFORE, AFTER);
    await gits('stash', '-q');
    assert.deepEqual([texts(), text()], [[], BEFORE]);
    await gits('stash', 'pop', '-q');
    assert.deepEqual([texts(), text()], [BOTH, AFTER]);
    assert.deepEqual(hunksOf(reviews.pending[0]!)[0]?.by, [by]);
    await reviews.decisions.reject({ path: file, choice: [id(0)] });
    assert.equal(text(), AFTER.replace('2', 'two'));
    await reviews.decisions.accept({ path: file });
    await reviews.flush();
    assert.deepEqual(await values.list('review:'), []);
  });

  it('stash, another change of the file, pop: every hunk whose lines come back is pending, and is decided', async () => {
    const changed = BEFORE.replace('six', 'SIX').replace('one', 'zero\none');
    const popped = AFTER.replace('six', 'SIX').replace('one', 'zero\none');
    for (const closed of [false, true]) {
      git('checkout', '-q', '--', 'a.txt');
      await reviews.files.fileChanged(file);
      await edit(BEFORE, AFTER);
      await gits('stash', '-q');
      writeFileSync(file, changed);
      await reviews.files.fileChanged(file);
      assert.deepEqual(texts(), []);
      // As popping a stash merges it.
      if (closed) await reviews.flush();
      writeFileSync(file, popped);
      if (closed) await restart();
      else await reviews.files.fileChanged(file);
      assert.deepEqual([texts(), text()], [BOTH, popped]);
      assert.deepEqual(hunksOf(reviews.pending[0]!)[0]?.by, [by]);
      await reviews.decisions.reject({ path: file });
      assert.deepEqual([texts(), text()], [[], changed]);
      git('stash', 'drop', '-q');
    }
  });

  it('what is back to what it was before the agent has nothing pending, also where its lines are like others', async () => {
    for (const [before, after] of [
      ['same\none\ntwo\n}\n', 'same\none\nsame\n  } three\nfour\n'],
      ['\n\n', '}\nlong one\n'],
    ] as const) {
      const ws = new MemoryWorkspace({ '/a': before });
      await ws.write('write', '/a', after);
      const { pending } = ws;
      await ws.outside({ '/a': before });
      assert.deepEqual(ws.pending, []);
      await ws.outside({ '/a': after });
      assert.deepEqual(ws.pending, pending);
    }
  });

  it('blank lines, and what was only taken away, come back with another change, also to a closed window', async () => {
    for (const [before, after, hunk] of [
      ['one\ntwo\nthree\n', 'one\n\ntwo\nthree\n', '+'],
      ['one\ntwo\nthree\n', 'one\nthree\n', '-two'],
    ] as const)
      for (const closed of [true, false]) {
        const ws = new MemoryWorkspace({ '/a': before });
        const becomes = async (text: string): Promise<void> => {
          if (!closed) return ws.outside({ '/a': text });
          await ws.reviews.flush();
          ws.files.put('/a', text);
          await ws.restart();
          await ws.restart();
        };
        await ws.write('write', '/a', after);
        await becomes(before);
        assert.deepEqual(ws.pending, []);
        await becomes(`${before}mine\n`);
        assert.deepEqual(ws.pending, []);
        await becomes(`${after}mine\n`);
        assert.deepEqual(ws.pending, [`/a: ${hunk}`]);
        await ws.reviews.decisions.reject({ path: '/a' });
        assert.equal(ws.files.text('/a'), `${before}mine\n`);
      }
  });

  it('a file that is what it was when nothing was decided has all of that pending, whatever was rejected before', async () => {
    const ws = new MemoryWorkspace({ '/a': 'mine\n' });
    await ws.write('write', '/a', 'first\nsame\nmine\n');
    await ws.outside({ '/a': 'mine\n' });
    await ws.clock.advance(1000);
    await ws.write('write', '/a', 'same\nmine\n');
    await ws.reviews.decisions.reject({ path: '/a' });
    await ws.outside({ '/a': 'first\nsame\nmine\n' });
    assert.deepEqual(ws.pending, ['/a: +first +same']);
  });

  it('what was pending in a file at the old name of a renamed one comes back, too', async () => {
    const ws = new MemoryWorkspace({ '/a': 'old\n' });
    await ws.rename('write', '/a', '/b');
    await ws.outside({ '/a': 'mine\n' });
    await ws.write('write', '/a', 'new\nmine\n');
    await ws.outside({ '/a': 'mine\n' });
    await ws.outside({ '/a': 'new\nmine\n' });
    assert.deepEqual(ws.pending, ['/a: +new', '/a → /b: ']);
  });

  it('a line that the agent took away comes back once, after the file went back and forth', async () => {
    const ws = new MemoryWorkspace({ '/a': '\none\ntwo\n' });
    await ws.write('write', '/a', '\ntwo');
    const { pending } = ws;
    await ws.outside({ '/a': '' });
    await ws.outside({ '/a': '\ntwo' });
    assert.deepEqual(ws.pending, pending);
    await ws.reviews.decisions.reject({ path: '/a' });
    assert.equal(ws.files.text('/a'), '\none\ntwo\n');
  });

  it('one hunk comes back, then the other; what was accepted of them does not', async () => {
    await edit(BEFORE, AFTER);
    await gits('stash', '-q');
    const one = BEFORE.replace('six', 'mine').replace('two', '2');
    writeFileSync(file, one);
    await reviews.files.fileChanged(file);
    assert.deepEqual(texts(), BOTH.slice(0, 1));
    await reviews.decisions.accept({ path: file });
    await restart();
    writeFileSync(file, one.replace('five', '5'));
    await reviews.files.fileChanged(file);
    assert.deepEqual(texts(), BOTH.slice(1));
    await reviews.decisions.reject({ path: file });
    assert.equal(text(), one);
  });

  it('what is too large for one value is kept as well', async () => {
    const large = `${Array.from({ length: 60_000 }, (_, line) => `line ${line}`).join('\n')}\n`;
    writeFileSync(file, large);
    git('commit', '-q', '-a', '-m', 'large');
    await edit(large, `new\n${large}`);
    await gits('stash', '-q');
    assert.deepEqual(texts(), []);
    await restart();
    await gits('stash', 'pop', '-q');
    assert.deepEqual(texts(), ['-+new']);
    for (const { value } of await values.list('review-parked'))
      assert.ok(JSON.stringify(value).length < 400_000);
  });

  it('another branch and back, also when the window was closed meanwhile, at either end', async () => {
    for (const closed of ['never', 'there', 'both'] as const) {
      git('checkout', '-q', '-B', `work-${closed}`);
      await edit(text(), AFTER);
      git('commit', '-q', '-a', '-m', 'of the agent');
      if (closed === 'both') {
        await reviews.flush();
        git('checkout', '-q', 'main');
        await restart();
      } else await gits('checkout', '-q', 'main');
      assert.deepEqual(texts(), [], closed);
      await clock.advance(20_000);
      if (closed === 'there') await restart();
      assert.ok(reviews.files.known.includes(file), 'the file is watched');
      if (closed === 'both') {
        git('checkout', '-q', `work-${closed}`);
        await restart();
      } else await gits('checkout', '-q', `work-${closed}`);
      assert.deepEqual([texts(), text()], [BOTH, AFTER], closed);
      await restart();
      assert.deepEqual(texts(), BOTH, closed);
      await reviews.decisions.reject({ path: file });
      git('checkout', '-q', '--', 'a.txt');
      git('checkout', '-q', 'main');
      await reviews.files.fileChanged(file);
      assert.deepEqual(texts(), []);
    }
  });

  it('what the person decided before, or decides on the other branch, is not pending again', async () => {
    await edit(BEFORE, AFTER);
    await reviews.decisions.accept({ path: file, choice: [id(0)] });
    await gits('stash', '-q');
    await gits('stash', 'pop', '-q');
    assert.deepEqual(texts(), ['-five+5']);
    // The other branch has one of the two lines; the agent writes the other one there, too.
    await gits('stash', '-q');
    await edit(BEFORE, BEFORE.replace('five', '5'));
    await reviews.decisions.accept({ path: file });
    git('checkout', '-q', '--', 'a.txt');
    await gits('stash', 'pop', '-q');
    assert.deepEqual([texts(), text()], [[], AFTER]);
    // Rejected: pending when something brings it back.
    await reviews.flush();
    writeFileSync(file, BEFORE);
    await reviews.files.fileChanged(file);
    await edit(BEFORE, AFTER);
    git('stash', '-q');
    await reviews.files.fileChanged(file);
    await edit(BEFORE, AFTER);
    await reviews.decisions.reject({ path: file });
    await gits('stash', 'pop', '-q');
    assert.deepEqual([texts(), text()], [BOTH, AFTER]);
  });

  it('another content is not it: what the person made of the file in between stays theirs', async () => {
    await edit(BEFORE, AFTER);
    await gits('stash', '-q');
    await gits('stash', 'apply', '-q');
    assert.deepEqual(texts(), BOTH);
    await gits('checkout', '--', 'a.txt');
    writeFileSync(file, AFTER.replace('six', 'mine'));
    await reviews.files.fileChanged(file);
    assert.deepEqual(texts(), BOTH);
    await gits('checkout', '--', 'a.txt');
    // Typed, it is the person's, even when it is the same.
    const [start, end] = [
      { line: 1, character: 0 },
      { line: 1, character: 3 },
    ];
    const typed = BEFORE.replace('two', '2');
    writeFileSync(file, typed);
    reviews.files.documentChanged(file, textContent(typed), {
      kind: 'typed',
      changes: [{ start, end, text: '2' }],
    });
    await reviews.files.fileChanged(file);
    writeFileSync(file, typed.replace('six', '6'));
    await reviews.files.fileChanged(file);
    assert.deepEqual(texts(), []);
  });

  it('files that are made, deleted and gone for a while', async () => {
    // Deleted by the agent; the stash brings it back, popping takes it away again.
    await edit(BEFORE, undefined);
    await gits('stash', '-q');
    assert.deepEqual(texts(), []);
    await gits('stash', 'pop', '-q');
    assert.equal(hunksOf(reviews.pending[0]!)[0]?.kind, 'delete');
    await reviews.decisions.reject({ path: file });
    assert.equal(text(), BEFORE);
    // Made by the agent and committed on a branch.
    rmSync(file);
    git('commit', '-q', '-a', '-m', 'gone');
    await reviews.files.fileChanged(file);
    git('checkout', '-q', '-b', 'made');
    await edit(undefined, AFTER);
    git('add', '-A');
    git('commit', '-q', '-m', 'made');
    await gits('checkout', '-q', 'main');
    assert.equal(
      reviews.pending.every(({ fileMissing }) => fileMissing),
      true,
    );
    await restart();
    assert.equal(reviews.decisions.offers.length, 1);
    await gits('checkout', '-q', 'made');
    assert.deepEqual(reviews.decisions.offers, []);
    assert.equal(hunksOf(reviews.pending[0]!)[0]?.kind, 'create');
    await restart();
    assert.equal(reviews.pending.length, 1);
  });

  it('a formatter parks nothing; what is parked is bounded by count, size and age', async () => {
    await edit(BEFORE, AFTER);
    writeFileSync(file, AFTER.replace('2', '2;').replace('5', '5;'));
    await reviews.files.fileChanged(file);
    await reviews.flush();
    assert.deepEqual(await values.list('review-parked:'), []);
    let now = text();
    for (let turn = 0; turn < 12; turn += 1) {
      const next = BEFORE.replace('two', `turn ${turn}`);
      await edit(now, next);
      writeFileSync(file, BEFORE);
      await reviews.files.fileChanged(file);
      now = BEFORE;
      await clock.advance(1000);
    }
    await reviews.flush();
    assert.equal((await values.list('review-parked:')).length, 8);
    const told = () => reviews.records.unlisted.all.map(({ paths, dropped }) => [paths, dropped]);
    assert.deepEqual(told(), [[[file], true]], 'what nobody decided does not go silently');
    reviews.records.unlisted.dismiss();
    await clock.advance(31 * 24 * 60 * 60 * 1000);
    await restart();
    assert.deepEqual(await values.list('review-parked'), []);
    assert.deepEqual(told(), [[[file], true]]);
    await restart();
    assert.deepEqual(told(), [[[file], true]], 'until it is seen');
  });

  it('what the person rejected is dropped without a word', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      await edit(BEFORE, BEFORE.replace('two', `turn ${turn}`));
      await reviews.decisions.reject({ path: file });
      await clock.advance(1000);
    }
    await reviews.flush();
    assert.equal((await values.list('review-parked:')).length, 8);
    assert.deepEqual(reviews.records.unlisted.all, []);
  });

  it('a file that an editor reads anew, there and back, is pending again', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    const reads = (text: string): void => {
      ws.files.put('/a', text);
      ws.reviews.files.documentChanged('/a', textContent(text), { kind: 'outside' });
    };
    await ws.write('write', '/a', 'one\nnew\n');
    reads('one\n');
    assert.deepEqual(ws.pending, []);
    await ws.reviews.flush();
    reads('one\nnew\n');
    await ws.reviews.flush();
    assert.deepEqual(ws.pending, ['/a: +new']);
  });

  it('what is offered of a file that was gone is pending when the file is back, once nothing else of it is', async () => {
    const ws = new MemoryWorkspace();
    await ws.write('write', '/a', 'first\n');
    ws.files.put('/a', undefined);
    await ws.restart();
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers.length], [[], 1]);
    await ws.write('write', '/a', 'first\n');
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers.length], [['/a: +first +'], 1]);
    await ws.outside({ '/a': 'mine\n' });
    assert.deepEqual(ws.pending, []);
    await ws.outside({ '/a': 'first\n' });
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers], [['/a: +first +'], []]);
    await ws.crash();
    assert.deepEqual(ws.pending, ['/a: +first +']);
  });
});
