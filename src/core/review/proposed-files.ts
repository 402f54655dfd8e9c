import { BelayError } from '../../domain/failure.ts';
import { lineChanges } from '../merge/line-changes.ts';
import { nameOf, parentOf, pathBelow } from '../permissions/paths.ts';
import type { Clock, FileEntry, FileStat, FileSystem, ReadOptions } from '../ports.ts';
import { linesOf, proposedAt, sameContent } from './file-review.ts';
import type { FileReview } from './file-review.ts';
import type { Reviews } from './reviews.ts';

/** What is at a path for an agent: `gone` where it proposed to delete or move what is on disk. */
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
    if (review !== undefined)
      return review.document.kind === 'absent' ? { kind: 'gone' } : { kind: 'file', review };
    const { all } = this;
    if (all.some(({ renamedFrom }) => renamedFrom === path)) return { kind: 'gone' };
    const isFolder = all.some(({ path: file, document }) => {
      const below = pathBelow(path, file);
      return document.kind !== 'absent' && below !== undefined && below !== '';
    });
    return { kind: isFolder ? 'folder' : 'none' };
  }

  /** Proposals about what is at a path on disk: of its text, its deletion, its new name. */
  about(path: string): readonly FileReview[] {
    return this.all.filter((review) => review.path === path || proposedAt(review) === path);
  }

  /** The bytes that a proposed file would have; its lines keep the ends that they have on disk. */
  async bytes({ path, document }: FileReview, options?: ReadOptions): Promise<Uint8Array> {
    const { disk } = this.#reviews;
    const known = this.#reviews.find('proposed', path);
    const place = known === undefined ? path : proposedAt(known);
    if (document.kind === 'binary') return this.#files.read(place, undefined, options);
    const now = await disk.now(place);
    const current = await this.#followed(path, place, known, now.content);
    const lines = linesOf(current?.document ?? document);
    if (now.content.kind !== 'text') return disk.encoded(path, lines.join('\n'));
    return disk.changed(path, now, lineChanges(now.content.lines, lines));
  }

  /** `undefined`: nothing is there. */
  async stat(path: string, review: FileReview): Promise<FileStat | undefined> {
    const stat = await this.#files.stat(proposedAt(review));
    const { length: size } = await this.bytes(review);
    const made = { type: 'file', modifiedAt: this.#clock.now(), readOnly: false } as const;
    return { ...made, ...stat, size };
  }

  folderStat(): FileStat {
    return { type: 'directory', size: 0, modifiedAt: this.#clock.now(), readOnly: false };
  }

  /** What is in a folder, given what is in it on disk. */
  entries(folder: string, present: readonly FileEntry[]): readonly FileEntry[] {
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
    await this.#reviews.fileChanged(place);
    return this.#reviews.find('proposed', path);
  }
}

export function notThere(path: string): BelayError {
  return new BelayError({
    code: 'not_found',
    message: `${path} is not there any more: you proposed to delete or move it.`,
  });
}
