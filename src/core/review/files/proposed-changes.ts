import { BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { changedMeanwhile, isReplaced } from '../../files/changed-meanwhile.ts';
import { lineChangesByTurns } from '../../merge/line-changes.ts';
import { parentOf } from '../../../domain/paths.ts';
import type { FileStat, FileSystem, WriteOptions } from '../../ports/files/file-system.ts';
import { sameBytes } from '../../../domain/data/same-bytes.ts';
import { ABSENT, proposedAt } from '../model/file-review.ts';
import type { Attribution, FileReview, Mark, ProposedBytes } from '../model/file-review.ts';
import { type FileNow, formWords, LARGEST_MADE } from '../model/proposed-bytes.ts';
import { type ProposedFiles, notThere } from './proposed-files.ts';
import { hashOf } from '../service/file-bytes.ts';
import type { Reviews } from '../service/reviews.ts';

/** A new name for a file. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** The folder that goes along with it. */
  readonly folder?: string | undefined;
}

/**
 * Changes that reach no disk before the person accepts them. Each can be decided without the others: where
 * a proposal gives a name to another file that something on disk still has, that one is a change of what
 * is there, and what was moved away from it is a new file.
 */
export class ProposedChanges {
  readonly #files: FileSystem;
  readonly #reviews: Reviews;
  readonly #proposed: ProposedFiles;

  constructor(files: FileSystem, reviews: Reviews, proposed: ProposedFiles) {
    this.#files = files;
    this.#reviews = reviews;
    this.#proposed = proposed;
  }

  /** Nothing is decided meanwhile about what has these names, or is to be moved away from them. */
  async inTurn<Value>(paths: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const all = this.#concerned(paths);
    const turns = all.toReversed().reduce(
      (inner, path) => async () => this.#reviews.files.inTurn(path, inner),
      async (): Promise<{ readonly value: Value } | undefined> =>
        this.#concerned(paths).every((path) => all.includes(path))
          ? { value: await work() }
          : undefined,
    );
    const done = await turns();
    return done === undefined ? this.inTurn(paths, work) : done.value;
  }

