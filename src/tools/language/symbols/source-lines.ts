import { told } from '../../../domain/text/told.ts';
import { fault } from '../../../domain/failure.ts';
import type { ToolContext } from '../../../core/tool-call/tool-call.ts';
import { decodeText } from '../../../core/files/text-file.ts';
import { shownPath } from '../../workspace-path.ts';
import type { LanguageParts } from '../language-parts.ts';
import type { ToolDisk } from '../../tool-parts.ts';
import { linesOf } from './symbol-address.ts';

/** Files larger than this are not read for a line of theirs, in bytes. */
const LARGEST = 5 * 1024 * 1024;
/** Files read for one result; places in further ones are shown without their text. */
const MOST_FILES = 100;
const LONGEST_LINE = 200;

export interface SourceParts extends Pick<LanguageParts, 'language'> {
  readonly disk: Pick<ToolDisk, 'files'>;
}

/** The source at a server's places; only files of the workspace are read. */
export class SourceLines {
  readonly #parts: SourceParts;
  readonly #context: ToolContext;
  readonly #files = new Map<string, Promise<readonly string[]>>();

  constructor(parts: SourceParts, context: ToolContext) {
    this.#parts = parts;
    this.#context = context;
  }

  /** Lines `from` to `from + count - 1`, trimmed at the end and cut; none when they cannot be read. */
  async at(path: string, from: number, count = 1): Promise<readonly string[]> {
    const lines = await this.#linesOf(path);
    return lines.slice(from - 1, from - 1 + count).map(cutLine);
  }

  #linesOf(path: string): Promise<readonly string[]> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const reading =
      this.#files.size >= MOST_FILES ? Promise.resolve([]) : this.#read(path).catch(() => []);
    this.#files.set(path, reading);
    return reading;
  }

  async #read(path: string): Promise<readonly string[]> {
    const { place, real } = await this.#parts.language.judge(
      { path, access: 'read' },
      this.#context.roots,
    );
    if (place === 'outside' || place === 'forbidden') return [];
    const decoded = decodeText(await this.#parts.disk.files.read(real, LARGEST));
    return decoded === undefined ? [] : linesOf(decoded.text);
  }
}

export function cutLine(line: string): string {
  const trimmed = line.trimEnd();
  return trimmed.length > LONGEST_LINE ? `${trimmed.slice(0, LONGEST_LINE)}…` : trimmed;
}

/** The text of a file of the workspace that a tool was asked about. */
export async function sourceOf(
  parts: LanguageParts,
  path: string,
  context: ToolContext,
): Promise<string> {
  const shown = shownPath(path, context.roots);
  const real = context.judged?.get(path) ?? (await parts.disk.files.realpath(path));
  const stat = await parts.disk.files.stat(real);
  if (stat === undefined) {
    throw fault('not_found', told`${shown} does not exist. Look for it with find_files.`);
  }
  if (stat.type !== 'file') {
    const message = told`${shown} is ${stat.type === 'directory' ? told`a folder` : told`not a regular file`}. Name a source file.`;
    throw fault('invalid', message);
  }
  const decoded = decodeText(await parts.disk.files.read(real, LARGEST));
  if (decoded !== undefined) return decoded.text;
  throw fault('invalid', told`${shown} is a binary file: it has no symbols. Name a source file.`);
}
