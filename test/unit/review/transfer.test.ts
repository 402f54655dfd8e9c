import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { LARGEST_MADE } from '../../../src/core/review/model/proposed-bytes.ts';
import { userEdited } from '../../../src/core/review/model/user-edits.ts';
import { hashOf } from '../../../src/core/review/service/file-bytes.ts';
import { pendingRecordFrom } from '../../../src/core/review/transfer/pending-record.ts';
import { pendingRecords } from '../../../src/core/review/transfer/pending-records.ts';
import { takenInWords } from '../../../src/core/review/transfer/taken-in-words.ts';
import { type TakenIn, takeInPending } from '../../../src/core/review/transfer/taken-in.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const BINARY = new Uint8Array([0x89, 0, 1]);
const text = (bytes: string): string => Buffer.from(bytes, 'base64').toString();

/** What travels of a workspace. */
const recordsOf = (
  ws: MemoryWorkspace,
  sessionIds = ['s'],
  roots = ['/w'],
): Promise<readonly JsonObject[]> => pendingRecords({ reviews: ws.reviews, roots }, sessionIds);

const write = (ws: MemoryWorkspace, path: string, bytes: Uint8Array): Promise<void> => {
  const replaces = ws.files.contents.get(path) ?? ('nothing' as const);
  return ws.agent.write(path, bytes, { exact: true, replaces, origin: ws.origin('write') });
};

