import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { lineChangesByTurns } from '../../merge/line-changes.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
} from '../../ports/files/file-system.ts';
import { type FileReview, linesOf, proposedAt, sameContent } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';

/** A path as the agent sees it: `gone` where it proposed to delete or move the file on disk. */
export type Proposed =
  | { readonly kind: 'none' | 'gone' | 'folder' }
  | { readonly kind: 'file'; readonly review: FileReview };

/** The proposals of the workspace as files: what is proposed is there, though nothing of it is on disk. */
export class ProposedFiles {
  readonly #files: FileSystem;
  readonly #reviews: Reviews;
  readonly #clock: Clock;

  constructor(files: FileSystem, reviews: Reviews, clock: Clock) {
    this.#files = files;
    this.#reviews = reviews;
    this.#clock = clock;
  }

  get all(): readonly FileReview[] {
    return this.#reviews.pending.flatMap(({ kind, review }) => (kind === 'proposed' ? review : []));
  }

  at(path: string): Proposed {
    const review = this.#reviews.find('proposed', path);
    if (review !== undefined && review.document.kind !== 'absent') return { kind: 'file', review };
    const { all } = this;
    const isGone = review !== undefined || all.some(({ renamedFrom }) => renamedFrom === path);
    const isFolder = all.some(({ path: file, document }) => {
      const below = pathBelow(path, file);
      return document.kind !== 'absent' && below !== undefined && below !== '';
    });
    return { kind: isFolder ? 'folder' : isGone ? 'gone' : 'none' };
  }

  /** Proposals about what is at a path on disk: of its text, its deletion, its new name. */
  about(path: string): readonly FileReview[] {
    return this.all.filter((review) => review.path === path || proposedAt(review) === path);
  }

  /** The bytes that a proposed file would have; its lines keep the ends that they have on disk. */
  async bytes({ path, document }: FileReview, options?: ReadOptions): Promise<Uint8Array> {
    const { disk } = this.#reviews.files;
    const known = this.#reviews.find('proposed', path);
    const place = known === undefined ? path : proposedAt(known);
    const { proposedBytes: made } = known ?? {};
    if (document.kind === 'binary')
      return made?.hash === document.hash
        ? made.bytes
        : this.#files.read(place, undefined, options);
    const now = await disk.now(place);
    const current = await this.#followed(path, place, known, now.content);
    if (made !== undefined) return disk.bytes.remade(path, made, current?.document ?? document);
    const lines = linesOf(current?.document ?? document);
    if (now.content.kind !== 'text') return disk.bytes.encoded(path, lines.join('\n'));
    return disk.bytes.changed(path, now, await lineChangesByTurns(now.content.lines, lines));
  }

  /** As the agent finds it; `undefined`: nothing is there. */
  async statOf(path: string): Promise<FileStat | undefined> {
    const proposed = this.at(path);
    switch (proposed.kind) {
      case 'gone':
        return undefined;
      case 'file':
        return this.#stat(path, proposed.review);
      case 'folder':
      case 'none': {
        const stat = await this.#files.stat(path);
        if (stat?.type === 'directory' && (await this.isEmptied(path))) return undefined;
        return stat ?? (proposed.kind === 'folder' ? this.#folderStat() : undefined);
      }
      default:
        return proposed satisfies never;
    }
  }

  /** Lists a folder as the agent sees it; fails as for a missing one where all of it is to go. */
  async list(folder: string): Promise<readonly FileEntry[]> {
    if (this.all.length === 0) return this.#files.list(folder);
    if (await this.isEmptied(folder)) throw notThere(folder);
    const isProposed = this.at(folder).kind === 'folder';
    const isThere = !isProposed || (await this.#files.stat(folder))?.type === 'directory';
    const entries = this.#entries(folder, isThere ? await this.#files.list(folder) : []);
    const gone = await Promise.all(
      entries.map(
        async ({ name, type }) =>
          type === 'directory' && (await this.isEmptied(resolvePath(folder, name))),
      ),
    );
    return entries.filter((_, index) => gone[index] !== true);
  }

  /** True when a folder on disk is to be moved or deleted, and nothing is left in it for the agent. */
  async isEmptied(folder: string): Promise<boolean> {
    const isMeant = this.all.some(
      (review) => review.folder !== undefined && pathBelow(review.folder, folder) !== undefined,
    );
    return isMeant && !(await this.#holdsFile(folder));
  }

  /** Where the system minds no case, a name that only differs by it leads to the file as it is on disk. */
  async realpath(path: string): Promise<string> {
    const real = await this.#files.realpath(path);
    const { kind } = this.at(path);
    return kind === 'file' && real !== path && real.toLowerCase() === path.toLowerCase()
      ? path
      : real;
  }

  async #holdsFile(folder: string): Promise<boolean> {
    const stat = await this.#files.stat(folder);
    const present = stat?.type === 'directory' ? await this.#files.list(folder) : [];
    for (const { name, type } of this.#entries(folder, present)) {
      if (type !== 'directory') return true;
      if (await this.#holdsFile(resolvePath(folder, name))) return true;
    }
    return false;
  }

  /** `undefined`: nothing is there. */
  async #stat(path: string, review: FileReview): Promise<FileStat | undefined> {
    const stat = await this.#files.stat(proposedAt(review));
    const { length: size } = await this.bytes(review);
    const made = { type: 'file', modifiedAt: this.#clock.now(), readOnly: false } as const;
    return { ...made, ...stat, size };
  }

  #folderStat(): FileStat {
    return { type: 'directory', size: 0, modifiedAt: this.#clock.now(), readOnly: false };
  }

  /** The entries of a folder for the agent, given those on disk. */
  #entries(folder: string, present: readonly FileEntry[]): readonly FileEntry[] {
    const { all } = this;
    const gone = new Set(
      all.flatMap((review) =>
        [proposedAt(review), review.path].flatMap((path) =>
          parentOf(path) === folder ? nameOf(path) : [],
        ),
      ),
    );
    const entries = new Map<string, FileEntry>();
    for (const entry of present) if (!gone.has(entry.name)) entries.set(entry.name, entry);
    for (const { path, document } of all) {
      const below = document.kind === 'absent' ? undefined : pathBelow(folder, path);
      const [name = '', ...deeper] = below?.split('/') ?? [];
      if (name === '' || entries.has(name)) continue;
      entries.set(name, { name, type: deeper.length > 0 ? 'directory' : 'file' });
    }
    return [...entries.values()];
  }

  /** The proposal with what nobody told of the file behind it. */
  async #followed(
    path: string,
    place: string,
    known: FileReview | undefined,
    now: FileReview['baseline'],
  ): Promise<FileReview | undefined> {
    if (known === undefined || sameContent(known.baseline, now)) return known;
    await this.#reviews.files.fileChanged(place);
    return this.#reviews.find('proposed', path);
  }
}

export function notThere(path: string): BelayError {
  return fault(
    'not_found',
    told`${path} is not there any more: you proposed to delete or move it.`,
  );
}
