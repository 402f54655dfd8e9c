import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FileEntry, FileStat } from '../../../src/core/ports/files/file-system.ts';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import { proposedAt } from '../../../src/core/review/model/file-review.ts';
import type { FileReview } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { agentChanges } from '../../../src/core/review/files/agent-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { ReviewedOperations } from '../../../src/core/review/files/reviewed-operations.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { runs } from '../../support/seed.ts';

/** Histories; many more are run with the variable. */
const RUNS = runs(200);

const NAMES = ['/w/a', '/w/b', '/w/c', '/w/d/a', '/w/d/b', '/w/e/a', '/w/e/b'] as const;
const FOLDERS = ['/w/d', '/w/e', '/w/f'] as const;
/** Texts, the same in other line ends or encoding, and data that are no text. */
const CONTENTS = [
  'x\ny\n',
  'x\r\ny\r\n',
  '\ufeffx\ny\n',
  'x\nz\n',
  'q',
  '\0\u0001',
  '\0\u0002',
  '',
];

const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('write' as const), name, what: fc.nat({ max: 7 }) }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('rename' as const), name, to: name }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('copy' as const), name, to: name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('rename' as const, 'delete' as const, 'copy' as const),
      name: fc.constantFrom(...FOLDERS),
      to: fc.constantFrom(...FOLDERS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('accept' as const, 'reject' as const),
      which: fc.nat({ max: 9 }),
      hunk: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reload' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** With folders: those that hold something. */
class FolderFiles extends MemoryFiles {
  override async stat(path: string): Promise<FileStat | undefined> {
    const file = await super.stat(path);
    if (file !== undefined) return file;
    const isFolder = [...this.contents.keys()].some((one) => one.startsWith(`${path}/`));
    return isFolder ? { type: 'directory', size: 0, modifiedAt: 0, readOnly: false } : undefined;
  }

  override async list(folder = '/w'): Promise<readonly FileEntry[]> {
    const below = [...this.contents.keys()].flatMap((one) =>
      one.startsWith(`${folder}/`) ? [one.slice(folder.length + 1)] : [],
    );
    if (below.length === 0) throw new BelayError({ code: 'not_found', message: folder });
    const names = new Map<string, FileEntry>();
    for (const one of below) {
      const [first = '', ...more] = one.split('/');
      names.set(first, { name: first, type: more.length > 0 ? 'directory' : 'file' });
    }
    return [...names.values()];
  }
}

type Texts = ReadonlyMap<string, string>;

/** What the agent should find, beside what it finds. */
class World {
  readonly disk = new FolderFiles();
  readonly values = new MapValues();
  readonly clock = new FakeClock();
  reviews!: Reviews;
  files!: ReviewedFiles;
  operations!: ReviewedOperations;
  view = new Map<string, string>();
  #calls = 0;

  async open(): Promise<void> {
    const { disk: files, values, clock } = this;
    this.#calls += 1;
    const writer = `${this.#calls}`;
    this.reviews = new Reviews({ values, writer, files, clock, log: silentLog });
    await this.reviews.load();
    const changes = agentChanges(files, this.reviews, clock);
    this.files = new ReviewedFiles(files, changes);
    const operations = {
      lookUp: async (path: string) => {
        const type = (await files.stat(path))?.type;
        return type === undefined ? undefined : ({ type, id: path } as const);
      },
    } as unknown as ReviewedOperations;
    this.operations = new ReviewedOperations({
      files,
      operations,
      changes,
    });
  }

  get options(): { readonly origin: ChangeOrigin } {
    this.#calls += 1;
    const callId = `c${this.#calls}`;
    return { origin: { sessionId: 's', messageId: 'm', callId, tool: 't', how: 'propose' } };
  }

  get onDisk(): Texts {
    return new Map([...this.disk.contents].map(([path, bytes]) => [path, latin(bytes)]));
  }

  /** What the agent finds by listing and reading. */
  async found(): Promise<Texts> {
    const found = new Map<string, string>();
    const folders = ['/w'];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await this.files.list(folder).catch(() => []);
      for (const { name: one, type } of entries) {
        const path = `${folder}/${one}`;
        if (type === 'directory') folders.push(path);
        else found.set(path, latin(await this.files.read(path)));
      }
    }
    return found;
  }

  /** Does it where it can be done; the model does the same. */
  async agent(one: Extract<Step, { readonly name: string }>): Promise<void> {
    const { view } = this;
    const below = [...view.keys()].filter(
      (path) => path === one.name || path.startsWith(`${one.name}/`),
    );
    if (one.does === 'write') {
      const content = Buffer.from(CONTENTS[one.what] ?? '', 'utf8');
      if (view.get(one.name) === latin(content)) return;
      const replaces = view.has(one.name) ? await this.files.read(one.name) : 'nothing';
      await this.files.write(one.name, content, { replaces, ...this.options });
      view.set(one.name, latin(content));
      return;
    }
    if (below.length === 0) return;
    if (one.does === 'delete') {
      await this.operations.remove(one.name, this.options);
      for (const path of below) view.delete(path);
      return;
    }
    const isTaken = [...view.keys()].some(
      (path) => path === one.to || path.startsWith(`${one.to}/`),
    );
    const isThere = (await this.operations.lookUp(one.to)) !== undefined;
    if (isTaken) assert.equal(isThere, true, one.to);
    // A folder whose files go one by one stays, and nothing is put in its place.
    if (isThere) return;
    const { signal } = new AbortController();
    if (one.does === 'rename') await this.operations.rename(one.name, one.to, this.options);
    else await this.operations.copy(one.name, one.to, signal, this.options);
    for (const path of below) {
      const text = view.get(path) ?? '';
      if (one.does === 'rename') view.delete(path);
      view.set(`${one.to}${path.slice(one.name.length)}`, text);
    }
  }

  /** A decision about all of a file is what its proposal says, and touches nothing else. */
  async decide(decision: 'accept' | 'reject', review: FileReview): Promise<void> {
    const expected = new Map(this.onDisk);
    const { path } = review;
    const place = proposedAt(review);
    const text = this.view.get(path);
    if (decision === 'accept') {
      expected.delete(place);
      if (text !== undefined) expected.set(path, text);
    } else {
      this.view.delete(path);
      const old = expected.get(place);
      if (old !== undefined) this.view.set(place, old);
    }
    await this.reviews.decisions[decision]({ kind: 'proposed', path });
    assert.deepEqual(sorted(this.onDisk), sorted(expected), `${decision} ${path}`);
  }

  get pending(): readonly FileReview[] {
    return this.reviews.pending.map(({ review }) => review);
  }
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const sorted = (texts: Texts): readonly (readonly [string, string])[] =>
  [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function take(world: World, one: Step): Promise<void> {
  const before = sorted(world.onDisk);
  switch (one.does) {
    case 'reload':
      await world.reviews.flush();
      world.reviews.dispose();
      await world.open();
      return;
    case 'accept':
    case 'reject': {
      const { pending } = world;
      const review = pending[one.which % Math.max(1, pending.length)];
      if (review === undefined) return;
      const hunks = hunksOf(review);
      const hunk = one.hunk === null ? undefined : hunks[one.hunk % Math.max(1, hunks.length)];
      if (hunk === undefined) return world.decide(one.does, review);
      await world.reviews.decisions[one.does]({
        kind: 'proposed',
        path: review.path,
        choice: [hunk.id],
      });
      // What it is made of goes partly: the agent's own eyes tell the rest.
      world.view = new Map(await world.found());
      return;
    }
    default:
      await world.agent(one);
      assert.deepEqual(sorted(world.onDisk), before, 'nothing is on disk');
  }
}

describe('files that are proposed to be moved, made, copied and deleted', function () {
  this.timeout(runs(600_000));

  for (const last of ['accept', 'reject'] as const)
    it(`are as decided, in whatever order; the rest: ${last}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 14, size: 'max' }),
          fc.array(fc.nat({ max: 9 }), { minLength: 10, maxLength: 10 }),
          async (steps, order) => {
            const world = new World();
            for (const [index, path] of ['/w/a', '/w/b', '/w/d/a', '/w/d/b'].entries())
              world.disk.put(path, ['x\ny\n', '\0\u0001', 'x\r\ny\r\n', 'd\n'][index]);
            world.view = new Map(world.onDisk);
            await world.open();
            for (const one of steps) {
              await take(world, one);
              assert.deepEqual(sorted(await world.found()), sorted(world.view));
            }
            for (let index = 0; world.pending.length > 0; index += 1) {
              const { pending } = world;
              const review = pending[(order[index % order.length] ?? 0) % pending.length];
              if (review !== undefined) await world.decide(last, review);
              assert.deepEqual(sorted(await world.found()), sorted(world.view));
            }
            assert.deepEqual(sorted(world.onDisk), sorted(world.view));
          },
        ),
        { numRuns: RUNS },
      );
    });
});
