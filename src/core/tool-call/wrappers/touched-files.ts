import { resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { LeafRecord, WorkspaceSnapshots } from '../../ports/files/workspace-snapshots.ts';
import type { SharedTimeBudget } from '../../ports/time-budget.ts';
import { pairsOf } from '../../restore/agent-changes.ts';
import type { ChangeRecord } from '../../restore/storage/change-record.ts';

interface TouchedFilesParts {
  readonly snapshots: WorkspaceSnapshots;
  readonly files: Pick<FileSystem, 'realpath'>;
  /** Workspace folders. */
  readonly roots: readonly string[];
  readonly patience: SharedTimeBudget;
  readonly warn: (thrown: unknown) => void;
}

interface Place {
  readonly root: string;
  /** Below the root, with `/`. */
  readonly below: readonly string[];
}

type Kept = readonly (readonly (LeafRecord | undefined)[])[];

/** The files that an edit says it touches, as they are before it and after it. */
export class TouchedFiles {
  readonly #parts: TouchedFilesParts;
  readonly #paths = new Set<string>();
  readonly #kept: { readonly places: readonly Place[]; readonly keeping: Promise<Kept> }[] = [];

  constructor(parts: TouchedFilesParts) {
    this.#parts = parts;
  }

  /**
   * Keeps more of them as they are now; resolves when that is done, or was waited for long enough.
   * @param paths real ones
   * @returns false when one is known to be a folder, which is not kept
   */
  async add(paths: readonly string[]): Promise<boolean> {
    const { snapshots, files, patience, warn } = this.#parts;
    const fresh = paths.filter((path) => !this.#paths.has(path));
    for (const path of fresh) this.#paths.add(path);
    const roots = await Promise.all(this.#parts.roots.map((root) => files.realpath(root)));
    const places = placesOf(fresh, roots);
    const keeping = Promise.all(places.map(({ root, below }) => snapshots.keep(root, below)));
    this.#kept.push({ places, keeping });
    const before = await patience.wait(
      keeping.catch((thrown: unknown) => {
        warn(thrown);
        return undefined;
      }),
    );
    return before?.some((kept) => kept.includes(undefined)) !== true;
  }

  /**
   * Their fate since the call.
   * @param written what the call itself made of files, by path: another program may have changed them since
   */
  async changes(
    written: ReadonlyMap<string, Uint8Array | undefined>,
  ): Promise<Pick<ChangeRecord, 'folders' | 'uncertain' | 'unkept'>> {
    const places = this.#kept.flatMap((one) => one.places);
    const keeping = Promise.all(this.#kept.map((one) => one.keeping));
    const afterwards = Promise.all(
      places.map(({ root, below }) => {
        const known = below.flatMap((name) => {
          const path = resolvePath(root, name);
          return written.has(path) ? [[name, written.get(path)] as const] : [];
        });
        return this.#parts.snapshots.keep(root, below, new Map(known));
      }),
    );
    const [before, after] = await Promise.all([
      keeping.then((kept) => kept.flat()),
      afterwards,
    ]).catch((): [Kept, Kept] => [[], []]);
    const found = places.map(({ root, below }, index) => ({
      root,
      changes: pairsOf(below, before[index] ?? [], after[index] ?? []),
    }));
    const folders = [...new Set(found.map(({ root }) => root))].map((root) => ({
      root,
      changes: found.flatMap((one) => (one.root === root ? one.changes : [])),
    }));
    const unkept = places.flatMap(({ root, below }, index) =>
      below.filter((_, at) => before[index]?.[at] === undefined).map((name) => `${root}/${name}`),
    );
    return { uncertain: unkept.length > 0, folders, unkept };
  }
}

/** Real paths by the innermost workspace folder that they lie in; others are left out. */
function placesOf(paths: readonly string[], roots: readonly string[]): readonly Place[] {
  const innermost = [...new Set(roots)].toSorted((left, right) => right.length - left.length);
  const places = new Map<string, string[]>();
  for (const path of paths) {
    const root = innermost.find((one) => /^[\\/]./u.test(restOf(path, one)));
    if (root === undefined) continue;
    const rest = restOf(path, root);
    const below = rest[0] === '\\' ? rest.slice(1).replaceAll('\\', '/') : rest.slice(1);
    places.set(root, [...(places.get(root) ?? []), below]);
  }
  return [...places].map(([root, below]) => ({ root, below }));
}

const restOf = (path: string, root: string): string =>
  path.startsWith(root) ? path.slice(root.length) : '';