describe('pending changes on their way to another machine', () => {
  const leaves = async (ws: MemoryWorkspace): Promise<unknown> =>
    (await recordsOf(ws))[0]?.['left'];

  it('those of the sessions go, with what lines do not tell; those outside of the workspace stay', async () => {
    const ws = new MemoryWorkspace({
      '/w/a': 'a\n',
      '/w/x/b': 'b\n',
      '/w/x/c': 'c\n',
      '/z/d': 'd\n',
    });
    ws.files.contents.set('/w/i', BINARY);
    await ws.write('write', '/w/a', 'A\n');
    await ws.write('write', '/w/n', 'n\r\n');
    await ws.delete('write', '/w/i');
    await ws.write('propose', '/w/m', 'm\n');
    await ws.rename('propose', '/w/x/b', '/w/y/b');
    await ws.rename('write', '/z/d', '/w/d');
    await ws.write('write', '/z/e', 'e\n');
    const records = await recordsOf(ws);
    assert.deepEqual(
      records.map(({ kind, folder, path, bytes, kept, review }) => {
        const { renamedFrom } = review as JsonObject;
        return [kind, folder, path, bytes, kept, renamedFrom].filter((one) => one !== undefined);
      }),
      [
        ['written', 'w', 'a'],
        ['written', 'w', 'd', '/z/d'],
        ['written', 'w', 'i', { bytes: Buffer.from(BINARY).toString('base64'), mode: 0o644 }],
        ['proposed', 'w', 'm'],
        ['written', 'w', 'n', Buffer.from('n\r\n').toString('base64')],
        ['proposed', 'w', 'y/b', 'x/b'],
      ],
    );
    for (const { path, review } of records) {
      assert.equal((review as JsonObject)['path'], path);
      assert.equal((review as JsonObject)['kept'], undefined, 'it is beside it');
    }
    assert.deepEqual(await recordsOf(ws, ['other']), []);
    assert.deepEqual(await recordsOf(ws, ['s'], ['/w/x']), []);
  });

  it('of a folder that goes with its files the name goes along', async () => {
    const ws = new MemoryWorkspace({ '/w/x/b': 'b\n' });
    await ws.delete('propose', '/w/x/b');
    const review = ws.reviews.find('proposed', '/w/x/b') ?? assert.fail();
    await ws.reviews.agent.repropose('/w/x/b', { ...review, folder: '/w/x' });
    const [record = assert.fail()] = await recordsOf(ws);
    assert.equal((record['review'] as JsonObject)['folder'], 'x');
  });

  it('those that several sessions made go with each of them, whatever the person typed since', async () => {
    const ws = new MemoryWorkspace({ '/w/a': '1\n2\n3\n' });
    const edit = (before: string, after: string, who: Partial<Attribution>): Promise<void> =>
      ws.reviews.agent.edits(
        'written',
        '/w/a',
        { before: textContent(before), after: textContent(after) },
        { ...by, ...who },
      );
    await edit('1\n2\n3\n', 'x\n2\n3\n', { sessionId: 'first' });
    const first = ws.reviews.find('written', '/w/a') ?? assert.fail();
    const typed = userEdited(first, [], textContent('x\nmine\n2\n3\n'));
    await ws.reviews.agent.takeIn('written', { ...typed, path: '/w/b' });
    await edit('x\n2\n3\n', 'x\n2\ny\n', { sessionId: 'second', callId: '2' });
    for (const session of ['first', 'second'])
      assert.equal(
        (await recordsOf(ws, [session])).some(({ path }) => path === 'a'),
        true,
      );
    assert.deepEqual(await recordsOf(ws, ['third']), []);
    const renamed = { ...first, path: '/w/c', knownToSession: 'other', marks: [] };
    await ws.reviews.agent.takeIn('written', { ...renamed, wholeFileBy: [by] });
    await ws.reviews.agent.takeIn('written', { ...first, path: '/w/d', marks: [] });
    for (const [session, path] of [
      ['s', 'c'],
      ['first', 'd'],
    ] as const)
      assert.equal((await recordsOf(ws, [session])).at(-1)?.['path'], path);
  });

  it('what is too large, or is another file by now, stays behind', async () => {
    const large = new Uint8Array(LARGEST_MADE + 1);
    const ws = new MemoryWorkspace({ '/w/a': 'a\n' });
    await write(ws, '/w/a', BINARY);
    assert.equal(await leaves(ws), undefined);
    ws.files.put('/w/a', 'another');
    assert.equal(await leaves(ws), 'large');
    const review = ws.reviews.find('written', '/w/a') ?? assert.fail();
    const document = { kind: 'binary', hash: await hashOf(large), bytes: large.length } as const;
    const there = new MemoryWorkspace();
    there.files.contents.set('/w/a', large);
    await there.reviews.agent.takeIn('written', { ...review, document });
    assert.equal(await leaves(there), 'large');
    const before = new MemoryWorkspace();
    before.files.contents.set('/w/a', BINARY);
    await before.delete('write', '/w/a');
    assert.equal(await leaves(before), undefined);
    Object.assign(before.kept, { read: async () => large });
    assert.equal(await leaves(before), 'large', 'the file before');
    // Cleaned up, it comes back as far as lines tell it.
    const cleaned = new MemoryWorkspace({ '/w/a': 'a\n' });
    await write(cleaned, '/w/a', BINARY);
    const gone = new BelayError({ code: 'not_found', message: 'It is gone.' });
    Object.assign(cleaned.kept, { read: () => Promise.reject(gone) });
    const [binary] = await recordsOf(cleaned);
    assert.deepEqual([binary?.['left'], binary?.['kept']], [undefined, undefined]);
    const proposed = new MemoryWorkspace();
    await proposed.agent.write('/w/i', BINARY, {
      exact: true,
      replaces: 'nothing',
      origin: proposed.origin('propose'),
    });
    assert.equal(await leaves(proposed), undefined, 'a proposal holds its bytes');
    // Of a text the lines are enough.
    const made = new MemoryWorkspace();
    await made.write('write', '/w/n', 'n\r\n');
    made.files.put('/w/n', 'n\r\nmore\r\n');
    const [record] = await recordsOf(made);
    assert.deepEqual([record?.['left'], record?.['bytes']], [undefined, undefined]);
  });
});

