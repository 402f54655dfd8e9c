import { BelayError } from '../../domain/failure.ts';
import { lineChanges } from '../merge/line-changes.ts';
import { CHANGED_MEANWHILE } from '../changed-meanwhile.ts';
import type {
  ChangeOptions,
  Clock,
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../ports.ts';
import type { ChangeOrigin } from '../ports/change-origin.ts';
import { nameOf, parentOf } from '../permissions/paths.ts';
import { ABSENT, linesOf, proposedAt, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview } from './file-review.ts';
import type { Reviews } from './reviews.ts';
import { Turns } from './turns.ts';

/**
 * The files as an agent has them: what is proposed is there for it as if it were written, and every
 * change that has an origin becomes a pending one before it is made. A change that the person has
 * said yes to is none.
 */
export class ReviewedFiles implements FileSystem {
  readonly #files: FileSystem;
  readonly #reviews: Reviews;
  readonly #clock: Clock;
  readonly #turns = new Turns();

  constructor(files: FileSystem, reviews: Reviews, clock: Clock) {
    this.#files = files;
    this.#reviews = reviews;
    this.#clock = clock;
  }

  async read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    const bytes = await this.#proposedBytes(path);
    if (bytes === undefined) return this.#files.read(path, maxBytes, options);
    if (maxBytes !== undefined && bytes.length > maxBytes)
      throw new BelayError({
        code: 'invalid',
        message: `${path} has ${bytes.length} bytes; at most ${maxBytes} are read.`,
      });
    return bytes;
  }

  async readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    const bytes = await this.#proposedBytes(path);
    if (bytes === undefined) return this.#files.readPart(path, offset, length, options);
    return bytes.slice(offset, offset + length);
  }

  async write(path: string, content: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.write(path, content, options);
    return this.#turns.take(path, async () => {
      const after = (await this.#reviews.disk.read(path, content)).content;
      const seen = await this.#seen(path);
      const { replaces } = options;
      if (replaces !== undefined && !same(replaces, seen.bytes)) throw changedMeanwhile(path);
      if (origin.how === 'propose') await this.#propose(path, seen.content, after, origin);
      else await this.#write(path, { content, after }, options, origin);
    });
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const review = this.#proposal(path);
    if (review === undefined) return this.#isMoved(path) ? undefined : this.#files.stat(path);
    if (review.document.kind === 'absent') return undefined;
    const [bytes, stat] = [
      await this.#proposedBytes(path),
      await this.#files.stat(proposedAt(review)),
    ];
    const made = { type: 'file', modifiedAt: this.#clock.now(), readOnly: false } as const;
    return { ...made, ...stat, size: bytes?.length ?? 0 };
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    const proposals = this.#reviews.pending.filter(({ kind }) => kind === 'proposed');
    const here = proposals.filter(({ review }) => parentOf(review.path) === folder);
    const moved = proposals.filter(({ review }) => parentOf(proposedAt(review)) === folder);
    if (here.length === 0 && moved.length === 0) return this.#files.list(folder);
    const stat = await this.#files.stat(folder);
    const present = stat === undefined ? [] : await this.#files.list(folder);
    const gone = new Set(
      [...here, ...moved].flatMap(({ review }) => [
        nameOf(proposedAt(review)),
        nameOf(review.path),
      ]),
    );
    const made = here.flatMap(({ review }): readonly FileEntry[] =>
      review.document.kind === 'absent' ? [] : [{ name: nameOf(review.path), type: 'file' }],
    );
    return [...present.filter(({ name }) => !gone.has(name)), ...made];
  }

  realpath(path: string): Promise<string> {
    return this.#files.realpath(path);
  }

  async delete(path: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.delete(path);
    return this.#turns.take(path, async () => {
      const seen = await this.#seen(path);
      if (origin.how === 'propose') return this.#propose(path, seen.content, ABSENT, origin);
      await this.#pendingWrite(path, ABSENT, origin);
      await this.#orUndone(path, () => this.#files.delete(path), origin);
    });
  }

  async rename(from: string, to: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.rename(from, to);
    return this.#turns.take(from, async () => {
      const { content } = await this.#seen(from);
      const by = this.#by(origin);
      if (origin.how === 'propose') {
        if ((await this.stat(to)) !== undefined) throw taken(from, to);
        return this.#reviews.agentRenames('proposed', from, { path: to, content }, by);
      }
      await this.#pendingWrite(from, content, origin);
      await this.#files.rename(from, to);
      if (origin.how === 'accepted') this.#reviews.fileRenamed(from, to);
      else await this.#reviews.agentRenames('written', from, { path: to, content }, by);
    });
  }

  #proposal(path: string): FileReview | undefined {
    return this.#reviews.find('proposed', path);
  }

  /** Whether a proposal takes the file away from this path. */
  #isMoved(path: string): boolean {
    return this.#reviews.pending.some(
      ({ kind, review }) => kind === 'proposed' && review.renamedFrom === path,
    );
  }

  async #proposedBytes(path: string): Promise<Uint8Array | undefined> {
    const review = this.#proposal(path);
    if (review === undefined) {
      if (this.#isMoved(path)) throw notThere(path);
      return undefined;
    }
    const { document } = review;
    if (document.kind !== 'text') throw notThere(path);
    const { disk } = this.#reviews;
    const now = await disk.now(proposedAt(review));
    if (now.content.kind !== 'text') return disk.encoded(path, document.lines.join('\n'));
    return disk.changed(path, now, lineChanges(linesOf(now.content), document.lines));
  }

  /** The file as the agent finds it. */
  async #seen(path: string): Promise<{ readonly content: Content; readonly bytes?: Uint8Array }> {
    const isGone = this.#proposal(path)?.document.kind === 'absent' || this.#isMoved(path);
    if (isGone) return { content: ABSENT };
    const bytes = await this.#proposedBytes(path);
    return bytes === undefined
      ? this.#reviews.disk.now(path)
      : this.#reviews.disk.read(path, bytes);
  }

  async #propose(
    path: string,
    before: Content,
    after: Content,
    origin: ChangeOrigin,
  ): Promise<void> {
    if (sameContent(before, after) || after.kind === 'binary')
      throw new BelayError({
        code: 'invalid',
        message: `The change of ${path} is none of lines of text, and only those can be proposed. Nothing was changed; ask the person to choose the mode Edit for it.`,
      });
    await this.#reviews.agentEdits('proposed', path, { before, after }, this.#by(origin));
  }

  async #write(
    path: string,
    { content, after }: { readonly content: Uint8Array; readonly after: Content },
    options: WriteOptions,
    origin: ChangeOrigin,
  ): Promise<void> {
    const isProposed = this.#proposal(path) !== undefined;
    const { bytes } = isProposed ? await this.#reviews.disk.now(path) : {};
    await this.#pendingWrite(path, after, origin);
    const replaces = isProposed ? { replaces: bytes ?? ('nothing' as const) } : {};
    await this.#orUndone(
      path,
      () => this.#files.write(path, content, { ...options, ...replaces }),
      origin,
    );
  }

  /** Before a file is written: a proposal for it goes along, and stays pending with what is new. */
  async #pendingWrite(path: string, after: Content, origin: ChangeOrigin): Promise<void> {
    const proposal = this.#proposal(path);
    let before = (await this.#reviews.disk.now(path)).content;
    if (proposal !== undefined && proposal.renamedFrom === undefined) {
      const by = proposal.marks.findLast((mark) => typeof mark.by !== 'string')?.by;
      const author = typeof by === 'object' ? by : this.#by(origin);
      const contents = { before, after: proposal.document };
      await this.#reviews.agentEdits('written', path, contents, author);
      before = proposal.document;
    }
    // What the person has said yes to is nothing to decide about.
    if (origin.how !== 'accepted')
      await this.#reviews.agentEdits('written', path, { before, after }, this.#by(origin));
  }

  /** When it fails, nothing more than what is in the file is pending. */
  async #orUndone(path: string, change: () => Promise<void>, origin: ChangeOrigin): Promise<void> {
    try {
      await change();
      await this.#reviews.forgetProposal(path);
      if (origin.how === 'accepted') await this.#reviews.fileChanged(path);
    } catch (thrown) {
      await this.#reviews.fileChanged(path);
      throw thrown;
    }
  }

  #by({ sessionId, messageId, callId, tool }: ChangeOrigin): Attribution {
    return { by: 'agent', sessionId, messageId, callId, tool, why: '', at: this.#clock.now() };
  }
}

function same(replaces: Uint8Array | 'nothing', bytes: Uint8Array | undefined): boolean {
  if (replaces === 'nothing' || bytes === undefined)
    return replaces === 'nothing' && bytes === undefined;
  return replaces.length === bytes.length && replaces.every((byte, at) => byte === bytes[at]);
}

function changedMeanwhile(path: string): BelayError {
  return new BelayError({
    code: 'invalid',
    message: `${path} was changed by somebody else before it could be written. Nothing was written and the change is kept. Read the file again, then edit it.`,
    details: { path, reason: CHANGED_MEANWHILE },
  });
}

function notThere(path: string): BelayError {
  return new BelayError({
    code: 'not_found',
    message: `${path} is not there any more: you proposed to delete or move it.`,
  });
}

function taken(from: string, to: string): BelayError {
  return new BelayError({
    code: 'invalid',
    message: `${from} cannot become ${to}: something is there already. Nothing was changed.`,
  });
}
