import { FileBytes, type FileNow } from './file-bytes.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type LineChange, lineChangesByTurns } from '../../merge/line-changes.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { KeptContents, KeptFile } from '../../ports/files/kept-contents.ts';
import type { TextEncodings } from '../../ports/files/text-encodings.ts';
import { KeptFiles } from '../storage/kept-files.ts';
import { nameOf, parentOf } from '../../../domain/paths.ts';
import { type Content, ABSENT, linesOf, sameContent } from '../model/file-review.ts';

/** Bytes up to which a file is read at all; of larger ones only size and time are known. */
const MAX_BYTES = 100 * 1024 * 1024;

export interface ReviewDiskParts {
  /** The files as the person sees them: unsaved text of an editor counts. */
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
  readonly kept?: KeptContents | undefined;
}

/** The files behind reviews: contents as lines, and lines as the bytes that the file had around them. */
export class ReviewDisk {
  readonly bytes: FileBytes;
  /** For `create` and `restore`. */
  readonly kept: KeptFiles;
  readonly #parts: ReviewDiskParts;

  constructor(parts: ReviewDiskParts) {
    this.#parts = parts;
    this.bytes = new FileBytes(parts);
    this.kept = new KeptFiles(parts.kept);
  }

  async now(path: string): Promise<FileNow> {
    const { files } = this.#parts;
    const stat = await files.stat(path);
    // Where the person put a folder or a pipe, the file is gone.
    if (stat?.type !== 'file') return { content: ABSENT };
    if (stat.size > MAX_BYTES)
      return {
        content: { kind: 'binary', hash: `${stat.size}-${stat.modifiedAt}`, bytes: stat.size },
      };
    return this.bytes.read(path, await files.read(path));
  }

  /**
   * Changes lines of a file that must be as they were seen.
   * @throws BelayError `invalid` when the file is another one by now; nothing is written then
   */
  async changeLines(path: string, seen: Content, edits: readonly LineChange[]): Promise<void> {
    if (edits.length === 0) return;
    const now = await this.now(path);
    if (!sameContent(now.content, seen) || now.bytes === undefined) throw changedSince(path);
    const bytes = await this.bytes.changed(path, now, edits);
    const options = { exact: true, replaces: now.bytes };
    await this.#parts.files.write(path, bytes, options);
  }

  /**
   * A file that is not there, or is no text, becomes one again: with the line ends, encoding and mode of
   * what was kept of it.
   */
  async create(path: string, lines: Content, { seen, kept }: Before = {}): Promise<void> {
    await this.#put(path, await this.#asKept(path, linesOf(lines), kept), { seen, kept });
  }

  /** A file that must be what was seen is taken away; one that is gone already is no problem. */
  async delete(path: string, seen: Content): Promise<void> {
    const { content } = await this.now(path);
    if (content.kind === 'absent') return;
    if (!sameContent(content, seen)) throw changedSince(path);
    await this.#parts.files.delete(path);
  }

  /** One that has the new name already, as after a crash, is no problem. */
  async rename(from: string, to: string): Promise<void> {
    if (await this.canRename(from, to)) await this.#parts.files.rename(from, to);
  }

  /**
   * @returns whether it is to be renamed still
   * @throws BelayError `invalid` when something has the new name
   */
  async canRename(from: string, to: string): Promise<boolean> {
    const { files } = this.#parts;
    const [there, taken] = [await files.stat(from), await files.stat(to)];
    if (there === undefined && taken !== undefined) return false;
    if (taken !== undefined && !(await this.isCaseOf(from, to)))
      throw fault(
        'invalid',
        told`${from} cannot become ${to}: something is there already. Nothing was changed; move it away and try again.`,
      );
    return true;
  }

  /** True when both names are of one file, where the system minds no case. */
  async isCaseOf(from: string, to: string): Promise<boolean> {
    if (from === to || from.toLowerCase() !== to.toLowerCase()) return false;
    let [one, other] = [from, to];
    while (nameOf(one) === nameOf(other)) [one, other] = [parentOf(one), parentOf(other)];
    const there = await this.#parts.files.list(parentOf(one));
    const names = there.map(({ name }) => name);
    return !(names.includes(nameOf(one)) && names.includes(nameOf(other)));
  }

  /** Puts back what was kept, as it was. */
  async restore(path: string, hash: string, { seen, kept }: Before = {}): Promise<void> {
    const store = this.#parts.kept;
    if (store === undefined || kept === undefined || kept.hash !== hash)
      throw fault(
        'not_found',
        told`What ${path} was before is not kept, so it cannot be put back. It stays as it is.`,
      );
    await this.#put(path, await store.read(kept), { seen, kept });
  }

  async #put(path: string, bytes: Uint8Array, { seen = ABSENT, kept }: Before): Promise<void> {
    const now = await this.now(path);
    if (!sameContent(now.content, seen))
      throw seen.kind === 'absent' ? takenSince(path) : changedSince(path);
    await this.#parts.files.write(path, bytes, {
      exact: true,
      replaces: now.bytes ?? 'nothing',
      ...(kept === undefined ? {} : { mode: kept.mode }),
    });
  }

  /** Lines as the file had them; plainly where nothing of it is known any more. */
  async #asKept(
    path: string,
    lines: readonly string[],
    kept: KeptFile | undefined,
  ): Promise<Uint8Array> {
    const bytes = kept === undefined ? undefined : await this.kept.bytes(kept);
    const was = bytes === undefined ? undefined : await this.bytes.read(path, bytes);
    if (was === undefined || was.content.kind !== 'text')
      return this.bytes.encoded(path, lines.join('\n'));
    return this.bytes.changed(path, was, await lineChangesByTurns(was.content.lines, lines));
  }
}

/** How a file was: as it must still be, and what is kept of it. */
interface Before {
  readonly seen?: Content | undefined;
  readonly kept?: KeptFile | undefined;
}

function takenSince(path: string): BelayError {
  const message = told`Something is at ${path} that was not there before. Nothing was done, and the change stays pending: move that away and decide again.`;
  return fault('invalid', message);
}

function changedSince(path: string): BelayError {
  const message = told`${path} was changed by something else in this very moment. Nothing was done; look at its changes and decide again.`;
  return fault('invalid', message);
}