describe('pending changes of another machine', () => {
  let warned: number;
  const taken = async (
    ws: MemoryWorkspace,
    records: readonly Json[],
    roots = ['/w'],
  ): Promise<readonly string[]> => {
    const guard = {
      judge: async ({ path }: { path: string }) => ({
        place: path.includes('.git') ? 'outside' : path.includes('.vscode') ? 'config' : 'inside',
      }),
    };
    const all = await takeInPending(
      {
        reviews: ws.reviews,
        guard: guard as never,
        roots,
        log: { ...silentLog, warn: () => void (warned += 1) },
      },
      records,
    );
    return all.map(({ path, outcome, why }) => [path, outcome, why ?? ''].join(' ').trim());
  };
  /** The record of one change, made elsewhere. */
  const record = async (
    how: 'write' | 'propose',
    path: string,
    before: string | undefined,
    after: string | undefined,
  ): Promise<JsonObject> => {
    const ws = new MemoryWorkspace(before === undefined ? {} : { [path]: before });
    await (after === undefined ? ws.delete(how, path) : ws.write(how, path, after));
    return (await recordsOf(ws))[0] ?? assert.fail();
  };
  const reviewIn = (one: JsonObject, more: JsonObject): JsonObject => ({
    ...one,
    review: { ...(one['review'] as JsonObject), ...more },
  });
  beforeEach(() => {
    warned = 0;
  });

  const BEFORE = 'one\ntwo\nthree\nfour\n';
  const AFTER = 'one\ntwo\nthree\nfour\nfive\nsix\n';

  it('are written where the file is nearer to what it was with them, else they are proposed', async () => {
    for (const [now, outcome, pending] of [
      [AFTER, 'written', 'written /w/a: +five +six'],
      [BEFORE, 'proposed', 'proposed /w/a: +five +six'],
      [AFTER.replace('one', 'ONE'), 'merged', 'written /w/a: +five +six'],
      [BEFORE.replace('one', 'ONE'), 'merged', 'proposed /w/a: +five +six'],
      [AFTER.replace('six\n', ''), 'merged', 'proposed /w/a: +six'],
    ] as const) {
      const ws = new MemoryWorkspace({ '/w/a': now });
      const all = await taken(ws, [await record('write', '/w/a', BEFORE, AFTER)]);
      assert.deepEqual([all, ws.pending], [[`a ${outcome}`], [pending]], now);
      assert.equal(ws.files.text('/w/a'), now, 'nothing is written');
    }
    // Two lines of three at its top are as the agent made them, and the last one is not.
    const far = (top: string, end: string): string =>
      `${top}${Array.from({ length: 20 }, (_, index) => `${index}\n`).join('')}${end}\n`;
    const mostly = new MemoryWorkspace({ '/w/a': far('x\ny\n', 'end') });
    const three = await record('write', '/w/a', far('1\n2\n', 'end'), far('x\ny\n', 'END'));
    assert.deepEqual(await taken(mostly, [three]), ['a merged']);
    assert.deepEqual(mostly.pending, ['written /w/a: -1 -2 +x +y']);
    const same = new MemoryWorkspace({ '/w/a': AFTER });
    assert.deepEqual(await taken(same, [await record('propose', '/w/a', BEFORE, AFTER)]), [
      'a left done',
    ]);
    const gone = new MemoryWorkspace();
    assert.deepEqual(await taken(gone, [await record('write', '/w/a', BEFORE, AFTER)]), [
      'a left gone',
    ]);
    const settled = reviewIn(await record('write', '/w/a', BEFORE, AFTER), {
      baseline: { kind: 'text', text: AFTER },
      document: { kind: 'text', text: AFTER },
      told: { kind: 'text', text: AFTER },
    });
    for (const now of [AFTER, BEFORE])
      assert.deepEqual(await taken(new MemoryWorkspace({ '/w/a': now }), [settled]), [
        'a left done',
      ]);
    // Another file by now: nothing of what the agent made is in it.
    const numbered = (name: string): string =>
      Array.from({ length: 20 }, (_, index) => `${name} ${index}\n`).join('');
    const other = await record('write', '/w/a', undefined, numbered('agent'));
    const forged = reviewIn(other, { baseline: { kind: 'text', text: numbered('x').repeat(3) } });
    const there = new MemoryWorkspace({ '/w/a': numbered('mine') });
    assert.deepEqual(await taken(there, [forged]), ['a left gone']);
    assert.deepEqual(there.pending, []);
  });

  it('new, deleted and binary files are taken for what they are', async () => {
    const made = await record('write', '/w/n', undefined, 'n\r\n');
    const there = new MemoryWorkspace({ '/w/n': 'mine\n' });
    assert.deepEqual(await taken(there, [made]), ['n merged']);
    assert.match(there.pending.join(), /^proposed \/w\/n: /u);
    const ws = new MemoryWorkspace();
    assert.deepEqual(await taken(ws, [made]), ['n proposed']);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/w/n' });
    assert.equal(ws.files.text('/w/n'), 'n\r\n', 'its line ends came along');
    const plain = await record('write', '/w/n', undefined, 'n\n');
    const other = new MemoryWorkspace();
    await taken(other, [plain]);
    assert.equal(other.reviews.find('proposed', '/w/n')?.proposedBytes, undefined);
    const more = new MemoryWorkspace({ '/w/n': 'n\r\nmore\r\n' });
    assert.deepEqual(await taken(more, [made]), ['n left done'], 'it was there without the agent');
    const deleted = await record('write', '/w/a', BEFORE, undefined);
    assert.deepEqual(await taken(new MemoryWorkspace(), [deleted]), ['a written']);
    const shorter = await record('write', '/w/a', BEFORE, 'one\n');
    for (const [one, now] of [
      [deleted, 'mine\n'],
      [shorter, 'a\0b'],
    ] as const) {
      const others = new MemoryWorkspace({ '/w/a': now });
      assert.deepEqual(await taken(others, [one]), ['a merged']);
      assert.match(others.pending.join(), /^proposed /u);
    }
    const binary = new MemoryWorkspace();
    await write(binary, '/w/i', BINARY);
    const [bytes = assert.fail()] = await recordsOf(binary);
    const gets = new MemoryWorkspace();
    assert.deepEqual(await taken(gets, [{ ...bytes, bytes: 'AAAA' }]), ['i left unreadable']);
    assert.deepEqual(await taken(gets, [{ ...bytes, bytes: '!' }]), ['i left unreadable']);
    assert.deepEqual(await taken(gets, [bytes]), ['i proposed']);
    await gets.reviews.decisions.accept({ kind: 'proposed', path: '/w/i' });
    assert.deepEqual(new Uint8Array(gets.files.contents.get('/w/i') ?? []), BINARY);
  });

  it('the file before comes along where lines do not tell it, or the change stays behind', async () => {
    const from = new MemoryWorkspace();
    from.files.contents.set('/w/i', BINARY);
    await write(from, '/w/i', new Uint8Array([0, 2]));
    const [changed = assert.fail()] = await recordsOf(from);
    const has = (): MemoryWorkspace => {
      const ws = new MemoryWorkspace();
      ws.files.contents.set('/w/i', new Uint8Array([0, 2]));
      return ws;
    };
    const { kept, ...without } = changed;
    for (const one of [
      without,
      { ...changed, kept: { bytes: 'AAAA', mode: 0o644 } },
      { ...changed, kept: { bytes: '!', mode: 0o644 } },
    ])
      assert.deepEqual(await taken(has(), [one]), ['i left unreadable']);
    const ofText = new MemoryWorkspace({ '/w/i': 't\n' });
    await write(ofText, '/w/i', new Uint8Array([0, 2]));
    const [lines = assert.fail()] = await recordsOf(ofText);
    const plain = has();
    assert.deepEqual(await taken(plain, [{ ...lines, kept: { bytes: '!', mode: 0o644 } }]), [
      'i written',
    ]);
    assert.equal(plain.reviews.find('written', '/w/i')?.kept, undefined);
    const ws = has();
    assert.deepEqual(await taken(ws, [changed]), ['i written']);
    assert.equal(text((kept as { bytes: string }).bytes).length, BINARY.length);
    await ws.reviews.decisions.reject({ kind: 'written', path: '/w/i' });
    assert.deepEqual(new Uint8Array(ws.files.contents.get('/w/i') ?? []), BINARY);
  });

  it('a new name is taken where the old one is, and nothing has the new one', async () => {
    const from = new MemoryWorkspace({ '/w/a': BEFORE });
    await from.rename('propose', '/w/a', '/w/b');
    const [renamed = assert.fail()] = await recordsOf(from);
    const ws = new MemoryWorkspace({ '/w/a': BEFORE });
    assert.deepEqual(await taken(ws, [renamed]), ['b proposed']);
    assert.deepEqual(ws.pending, ['proposed /w/a → /w/b: ']);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/w/b' });
    assert.deepEqual([...ws.files.contents.keys()], ['/w/b']);
    assert.deepEqual(await taken(new MemoryWorkspace(), [renamed]), ['b left gone']);
    const full = new MemoryWorkspace({ '/w/a': BEFORE, '/w/b': 'mine\n' });
    assert.deepEqual(await taken(full, [renamed]), ['b left taken']);
    const written = { ...renamed, kind: 'written' };
    assert.deepEqual(await taken(new MemoryWorkspace({ '/w/a': BEFORE }), [written]), [
      'b proposed',
    ]);
    assert.deepEqual(await taken(new MemoryWorkspace({ '/w/b': BEFORE }), [written]), [
      'b written',
    ]);
  });

  it('only below the folders of the workspace, and where agents may write', async () => {
    const one = await record('propose', '/w/a', undefined, 'a\n');
    const ws = new MemoryWorkspace();
    const renamed = (to: string): JsonObject => reviewIn(one, { renamedFrom: to });
    const folder = (to: string): JsonObject => reviewIn(one, { folder: to });
    for (const bad of ['../a', '/a', '', '.'])
      for (const bent of [reviewIn(one, { path: bad }), renamed(bad), folder(bad)])
        assert.deepEqual(await taken(ws, [bent]), ['a left unreadable'], bad);
    assert.deepEqual(await taken(ws, [reviewIn(one, { version: 99 })]), ['a left unreadable']);
    assert.deepEqual(await taken(ws, [one], []), ['a left unreadable']);
    for (const bent of [reviewIn(one, { path: '.git/a' }), renamed('.git/a')])
      assert.deepEqual(await taken(ws, [bent]), ['a left refused']);
    assert.deepEqual([ws.pending, warned], [[], 0]);
    assert.deepEqual(await taken(ws, [reviewIn(one, { path: '.vscode/a' })]), ['a proposed']);
    const roots = ['/other', '/w'];
    const there = new MemoryWorkspace();
    assert.deepEqual(await taken(there, [one, { ...one, folder: 'gone' }], roots), [
      'a proposed',
      'a proposed',
    ]);
    assert.deepEqual(there.pending, ['proposed /other/a: +a +', 'proposed /w/a: +a +']);
    const goes = new MemoryWorkspace({ '/w/x/a': 'a\n' });
    await goes.delete('propose', '/w/x/a');
    const [gone = assert.fail()] = await recordsOf(goes);
    const target = new MemoryWorkspace({ '/w/x/a': 'a\n' });
    assert.deepEqual(await taken(target, [reviewIn(gone, { folder: 'x' })]), ['x/a proposed']);
    assert.equal(target.reviews.find('proposed', '/w/x/a')?.folder, '/w/x');
  });

  it('leave alone what is pending already; one that fails holds no other up', async () => {
    const one = await record('write', '/w/a', BEFORE, AFTER);
    for (const now of [BEFORE, AFTER]) {
      const ws = new MemoryWorkspace({ '/w/a': now });
      await ws.write('write', '/w/a', `mine\n${now}`);
      await ws.outside({ '/w/a': `mine\n${now}` });
      assert.deepEqual(await taken(ws, [one]), ['a left others'], now);
    }
    const ws = new MemoryWorkspace();
    Object.assign(ws.files, { stat: () => Promise.reject(new Error('The disk fails.')) });
    assert.deepEqual(await taken(ws, [one, 7, { path: 'b', left: 'secret' }]), [
      'a left unreadable',
      'b left secret',
    ]);
    assert.equal(warned, 1);
  });
});