  /** In one order for everybody, so that nobody waits for each other. */
  #concerned(paths: readonly string[]): readonly string[] {
    const about = this.#proposed.all.filter(
      ({ path, renamedFrom }) => paths.includes(path) || paths.includes(renamedFrom ?? ''),
    );
    const places = about.flatMap((review) => [review.path, proposedAt(review)]);
    return [...new Set([...paths, ...places])].toSorted();
  }

  /** The file as the agent finds it. */
  async seen(path: string): Promise<FileNow> {
    const { disk } = this.#reviews.files;
    const proposed = this.#proposed.at(path);
    if (proposed.kind === 'gone') return { content: ABSENT };
    if (proposed.kind !== 'file') return disk.now(path);
    return disk.bytes.read(path, await this.#proposed.bytes(proposed.review));
  }

  /**
   * Proposes all of a file.
   * @param mode permission bits, of a copy
   * @param marks of the content: the lines that others have made
   */
  async write(
    path: string,
    content: Uint8Array,
    {
      replaces,
      mode,
      marks,
    }: Pick<WriteOptions, 'replaces'> & {
      mode?: number | undefined;
      marks?: readonly Mark[] | undefined;
    },
    by: Attribution,
  ): Promise<void> {
    const { disk } = this.#reviews.files;
    const seen = await this.seen(path);
    const isThere = seen.content.kind !== 'absent';
    if (!isReplaced(replaces, seen.bytes)) throw changedMeanwhile(path, replaces, isThere);
    if (seen.bytes !== undefined && sameBytes(seen.bytes, content))
      throw fault('invalid', told`This changes nothing in ${path}. Nothing was proposed.`);
    const after = await disk.bytes.read(path, content);
    if (this.#reviews.find('proposed', path) === undefined) {
      await this.#refuseBelowFile(path);
      await this.#free(path, by);
    }
    const made = await this.#made(path, content, after, mode);
    const edit = { before: seen.content, after: after.content, made, marks };
    await this.#reviews.agent.edits('proposed', path, edit, by);
  }

  /** Proposes that a file goes: by the name that it has on disk. */
  async delete(path: string, by: Attribution, folder?: string): Promise<void> {
    const { content } = await this.seen(path);
    if (content.kind === 'absent') throw notThere(path);
    const known = this.#reviews.find('proposed', path);
    const place = known === undefined ? path : proposedAt(known);
    if (place !== path)
      await this.#reviews.agent.renames('proposed', path, { path: place, content }, by);
    await this.#reviews.agent.edits('proposed', place, { before: content, after: ABSENT }, by);
    await this.#goesWith(place, folder);
  }

  /** Proposes a new name. Nothing may be there for the agent. */
  async rename({ from, to, folder }: Renaming, by: Attribution): Promise<void> {
    const seen = await this.seen(from);
    const { content } = seen;
    if (content.kind === 'absent') throw notThere(from);
    const known = this.#reviews.find('proposed', from);
    const isBack = known?.renamedFrom === to;
    if (!isBack) {
      await this.#refuseBelowFile(to);
      if (await this.#isTaken(from, to)) throw taken(from, to);
      await this.#free(to, by);
    }
    if (this.#reviews.find('proposed', to) === undefined) {
      await this.#reviews.agent.renames('proposed', from, { path: to, content }, by);
      await this.#goesWith(to, isBack ? undefined : (known?.folder ?? folder));
      return;
    }
    // It gets the name of what is still on disk: that changes, and this one goes.
    await this.write(to, bytesIn(from, seen), { marks: known?.marks }, by);
    await this.delete(from, by, folder);
  }

  /** Proposes a copy. */
  async copy(from: string, to: string, by: Attribution): Promise<void> {
    const seen = await this.seen(from);
    if (seen.content.kind === 'absent') throw notThere(from);
    const mode = await this.#modeOf(from);
    await this.write(to, bytesIn(from, seen), { replaces: 'nothing', mode }, by);
  }

  /** Where a part of the path is a file nothing can be made: nobody could accept it. */
  async #refuseBelowFile(path: string): Promise<void> {
    for (let at = parentOf(path); at !== parentOf(at); at = parentOf(at)) {
      const there = await this.#typeOf(at);
      if (there === 'directory') return;
      if (there === undefined) continue;
      const message = told`${path} cannot exist, because ${at} is a file. Nothing was changed; check the path.`;
      throw fault('invalid', message);
    }
  }

  /** Below a file there is nothing. */
  async #typeOf(path: string): Promise<FileStat['type'] | undefined> {
    try {
      return (await this.#proposed.statOf(path))?.type;
    } catch (thrown) {
      if (thrown instanceof BelayError && thrown.code === 'invalid') return undefined;
      throw thrown;
    }
  }

  /** A file that has the name and the file on disk is one that the system takes for the same. */
  async #isTaken(from: string, to: string): Promise<boolean> {
    if (this.#proposed.at(to).kind === 'gone') return false;
    if (this.#proposed.at(to).kind !== 'none') return true;
    if ((await this.#files.stat(to)) === undefined) return false;
    const known = this.#reviews.find('proposed', from);
    const place = known === undefined ? from : proposedAt(known);
    return !(await this.#reviews.files.disk.isCaseOf(place, to));
  }

  /**
   * A file that was to be moved away from a name is a new one from now on, and the one of that name on disk is deleted.
   */
  async #free(path: string, by: Attribution): Promise<void> {
    const moved = this.#proposed.all.find(({ renamedFrom }) => renamedFrom === path);
    if (moved === undefined) return;
    if (await this.#reviews.files.disk.isCaseOf(path, moved.path)) throw stillThere(path);
    const { renamedFrom: _, folder: __, ...rest } = moved;
    const proposedBytes =
      moved.document.kind === 'absent' ? undefined : await this.#copyOf(path, moved);
    const { baseline } = moved;
    await this.#reviews.agent.edits('proposed', path, { before: baseline, after: ABSENT }, by);
    await this.#goesWith(path, moved.folder);
    const next = {
      ...rest,
      baseline: ABSENT,
      ...(proposedBytes === undefined ? {} : { proposedBytes }),
    };
    await this.#reviews.agent.repropose(moved.path, next);
  }

  /** A file that is proposed by another name, as a new one. */
  async #copyOf(path: string, moved: FileReview): Promise<ProposedBytes | undefined> {
    const bytes = await this.#proposed.bytes(moved);
    if (bytes.length > LARGEST_MADE) throw stillThere(path);
    const mode = await this.#modeOf(path);
    return { bytes, hash: await hashOf(bytes), ...(mode === undefined ? {} : { mode }) };
  }

  /** `undefined`: the file on disk, or a new one, with the lines of the proposal is just that. */
  async #made(
    path: string,
    bytes: Uint8Array,
    after: FileNow,
    mode: number | undefined,
  ): Promise<ProposedBytes | undefined> {
    const { disk } = this.#reviews.files;
    const known = this.#reviews.find('proposed', path);
    const place = known === undefined ? path : proposedAt(known);
    const now = await disk.now(place);
    const isText = now.content.kind === 'text' && after.content.kind === 'text';
    if (((mode ?? 0) & 0o111) === 0 && (await this.#isPlain(path, now, bytes, after)))
      return undefined;
    if (known?.proposedBytes !== undefined && (known.proposedBytes.says !== undefined) === isText) {
      const same = await disk.bytes.remade(path, known.proposedBytes, after.content);
      if (sameBytes(same, bytes)) return known.proposedBytes;
    }
    if (bytes.length > LARGEST_MADE) throw tooLarge(path, bytes.length);
    const bits = mode ?? known?.proposedBytes?.mode;
    return {
      bytes,
      hash: await hashOf(bytes),
      ...(bits === undefined ? {} : { mode: bits }),
      ...(isText ? { says: formWords(now, after) } : {}),
    };
  }

  /** The file on disk, or a new one, with the lines of the text is these bytes. */
  async #isPlain(
    path: string,
    now: FileNow,
    bytes: Uint8Array,
    { content }: FileNow,
  ): Promise<boolean> {
    const { disk } = this.#reviews.files;
    if (content.kind !== 'text' || now.content.kind === 'binary') return false;
    const plain =
      now.content.kind === 'absent'
        ? await disk.bytes.encoded(path, content.lines.join('\n'))
        : await disk.bytes.changed(
            path,
            now,
            await lineChangesByTurns(now.content.lines, content.lines),
          );
    return sameBytes(plain, bytes);
  }

  async #modeOf(path: string): Promise<number | undefined> {
    const known = this.#reviews.find('proposed', path);
    if (known?.proposedBytes?.mode !== undefined) return known.proposedBytes.mode;
    return (
      await this.#reviews.files.disk.kept.keep(known === undefined ? path : proposedAt(known))
    )?.mode;
  }

  async #goesWith(path: string, folder: string | undefined): Promise<void> {
    const review = this.#reviews.find('proposed', path);
    if (review === undefined || review.folder === folder) return;
    const { folder: _, ...rest } = review;
    await this.#reviews.agent.repropose(path, folder === undefined ? rest : { ...rest, folder });
  }
}

function taken(from: string, to: string): BelayError {
  const message = told`${from} cannot become ${to}: something is there already. Nothing was changed.`;
  return fault('invalid', message);
}

/** Of what is too large, and of names that differ by case alone, the disk has one place only. */
function stillThere(path: string): BelayError {
  const message = told`${path} has a file on disk until the person accepts that it is moved, as you proposed. Nothing was changed; use another name, or wait for their decision.`;
  return fault('invalid', message);
}

/** A file of which only the size is known is too large. */
function bytesIn(path: string, { content, bytes }: FileNow): Uint8Array {
  if (bytes !== undefined) return bytes;
  throw tooLarge(path, content.kind === 'binary' ? content.bytes : NaN);
}

function tooLarge(path: string, size: number): BelayError {
  const message = told`${path} has ${size} bytes that are no lines of a text on disk, more than the ${LARGEST_MADE} that can be proposed. Nothing was changed; leave it, or ask the person to choose the mode Edit for it.`;
  return fault('invalid', message);
}
