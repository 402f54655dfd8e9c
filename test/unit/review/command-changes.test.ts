import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { LeafRecord } from '../../../src/core/ports/files/workspace-snapshots.ts';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { CommandChanges } from '../../../src/core/review/service/edits/command-changes.ts';
import type { CommandCall } from '../../../src/core/review/service/edits/command-changes.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const MEGABYTE = 1024 * 1024;

describe('what commands changed', () => {
  let ws: MemoryWorkspace;
  let commands: CommandChanges;
  const lines: string[] = [];
  beforeEach(() => {
    ws = new MemoryWorkspace();
    lines.length = 0;
    const log = { ...ws.log, warn: (line: string) => void lines.push(line) };
    const snapshots = {
      contentOf: async (leaf: LeafRecord) => {
        if (leaf.kind !== 'file') return { kind: 'absent' as const };
        if (leaf.hash === 'lost') throw new Error('It is gone.');
        return { kind: 'file' as const, bytes: Buffer.from(leaf.hash), mode: leaf.mode };
      },
    };
    commands = new CommandChanges({ reviews: ws.reviews, snapshots, clock: ws.clock, log });
  });

  const callOf = (command: string): CommandCall =>
    ({
      tool: { name: 'run_command', commands: () => [{ command }] },
      input: {},
      context: { sessionId: 's', messageId: 'm', callId: command, roots: ['/w'] },
    }) as unknown as CommandCall;
  /** The text of a file stands for its hash. */
  const record = (text: string | undefined, size = text?.length ?? 0): LeafRecord =>
    text === undefined ? { kind: 'absent' } : { kind: 'file', hash: text, size, mode: 0o644 };
  const changed = (path: string, before: LeafRecord, after: LeafRecord) => [
    { root: '/w', changes: [{ path, before, after }] },
  ];
  const appended = (path: string, before = 'one\n') =>
    changed(path, record(before), record(`${before}new\n`));
  const authors = (): readonly (readonly Attribution[])[] =>
    ws.reviews.pending.flatMap((review) => hunksOf(review).map(({ by }) => by));

  for (const size of [MEGABYTE, MEGABYTE + 1])
    it(`in a file of ${size} bytes is ${size > MEGABYTE ? 'named in a note' : 'pending'}`, async () => {
      ws.files.put('/w/a', 'one\nnew\n');
      const change = changed('a', record('one\n', size), record('one\nnew\n', size));
      await commands.begin(callOf('make'))(change);
      const isListed = size <= MEGABYTE;
      assert.deepEqual(ws.pending, isListed ? ['/w/a: +new'] : []);
      assert.deepEqual(
        ws.reviews.records.unlisted.all.map(({ tool, paths, total }) => ({ tool, paths, total })),
        isListed ? [] : [{ tool: 'make', paths: ['/w/a'], total: 1 }],
      );
    });

  it('of which nothing can be read any more is named in a note, and the others are pending', async () => {
    ws.files.put('/w/b', 'one\nnew\n');
    const [lost] = changed('a', record('lost'), record('new\n'));
    const [other] = appended('b');
    const link: LeafRecord = { kind: 'link', target: 'b' };
    const [linked] = changed('l', record(undefined), link);
    await commands.begin(callOf('make'))([lost!, linked!, other!]);
    assert.deepEqual(ws.pending, ['/w/b: +new']);
    const [note] = ws.reviews.records.unlisted.all;
    assert.deepEqual([note?.paths, note?.total], [['/w/a', '/w/l'], 2]);
    assert.equal(lines.length, 1);
  });

  it('but its mode is nothing to decide about', async () => {
    const [before, after] = [record('one\n'), { ...record('one\n'), mode: 0o755 }];
    ws.files.put('/w/a', 'one\n');
    await commands.begin(callOf('chmod'))(changed('a', before, after));
    assert.deepEqual([ws.pending, ws.reviews.records.unlisted.all], [[], []]);
  });

  it('is told with the start of a long command line', async () => {
    for (const length of [300, 301]) {
      ws.files.put(`/w/${length}`, 'one\nnew\n');
      await commands.begin(callOf('x'.repeat(length)))(appended(String(length)));
    }
    const tools = authors().map(([by]) => by?.tool);
    assert.deepEqual(tools, ['x'.repeat(300), `${'x'.repeat(300)}…`]);
  });

  it('is another agent’s where that one wrote the file since the command began, and in the same moment', async () => {
    await ws.write('write', '/w/a', 'agent\n');
    await ws.clock.advance(1);
    const later = commands.begin(callOf('later'));
    await ws.write('write', '/w/b', 'agent\n');
    const during = commands.begin(callOf('during'));
    ws.files.put('/w/a', 'agent\nnew\n');
    await later(appended('a', 'agent\n'));
    await during(appended('b', 'agent\n'));
    assert.deepEqual(
      ws.pending,
      ['/w/a: +agent +new +', '/w/b: +agent +'],
      'what it wrote before is not',
    );
    // Another command is no agent that knows what it writes.
    ws.files.put('/w/a', 'agent\nnew\nnew\n');
    await commands.begin(callOf('next'))(appended('a', 'agent\nnew\n'));
    assert.deepEqual(
      authors()[0]?.map(({ callId }) => callId),
      ['c', 'later', 'next'],
    );
  });

  it('is not what the person typed or saved since it began, and only that', async () => {
    ws.reviews.files.personEdits.touched('/w/a');
    const moment = commands.moment();
    ws.reviews.files.personEdits.touched('/w/b');
    const folders = ['a', 'b', 'c'].flatMap((path) => appended(path));
    assert.deepEqual(
      commands.notPersons(folders, moment).map(({ changes }) => changes.map(({ path }) => path)),
      [['a'], [], ['c']],
    );
    for (const path of ['/w/a', '/w/b', '/w/c']) ws.files.put(path, 'one\nnew\n');
    const call = { sessionId: 's', messageId: 'm', callId: 'c', line: 'serve' };
    await commands.changedDuring(folders, call, moment, () => false);
    assert.deepEqual(ws.pending, ['/w/a: +new', '/w/c: +new']);
    assert.deepEqual(
      authors().map(([by]) => [by?.by, by?.tool, by?.during]),
      [
        ['command', 'serve', true],
        ['command', 'serve', true],
      ],
    );
  });

  it('in the background, after what an agent did there last, is pending, too; what is left out says so', async () => {
    const moment = commands.moment(0);
    assert.equal(moment.at, 0);
    await ws.write('write', '/w/a', 'agent\n');
    await ws.write('write', '/w/b', 'agent\n');
    for (const path of ['/w/a', '/w/b']) ws.files.put(path, 'agent\nnew\n');
    const call = { sessionId: 's', messageId: 'm', callId: 'd', line: 'serve' };
    const large = changed('c', record('x', MEGABYTE + 1), record('y'));
    const folders = [...appended('a', 'agent\n'), ...appended('b', 'agent\n'), ...large];
    await commands.changedDuring(folders, call, moment, (place) => place === '/w\0a');
    assert.deepEqual(
      authors().map((by) => by.map(({ callId }) => callId)),
      [['c', 'd'], ['c']],
    );
    const [note] = ws.reviews.records.unlisted.all;
    assert.deepEqual([note?.tool, note?.paths, note?.during], ['serve', ['/w/c'], true]);
  });

  it('keeps what a deleted or a changed file was made of', async () => {
    ws.files.put('/w/b', 'new');
    const removed = changed(
      'a',
      { ...record('one\n'), mode: 0o755 } as LeafRecord,
      record(undefined),
    );
    const made = changed('b', record(undefined), record('new'));
    await commands.begin(callOf('mv'))([...removed, ...made]);
    assert.deepEqual(ws.pending, ['/w/a: -one -', '/w/b: +new']);
    assert.deepEqual(ws.reviews.records.kept, [{ hash: 'one\n', bytes: 4, mode: 0o755 }]);
  });

  it('and cannot be reviewed is stored when all is', async () => {
    const swap = ws.values.swap.bind(ws.values);
    ws.values.swap = async (...given) => {
      await turn();
      return swap(...given);
    };
    await commands.begin(callOf('make'))(changed('a', record('lost'), record('new\n')));
    await ws.restart();
    assert.equal(ws.reviews.records.unlisted.all.length, 1);
  });
});