describe('records and words about what was taken in', () => {
  it('a record that is none is left out', () => {
    const one = { kind: 'written', folder: 'w', path: 'a', review: {} };
    assert.deepEqual(pendingRecordFrom(one), one);
    assert.deepEqual(pendingRecordFrom({ ...one, kind: 'proposed' }), { ...one, kind: 'proposed' });
    const full = { ...one, bytes: 'AA==', kept: { bytes: 'AA==', mode: 1 } };
    assert.deepEqual(pendingRecordFrom(full), full);
    for (const kept of ['x', { bytes: 1, mode: 1 }, { bytes: 'AA==', mode: 'x' }])
      assert.deepEqual(pendingRecordFrom({ ...one, bytes: 7, kept }), one);
    for (const left of ['secret', 'large'] as const)
      assert.deepEqual(pendingRecordFrom({ path: 'a', left }), { path: 'a', left });
    for (const other of [
      7,
      { ...one, path: 7 },
      { ...one, kind: 'asked' },
      { ...one, folder: 7 },
      { ...one, review: 'x' },
      { path: 'a', left: 'other' },
    ])
      assert.equal(pendingRecordFrom(other), undefined);
  });

  it('say what is not as it was, of twenty files at most', () => {
    const left = (count: number): TakenIn[] =>
      Array.from({ length: count }, (_, at) => ({ path: `${at}`, outcome: 'left', why: 'secret' }));
    const same: readonly TakenIn[] = [
      { path: 'a', outcome: 'written' },
      { path: 'b', outcome: 'proposed' },
    ];
    assert.deepEqual(takenInWords(same), []);
    const merged: TakenIn = { path: 'c', outcome: 'merged' };
    const [first, second] = takenInWords([...same, merged, ...left(1)]);
    assert.match(first ?? '', /^c is another file here/u);
    assert.match(second ?? '', /^The changes of 0 are not pending here: there is a secret/u);
    assert.equal(takenInWords(left(20)).length, 20);
    const many = takenInWords(left(21));
    assert.deepEqual(
      [many.length, many.at(-1), many.at(-2)?.slice(0, 17)],
      [21, 'And 1 more.', 'The changes of 19'],
    );
  });
});
