import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type TextFormat, bytesOf, PLAIN_FORMAT, textIn } from '../../files/text-file.ts';
import { isTooLarge } from '../../files/text-limits.ts';
import type { LineChange } from '../../merge/line-changes.ts';
import { LineEnds } from '../../merge/line-ends.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { TextEncodings } from '../../ports/files/text-encodings.ts';
import { linesOf, replacementsFor, textContent } from '../model/file-review.ts';
import type { Content } from '../model/file-review.ts';

/** A file as it is. */
export interface FileNow {
  readonly content: Content;
  /** Undefined where there is no file. */
  readonly bytes?: Uint8Array;
  /** Only of a text. */
  readonly text?: string;
  readonly format?: TextFormat;
}

interface Parts {
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
}

/** Bytes of files as contents, and contents as bytes: every line that stays keeps its end. */
export class FileBytes {
  readonly #files: Parts;

  constructor(files: Parts) {
    this.#files = files;
  }

  /** The content that bytes are at a path; what is too large to be looked at as lines is changed as a whole. */
  async read(path: string, bytes: Uint8Array): Promise<FileNow> {
    const decoded = isTooLarge(bytes) ? undefined : await textIn(this.#files, path, bytes);
    if (decoded !== undefined) return { content: textContent(decoded.text), bytes, ...decoded };
    const hash = await hashOf(bytes);
    return { content: { kind: 'binary', hash, bytes: bytes.length }, bytes };
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
    const bytes = await bytesOf(this.#files, text, format);
    if (bytes !== undefined) return bytes;
    const message = told`${path} is in an encoding that lacks a character of the new text. Nothing was written; convert the file to UTF-8 first.`;
    throw fault('invalid', message);
  }
}

/** SHA-256, hexadecimal: the same as of what is kept. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
