import { BelayError } from '../../domain/failure.ts';
import { LineEnds } from '../merge/line-ends.ts';
import type { LineChange } from '../merge/line-changes.ts';
import type { FileSystem } from '../ports.ts';
import type { KeptContents } from '../ports/kept-contents.ts';
import type { TextEncodings } from '../ports/text-encodings.ts';
import { bytesOf, PLAIN_FORMAT, textIn } from '../text-file.ts';
import type { TextFormat } from '../text-file.ts';
import { ABSENT, linesOf, replacementsFor, sameContent, textContent } from './file-review.ts';
import type { Content } from './file-review.ts';

/** Bytes up to which a file is looked at as text; larger ones are changed as a whole. */
const LARGEST = 20 * 1024 * 1024;

export interface ReviewDiskParts {
  /** The files as the person sees them: unsaved text of an editor counts. */
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
  readonly kept?: KeptContents | undefined;
}

/** A file as it is. */
export interface FileNow {
  readonly content: Content;
  /** Absent: there is no file. */
  readonly bytes?: Uint8Array;
  /** Only of a text. */
  readonly text?: string;
  readonly format?: TextFormat;
}

/** The files behind reviews: contents as lines, and lines as the bytes that the file had around them. */
export class ReviewDisk {
  readonly #parts: ReviewDiskParts;

  constructor(parts: ReviewDiskParts) {
    this.#parts = parts;
  }

  async now(path: string): Promise<FileNow> {
    const { files } = this.#parts;
    const stat = await files.stat(path);
    if (stat === undefined) return { content: ABSENT };
    if (stat.type !== 'file')
      throw new BelayError({ code: 'invalid', message: `${path} is no regular file.` });
    if (stat.size > LARGEST)
      return {
        content: { kind: 'binary', hash: `${stat.size}-${stat.modifiedAt}`, bytes: stat.size },
      };
    return this.read(path, await files.read(path));
  }

  /** The content that bytes are at a path. */
  async read(path: string, bytes: Uint8Array): Promise<FileNow> {
    const decoded = await textIn(this.#parts, path, bytes);
    if (decoded !== undefined) return { content: textContent(decoded.text), bytes, ...decoded };
    const kept = await this.#parts.kept?.keep(path);
    return {
      content: { kind: 'binary', hash: kept?.hash ?? '', bytes: bytes.length },
      bytes,
    };
  }

  /** The bytes of a file after changes of its lines; every line that stays keeps its end. */
  async changed(
    path: string,
    { text = '', format = PLAIN_FORMAT }: FileNow,
    edits: readonly LineChange[],
  ): Promise<Uint8Array> {
    const ends = new LineEnds(text);
    const lines = linesOf(textContent(text));
    return this.encoded(path, ends.apply(replacementsFor(lines, edits)), format);
  }

  async encoded(
    path: string,
    text: string,
    format: TextFormat = PLAIN_FORMAT,
  ): Promise<Uint8Array> {
    const bytes = await bytesOf(this.#parts, text, format);
    if (bytes !== undefined) return bytes;
    throw new BelayError({
      code: 'invalid',
      message: `${path} is in an encoding that lacks a character of the new text. Nothing was written; convert the file to UTF-8 first.`,
    });
  }

  /**
   * Changes lines of a file that must be as they were seen.
   * @throws BelayError `invalid` when the file is another one by now; nothing is written then
   */
  async changeLines(path: string, seen: Content, edits: readonly LineChange[]): Promise<void> {
    if (edits.length === 0) return;
    const now = await this.now(path);
    if (!sameContent(now.content, seen) || now.bytes === undefined) throw changedSince(path);
    const bytes = await this.changed(path, now, edits);
    await this.#parts.files.write(path, bytes, { replaces: now.bytes, keepUnsaved: true });
  }

  /** A file that must not be there yet. */
  async create(path: string, text: string): Promise<void> {
    const bytes = await this.encoded(path, text);
    await this.#parts.files.write(path, bytes, { replaces: 'nothing' });
  }

  /** A file that must be what was seen is taken away; one that is gone already is no problem. */
  async delete(path: string, seen: Content): Promise<void> {
    const { content } = await this.now(path);
    if (content.kind === 'absent') return;
    if (!sameContent(content, seen)) throw changedSince(path);
    await this.#parts.files.delete(path);
  }

  async rename(from: string, to: string): Promise<void> {
    const [there, free] = [await this.now(from), await this.#parts.files.stat(to)];
    if (there.content.kind === 'absent' && free !== undefined) return;
    if (free !== undefined)
      throw new BelayError({
        code: 'invalid',
        message: `${from} cannot become ${to}: something is there already. Nothing was changed; move it away and try again.`,
      });
    await this.#parts.files.rename(from, to);
  }

  /** Puts back what was kept. */
  async restore(
    path: string,
    { hash, bytes }: { readonly hash: string; readonly bytes: number },
  ): Promise<void> {
    const { kept, files } = this.#parts;
    if (kept === undefined || hash === '')
      throw new BelayError({
        code: 'not_found',
        message: `What ${path} was before is not kept, so it cannot be put back. It stays as it is.`,
      });
    await files.write(path, await kept.read(hash, bytes));
  }
}

function changedSince(path: string): BelayError {
  return new BelayError({
    code: 'invalid',
    message: `${path} was changed by something else in this very moment. Nothing was done; look at its changes and decide again.`,
  });
}
