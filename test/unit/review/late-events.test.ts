import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandChanges } from '../../../src/core/review/service/edits/command-changes.ts';
import type { CommandCall } from '../../../src/core/review/service/edits/command-changes.ts';
import type { LeafRecord } from '../../../src/core/ports/files/workspace-snapshots.ts';
import { ABSENT, textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { ReviewKind } from '../../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const BEFORE = 'a\nb\nc\nd\n';
const AFTER = 'A\nb\nc\nD\n';

/** The machine's files; something happens while one is read or written. */
class SlowFiles extends NodeFileSystem {
  whileRead: (file: string) => void | Promise<void> = () => undefined;
  whileWritten: (file: string) => void | Promise<void> = () => undefined;

  override async read(...given: Parameters<NodeFileSystem['read']>): Promise<Uint8Array> {
    const bytes = await super.read(...given);
    await this.whileRead(given[0]);
    return bytes;
  }

  override async write(...given: Parameters<NodeFileSystem['write']>): Promise<void> {
    await super.write(...given);
    await this.whileWritten(given[0]);
  }
}

describe('what is told late, twice, or in the middle of a decision', () => {
  let folder: string;
  let file: string;
  let files: SlowFiles;
  let values: MapValues;
  let clock: FakeClock;
  let reviews: Reviews;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-late-')));
    file = path.join(folder, 'a');
    [files, values, clock] = [new SlowFiles(), new MapValues(), new FakeClock()];
    reviews = new Reviews({ values, writer: '1', files, clock, log: silentLog });
  });
  afterEach(() => {
    reviews.dispose();
    rmSync(folder, { recursive: true });
  });

  const isAt = (given: string | undefined) => (given === undefined ? ABSENT : textContent(given));
  const edit = async (
    kind: ReviewKind,
    before: string | undefined,
    after: string | undefined,
  ): Promise<void> => {
    if (before !== undefined) writeFileSync(file, before);
    const contents = { before: isAt(before), after: isAt(after) };
    await reviews.agent.edits(kind, file, contents, by);
    if (kind === 'proposed') return;
    if (after === undefined) rmSync(file);
    else writeFileSync(file, after);
  };
  const texts = (): readonly string[] =>
    reviews.pending.flatMap(({ kind, review }) =>
      hunksOf(review).map(({ removed, added }) => `${kind} ${removed.join()}>${added.join()}`),
    );

  for (const decision of ['accept', 'reject'] as const) {
    it(`a proposal of which nothing is pending stays so, whatever its closed editor saves: ${decision}`, async () => {
      await edit('proposed', BEFORE, AFTER);
      await reviews.decisions[decision]({ kind: 'proposed', path: file });
      // The editor of the proposal is saved so that it can be closed, and had an older text.
      reviews.files.proposalEdited(file, textContent('A\nb\nc\nDD\n'));
      assert.deepEqual(texts(), []);
      await clock.advance(20_000);
      await reviews.flush();
      assert.deepEqual(await values.list('proposal:'), []);
    });
  }

  it('what a decision does to a file while a command runs is never the command’s', async () => {
    const records = new Map<string, string>();
    const record = (text: string | undefined): LeafRecord => {
      if (text === undefined) return { kind: 'absent' };
      records.set(text, text);
      return { kind: 'file', hash: text, size: text.length, mode: 0o644 };
    };
    const snapshots = {
      contentOf: async (leaf: LeafRecord) =>
        leaf.kind === 'file'
          ? { kind: 'file' as const, bytes: Buffer.from(leaf.hash), mode: 0o644 }
          : assert.fail('no file'),
    };
    const commands = new CommandChanges({ reviews, snapshots, clock, log: silentLog });
    const call = {
      tool: { name: 'run_command' },
      input: {},
      context: { sessionId: 's', messageId: 'm', callId: '2', roots: [folder] },
    } as unknown as CommandCall;
    for (const [kind, decision, before, after] of [
      ['written', 'reject', undefined, AFTER],
      ['written', 'reject', BEFORE, undefined],
      ['written', 'reject', BEFORE, AFTER],
      ['proposed', 'accept', BEFORE, AFTER],
      ['proposed', 'accept', undefined, AFTER],
      ['proposed', 'accept', BEFORE, undefined],
    ] as const) {
      rmSync(file, { force: true });
      await edit(kind, before, after);
      const [was, is] = kind === 'written' ? [after, before] : [before, after];
      const end = commands.begin(call);
      await reviews.decisions[decision]({ kind, path: file });
      await end([
        { root: folder, changes: [{ path: 'a', before: record(was), after: record(is) }] },
      ]);
      assert.deepEqual(texts(), [], `${kind} ${decision} ${before} ${after}`);
    }
  });

  it('a file that is read again and again while the person types is not taken for what it was', async () => {
    await edit('written', BEFORE, AFTER);
    let typed = 'A\nb\nc\nD\n';
    let reads = 0;
    files.whileRead = () => {
      reads += 1;
      const [line] = typed.split('\n');
      const end = { line: 0, character: line!.length };
      typed = typed.replace(/^A*/u, (head) => `${head}A`);
      const change = { start: end, end, text: 'A' };
      reviews.files.documentChanged(file, textContent(typed), { kind: 'typed', changes: [change] });
    };
    await reviews.files.fileChanged(file);
    files.whileRead = () => undefined;
    assert.equal(reads, 3, 'its editor tells the rest');
    assert.deepEqual(texts(), [`written a>${typed.split('\n')[0]}`, 'written d>D']);
    assert.equal(
      reviews.pending.some(({ review }) => hunksOf(review).some((hunk) => hunk.changedOutside)),
      false,
    );
  });

  it('an undo while a rejection is being saved brings the hunks back, and they stay', async () => {
    await edit('written', BEFORE, AFTER);
    files.whileWritten = () =>
      reviews.files.documentChanged(file, textContent(AFTER), { kind: 'undone' });
    await reviews.decisions.reject({ kind: 'written', path: file });
    files.whileWritten = () => undefined;
    // Not saved yet: the editor has what the disk has not.
    assert.deepEqual(texts(), ['written a>A', 'written d>D']);
    writeFileSync(file, AFTER);
    await reviews.files.fileChanged(file);
    assert.deepEqual(texts(), ['written a>A', 'written d>D']);
    await reviews.decisions.accept({ kind: 'written', path: file });
    assert.equal(readFileSync(file, 'utf8'), AFTER);
  });

  it('older texts that are told during and after a rejection bring nothing back', async () => {
    for (const how of ['outside', 'typed'] as const) {
      await edit('written', BEFORE, AFTER);
      const tell = (): void => {
        const told = how === 'typed' ? { kind: how, changes: [] } : { kind: how };
        reviews.files.documentChanged(file, textContent(AFTER), told);
        reviews.files.documentChanged(file, textContent(BEFORE), told);
      };
      files.whileWritten = tell;
      await reviews.decisions.reject({ kind: 'written', path: file });
      files.whileWritten = () => undefined;
      tell();
      await reviews.files.fileChanged(file);
      await clock.advance(20_000);
      await reviews.refresh();
      assert.deepEqual(texts(), []);
    }
  });

  it('a store that fails holds no other decision up', async () => {
    await edit('proposed', BEFORE, AFTER);
    const other = path.join(folder, 'b');
    const contents = { before: ABSENT, after: textContent('new\n') };
    await reviews.agent.edits('proposed', other, contents, by);
    const swap = values.swap.bind(values);
    let isFull = true;
    values.swap = async (...given) => {
      if (isFull) throw new Error('The disk is full.');
      return swap(...given);
    };
    await reviews.decisions.accept({ kind: 'proposed', path: file });
    assert.equal(readFileSync(file, 'utf8'), AFTER);
    await assert.rejects(reviews.decisions.reject({ kind: 'proposed', path: other }), /full/u);
    isFull = false;
    await reviews.decisions.reject({ kind: 'proposed', path: other });
    await clock.advance(20_000);
    await reviews.flush();
    assert.deepEqual([texts(), await values.list('proposal:')], [[], []]);
  });

  it('a look at the store in the middle of a decision takes over nothing older', async () => {
    // As after a reload: what is pending was stored by another window.
    await edit('written', BEFORE, AFTER);
    await reviews.flush();
    reviews.dispose();
    const slow = new (class extends MapValues {
      hold: Promise<void> | undefined;
      override async list(...given: Parameters<MapValues['list']>) {
        const found = await values.list(...given);
        await this.hold;
        return found;
      }
      override get(...given: Parameters<MapValues['get']>) {
        return values.get(...given);
      }
      override set(...given: Parameters<MapValues['set']>) {
        return values.set(...given);
      }
      override swap(...given: Parameters<MapValues['swap']>) {
        return values.swap(...given);
      }
    })();
    reviews = new Reviews({ values: slow, writer: '2', files, clock, log: silentLog });
    await reviews.load();
    const other = new Reviews({ values, writer: '3', files, clock, log: silentLog });
    await other.load();
    other.decisions.look(
      { kind: 'written', path: file },
      [hunksOf(other.pending[0]!.review)[0]!.id],
      true,
    );
    await other.flush();
    other.dispose();
    // Its state is read, and while the file is read for it the person decides.
    const entered = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    let isFirst = true;
    files.whileRead = async () => {
      if (!isFirst) return;
      isFirst = false;
      entered.resolve();
      await open.promise;
    };
    const looking = reviews.refresh();
    await entered.promise;
    const deciding = reviews.decisions.reject({ kind: 'written', path: file });
    await Promise.race([deciding, delay(300)]);
    open.resolve();
    await Promise.all([looking, deciding]);
    files.whileRead = () => undefined;
    assert.equal(readFileSync(file, 'utf8'), BEFORE);
    assert.deepEqual(texts(), []);
    await clock.advance(20_000);
    await reviews.flush();
    assert.deepEqual(await values.list('review:'), []);
  });

  it('a write of the agent that fails leaves what the person typed in that moment', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    ws.files.write = async () => {
      await ws.types('/a', 0, 'mine');
      throw new Error('The disk is full.');
    };
    await assert.rejects(ws.write('write', '/a', 'one\nagent\n'), /full/u);
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['mine\none\n', []]);
  });

  it('a write of the agent that fails shows what something else wrote in that moment', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nagent\n');
    const write = ws.files.write.bind(ws.files);
    ws.files.write = async (...given) => {
      ws.files.put('/a', 'other\none\nagent\n');
      return write(...given);
    };
    await assert.rejects(ws.write('write', '/a', 'one\nagent\nmore\n'), /somebody else/u);
    const { document } = ws.reviews.find('written', '/a') ?? assert.fail();
    assert.deepEqual(
      [document, ws.pending],
      [textContent('other\none\nagent\n'), ['written /a: +agent']],
    );
  });

  it('what is typed into a proposal of which nothing was left is stored at once', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\nagent\n');
    ws.reviews.files.proposalEdited('/a', textContent('one\n'));
    await ws.clock.advance(300);
    ws.reviews.files.proposalEdited('/a', textContent('one\nmine\n'));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await ws.crash();
    assert.deepEqual(ws.pending, ['proposed /a: +mine (edited)']);
  });
});
