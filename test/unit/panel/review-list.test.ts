import assert from 'node:assert/strict';
import { CallOutcomes } from '../../../src/core/review/storage/call-outcomes.ts';
import type { ReviewFileView, ReviewView } from '../../../src/protocol/review-view.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { PendingWork } from '../../support/pending-work.ts';
import type { Mirror } from './mirror.ts';
import { open as openPanel, S, text } from './open-panel.ts';
import type { Stage } from './stage.ts';

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const BEFORE = LINES.join('\n');
const with_ = (changes: Readonly<Record<number, string>>): string =>
  LINES.map((line, index) => changes[index + 1] ?? line).join('\n');
const DECIDED = { id: null, done: 1, failed: [], newer: 0, left: 0 };

describe('the list of pending changes', () => {
  let clock: FakeClock;
  let stage: Stage;
  let mirror: Mirror;
  let work: PendingWork;

  const open = async (
    prepare: (made: PendingWork, on: Stage) => Promise<void> = async () => undefined,
  ): Promise<void> => {
    let making: Promise<void> = Promise.resolve();
    ({ clock, stage, mirror } = await openPanel((made) => {
      work = new PendingWork(made.clock);
      made.reviews = work.reviews;
      made.roots = [work.folder];
      made.store(S, 'user', [text('Make it better,\n\nplease')], { id: 'request' });
      making = prepare(work, made);
    }));
    await making;
    await clock.advance(1000);
  };
  const review = (): ReviewView => {
    assert.ok(mirror.snapshot !== undefined);
    return mirror.snapshot.review;
  };
  const files = (): readonly ReviewFileView[] =>
    review().groups.flatMap((group) =>
      group.files.map((key) => {
        const file = review().files[key];
        assert.ok(file !== undefined, `the group names ${key}`);
        return file;
      }),
    );
  const onlyHunk = (): { path: string; hunkId: string } => {
    const [file] = files();
    const [hunk] = file?.hunks ?? [];
    assert.ok(file !== undefined && hunk !== undefined);
    return { path: file.path, hunkId: hunk.id };
  };

  afterEach(() => {
    stage.panel.dispose();
    work[Symbol.dispose]();
    assert.equal(clock.pending, 0, 'no timer is left');
  });

  it('names request, files and hunks with their places, counts and first lines', async () => {
    await open(async (made) => {
      await made.edit('src/b.ts', [
        BEFORE,
        with_({ 3: '  three\n  and more\n  and more\n  and more', 10: 'ten' }),
      ]);
      await made.edit('src/a.ts', [null, 'new\n'], { messageId: 'later', at: 1e15 });
    });
    assert.deepEqual(review().totals, { files: 2, hunks: 3, added: 6, removed: 2 });
    const [first, second] = review().groups;
    assert.equal(first?.text, 'Make it better, please');
    assert.equal(first.session, 'First');
    assert.deepEqual([first.count, first.added, first.removed, first.hidden], [2, 5, 2, 0]);
    assert.equal(second?.messageId, 'later');
    const [written, created] = files();
    assert.deepEqual([written?.name, written?.state, written?.count], ['src/b.ts', 'changed', 2]);
    assert.deepEqual([created?.name, created?.state], ['src/a.ts', 'created']);
    assert.deepEqual(
      written?.hunks.map(({ line, lines, added, removed }) => [line, lines, added, removed]),
      [
        [3, 4, 4, 1],
        [13, 1, 1, 1],
      ],
    );
    assert.deepEqual(written?.hunks[0]?.preview, [
      { kind: 'removed', text: 'line 3', line: 3 },
      { kind: 'added', text: '  three', line: 3 },
    ]);
  });

  it('tells of a renaming alone, a deletion, a command, a conflict and what the person changed', async () => {
    await open(async (made) => {
      made.write('old.ts', 'same');
      const content = { kind: 'text', lines: ['same'] } as const;
      await made.reviews.agent.renames(
        made.at('old.ts'),
        { path: made.at('new.ts'), content },
        made.by(),
      );
      await made.edit('gone.ts', ['a\nb', null]);
      await made.edit('both.ts', [BEFORE, with_({ 5: 'mine' })]);
      made.write('both.ts', with_({ 5: 'mine too' }));
      await made.reviews.files.fileChanged(made.at('both.ts'));
      await made.edit('mine.ts', [BEFORE, with_({ 5: 'made' })]);
      const mine = { kind: 'text', lines: with_({ 5: 'made better' }).split('\n') } as const;
      made.reviews.files.documentChanged(made.at('mine.ts'), mine, 'editor');
    });
    const named = Object.fromEntries(files().map((file) => [file.name, file]));
    assert.equal(named['new.ts']?.renamedFrom, 'old.ts');
    assert.deepEqual([named['new.ts'].count, named['new.ts'].hunks], [1, []]);
    assert.equal(named['gone.ts']?.state, 'deleted');
    assert.deepEqual(named['both.ts'], undefined);
    assert.equal(named['mine.ts']?.hunks[0]?.edited, true);
    assert.equal(review().totals.hunks, 3);
  });

  it('keeps to what it may list: the rest is counted', async () => {
    await open(async (made) => {
      const before = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
      const after = before.map((line, index) => (index % 2 === 0 ? line : `${line}!`));
      await made.edit('a.ts', [before.join('\n'), after.join('\n')]);
      await made.edit('b.ts', [BEFORE, with_({ 1: 'one' })]);
    });
    assert.equal(review().totals.hunks, 501);
    assert.deepEqual(
      files().map(({ name, count, hunks }) => [name, count, hunks.length]),
      [['a.ts', 500, 300]],
    );
    assert.equal(review().groups[0]?.hidden, 1);
    assert.ok(JSON.stringify(review()).length < 150_000);
  });

  it('shows hidden characters of names, lines and messages as what they are', async () => {
    await open(async (made, on) => {
      on.store(S, 'user', [text('turn\u202earound')], { id: 'evil' });
      await made.edit('a\u202eb.ts', ['x', 'y\u202ez\u0007'], {
        messageId: 'evil',
      });
    });
    const shown = files().map(({ name, hunks }) => [name, hunks]);
    const words = review().groups.map((group) => group.text);
    assert.doesNotMatch(JSON.stringify([shown, words]), /\u202e|\\u0007/u);
  });

  it('follows many changes at once with few posts, each only with what is different', async () => {
    await open(async (made) => {
      for (let index = 0; index < 40; index += 1)
        await made.edit(`file-${index}.ts`, [BEFORE, with_({ 2: `two ${index}` })]);
    });
    const before = mirror.posted.length;
    const bytes = mirror.bytes;
    for (let index = 0; index < 20; index += 1) {
      await work.again('file-7.ts', with_({ 2: 'two 7', 9: `nine ${index}` }));
      await clock.advance(10);
    }
    await clock.advance(1000);
    assert.ok(mirror.posted.length - before <= 3, `${mirror.posted.length - before} posts`);
    assert.ok(mirror.bytes - bytes < 20_000, `${mirror.bytes - bytes} bytes`);
    const [changed] = files().filter(({ name }) => name === 'file-7.ts');
    assert.equal(changed?.hunks.length, 2);
    assert.deepEqual(review(), { ...(await stage.panel.review())?.view });
  });

  it('decides about a hunk, a file, a request, and all; what is stale is refused and nothing is done', async () => {
    await open(async (made) => {
      await made.edit('a.ts', [BEFORE, with_({ 3: 'three', 10: 'ten' })]);
      await made.edit('b.ts', [BEFORE, with_({ 4: 'four' })], { messageId: 'later' });
      await made.edit('c.ts', [BEFORE, with_({ 5: 'five' })], { messageId: 'later' });
    });
    const hunk = onlyHunk();
    const { version } = review();
    const of = { of: 'hunk', ...hunk } as const;
    await mirror.request('decideChanges', { decision: 'undo', version, selection: of });
    assert.equal(work.text('a.ts'), with_({ 10: 'ten' }));
    await assert.rejects(
      mirror.request('decideChanges', { decision: 'undo', version, selection: of }),
      /not pending any more.*Nothing was done/u,
    );
    assert.equal(work.text('a.ts'), with_({ 10: 'ten' }));
    assert.equal(review().totals.hunks, 3, 'the reply comes after the list');
    const later = { sessionId: S, messageId: 'later' };
    const decided = await mirror.request('decideChanges', {
      decision: 'keep',
      version: review().version,
      selection: { of: 'file', path: work.at('c.ts'), ...later },
    });
    assert.deepEqual({ ...decided, id: null }, DECIDED);
    assert.equal(work.text('c.ts'), with_({ 5: 'five' }));
    await mirror.request('decideChanges', {
      decision: 'undo',
      version: review().version,
      selection: { of: 'request', ...later },
    });
    assert.equal(work.text('b.ts'), BEFORE);
    await mirror.request('decideChanges', {
      decision: 'keep',
      version: review().version,
      selection: { of: 'all' },
    });
    assert.equal(review().totals.hunks, 0);
    assert.deepEqual([review().groups, review().files], [[], {}]);
  });

  it('tells of each call what became of its changes, also after a restart', async () => {
    await open(async (made) => {
      await made.edit('a.ts', [BEFORE, with_({ 3: 'three' })], { callId: 'c1' });
      await made.again('a.ts', with_({ 3: 'three', 10: 'ten' }), { callId: 'c2' });
      await made.again('a.ts', with_({ 3: 'three', 10: 'ten', 18: 'x' }), {
        callId: 'c2',
      });
      await made.edit('b.ts', [BEFORE, with_({ 3: 'three' })], { callId: 'c3' });
    });
    assert.deepEqual(review().calls, { c1: 'pending', c2: 'pending', c3: 'pending' });
    const [ids] = files().map(({ hunks }) => hunks.map(({ id }) => id));
    const path = work.at('a.ts');
    await work.reviews.decisions.keep({ path, choice: ids?.slice(0, 2) ?? [] });
    await work.reviews.decisions.undo({ path });
    await clock.advance(1000);
    assert.deepEqual(review().calls, { c1: 'kept', c2: 'partly', c3: 'pending' });
    const find = (): undefined => undefined;
    const later = new CallOutcomes({ values: work.values, log: silentLog, find });
    await later.load(S);
    assert.deepEqual(
      [...later.of(S)],
      [
        ['c1', { kept: 1, undone: 0 }],
        ['c2', { kept: 1, undone: 1 }],
      ],
    );
  });

  it('sends a comment on a change that is there', async () => {
    await open((made) => made.edit('a.ts', [BEFORE, with_({ 3: 'three' })]));
    const change = onlyHunk();
    await mirror.request('commentOnChange', { ...change, text: 'Why?' });
    assert.deepEqual(stage.calls, [`comment ${change.path} ${change.hunkId} Why?`]);
    await assert.rejects(
      mirror.request('commentOnChange', { ...change, hunkId: 'made-up', text: 'Why?' }),
      /not pending any more.*Nothing was done/u,
    );
    assert.equal(stage.calls.length, 1);
  });

  it('security: does nothing for what no list could have asked', async () => {
    await open((made) => made.edit('a.ts', [BEFORE, with_({ 3: 'three' })]));
    const { hunkId, ...place } = onlyHunk();
    const { version } = review();
    const decide = { decision: 'undo', version };
    for (const [name, params] of [
      ['decideChanges', { ...decide, selection: { of: 'everything' } }],
      ['decideChanges', { ...decide, decision: 'redo', selection: { of: 'all' } }],
      ['decideChanges', { ...decide, version: -1, selection: { of: 'all' } }],
      ['decideChanges', { ...decide, selection: { of: 'all', path: '/etc/passwd' } }],
      ['decideChanges', { ...decide, selection: { of: 'hunk', ...place, hunkId: '' } }],
      ['decideChanges', { ...decide, selection: { of: 'hunk', ...place, hunkId: 'made-up' } }],
      ['decideChanges', { ...decide, selection: { of: 'hunk', path: '/etc/passwd', hunkId } }],
      [
        'decideChanges',
        { ...decide, selection: { of: 'request', sessionId: '__proto__', messageId: 'request' } },
      ],
      ['lookAt', { ...place, hunkIds: [], looked: true }],
      ['lookAt', { ...place, hunkIds: Array.from({ length: 400 }, () => hunkId), looked: true }],
      ['openChange', { ...place, kind: 'baseline', hunkId }],
      ['openChange', { path: '../../etc/passwd', hunkId: null }],
      ['openCallChange', { callId: '__proto__' }],
      ['unfoldChanges', { unfolded: 'yes' }],
      ['commentOnChange', { ...place, hunkId, text: '' }],
    ] as const)
      await assert.rejects(mirror.requestRaw(name, params), /Nothing was/u, JSON.stringify(params));
    assert.equal(work.text('a.ts'), with_({ 3: 'three' }));
    assert.equal(review().totals.hunks, 1);
    assert.deepEqual(stage.calls, []);
  });

  it('remembers whether the list is unfolded', async () => {
    await open();
    await mirror.request('unfoldChanges', { unfolded: true });
    assert.equal(review().unfolded, true);
    assert.equal(stage.changesUnfolded, true);
  });
});
