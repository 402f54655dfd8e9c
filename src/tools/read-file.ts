import * as z from 'zod/mini';
import { BelayError, failureOf } from '../domain/failure.ts';
import type { FileLink, ResultContent } from '../domain/message.ts';
import type { ReadDisplay } from '../domain/tool-display.ts';
import type { FileStat } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool-call/tool-call.ts';
import { throwIfAborted } from '../core/abort.ts';
import { defineTool } from './define-tool.ts';
import { linesOfLargeFile } from './large-file.ts';
import { base64, decodeText, imageType } from './text-file.ts';
import { gathered, PATH_NAMES, renamed } from './other-spellings.ts';
import type { ToolParts } from './tool-parts.ts';
import { absolutePath, shownPath } from './workspace-path.ts';

/** Lines of one file that are given when none are asked for. */
const PAGE = 2000;
/** Characters of one line that are shown; longer lines are generated or data. */
const LONGEST_LINE = 2000;
/** Files up to this size are read whole; of larger ones only the wanted lines. */
const WHOLE = 4 * 1024 * 1024;
/** Bytes of text from one file in one call; the result limit cuts further. */
const MOST_TEXT = 1024 * 1024;
/** The API takes images of 5 MB in base64. */
const LARGEST_IMAGE = 3_800_000;
const MOST_FILES = 50;
/** Bytes of images in one call; a request to the model may hold 32 MB in all. */
const MOST_IMAGES = 12 * 1024 * 1024;

const range = {
  path: z.string().check(z.minLength(1)),
  start_line: z.optional(z.int().check(z.gte(1))),
  end_line: z.optional(z.int().check(z.gte(1))),
};

const schema = z.strictObject({
  files: z
    .array(z.strictObject(range))
    .check(
      z.minLength(1),
      z.maxLength(MOST_FILES),
      z.describe('e.g. [{"path": "src/a.ts"}, {"path": "b.md", "start_line": 40, "end_line": 90}]'),
    ),
});

type Wanted = z.output<typeof schema>['files'][number] & {
  /** Bytes of images that this call may still hold. */
  readonly imageRoom: number;
};

/** One file's share of the result. */
interface Reading {
  readonly content: readonly ResultContent[];
  readonly link?: FileLink;
  readonly display: ReadDisplay['files'][number];
  readonly failed?: BelayError;
  /** The whole file, where it was read whole. */
  readonly bytes?: Uint8Array;
  readonly imageBytes?: number;
}

export function readFileTool(parts: ToolParts): Tool {
  return defineTool({
    name: 'read_file',
    description: `Reads files, several in one call: ask for everything you need at once. Whole files come as they are, ranges with line numbers; at most ${PAGE} lines unless you name a range. Shows images.`,
    schema,
    accept: (input) => {
      const named = renamed(input, { ...PATH_NAMES, startLine: 'start_line', endLine: 'end_line' });
      return gathered(named, ['path', 'start_line', 'end_line'], 'files');
    },
    sideEffects: false,
    level: 'guest',
    module: 'files',
    permission: 'none',
    touches: ({ files }, roots) =>
      files.map(({ path }) => ({ path: absolutePath(path, roots), access: 'read' })),
    run: async ({ files }, context) => {
      const readings: Reading[] = [];
      let imageBytes = 0;
      for (const wanted of files) {
        throwIfAborted(context.signal);
        const next = await reading(
          parts,
          { ...wanted, imageRoom: MOST_IMAGES - imageBytes },
          context,
        );
        imageBytes += next.imageBytes ?? 0;
        readings.push(next);
      }
      const [only] = readings;
      if (readings.length === 1 && only?.failed !== undefined) throw only.failed;
      return {
        content: readings.flatMap(({ content }) => content),
        files: readings.flatMap(({ link }) => link ?? []),
        display: { kind: 'read', files: readings.map(({ display }) => display) },
        ...(readings.every(({ failed }) => failed !== undefined) ? { isError: true } : {}),
      };
    },
  });
}

/** One of several that fails does not keep the others back. */
async function reading(parts: ToolParts, wanted: Wanted, context: ToolContext): Promise<Reading> {
  const path = absolutePath(wanted.path, context.roots);
  const shown = shownPath(path, context.roots);
  try {
    const real = context.judged?.get(path) ?? (await parts.files.realpath(path));
    const stat = await parts.files.stat(real);
    if (stat === undefined) throw await missing(parts, shown, path);
    if (stat.type !== 'file') throw notAFile(shown, stat);
    const result = await readOne(parts, { ...wanted, shown, path, real, stat }, context);
    const { bytes } = result;
    const seen = bytes === undefined ? { stat } : { stat, content: bytes };
    parts.readState.note(context.sessionId, real, seen);
    return result;
  } catch (thrown) {
    if (!(thrown instanceof BelayError)) throw thrown;
    const { message } = failureOf(thrown);
    return {
      content: [{ type: 'text', text: message }],
      display: { path: shown, problem: message },
      failed: thrown,
    };
  }
}

interface Found extends Wanted {
  readonly shown: string;
  readonly path: string;
  readonly real: string;
  readonly stat: FileStat;
}

async function readOne(parts: ToolParts, found: Found, context: ToolContext): Promise<Reading> {
  const { shown, real, stat } = found;
  const from = found.start_line ?? 1;
  const to = found.end_line ?? from + PAGE - 1;
  if (to < from)
    throw new BelayError({
      code: 'invalid',
      message: `The lines ${from} to ${to} of ${shown} are no range: end_line is before start_line.`,
    });
  const probe = await parts.files.readPart(real, 0, 8192);
  const mediaType = imageType(probe);
  if (mediaType !== undefined) return readImage(parts, found, mediaType);
  const utf16 = probe[0] === 0xff || probe[0] === 0xfe;
  const whole = stat.size <= WHOLE || utf16;
  const { bytes, lines } = whole
    ? { bytes: await parts.files.read(real, WHOLE * 8), lines: undefined }
    : await linesOfLargeFile(
        parts.files,
        { path: real, size: stat.size },
        { from, to, mostBytes: MOST_TEXT },
        context.signal,
      );
  const text =
    decodeText(probe) === undefined
      ? undefined
      : whole
        ? decodeText(bytes)?.text
        : decodePart(bytes);
  if (text === undefined) throw binary(shown, stat.size);
  const all = linesOf(text);
  const wanted = whole ? all.slice(from - 1, to) : all;
  const total = whole ? all.length : lines;
  const result =
    wanted.length === 0
      ? emptyReading(found, from, total)
      : textReading(found, from, wanted, total);
  return whole ? { ...result, bytes } : result;
}

function textReading(
  { shown, path }: Found,
  from: number,
  wanted: readonly string[],
  total: number | undefined,
): Reading {
  const to = from + wanted.length - 1;
  const whole = from === 1 && to === total;
  // Numbers cost a fifth of a file's tokens, and only a part of a file needs them to be found again.
  const lines = wanted.map(
    (line, index) => `${whole ? '' : `${from + index}\t`}${shortened(line)}`,
  );
  const span = whole ? `${total} lines` : `lines ${from}-${to} of ${total ?? 'many'}`;
  const more =
    total === undefined || to < total ? `\n[${shown} goes on: ask for start_line ${to + 1}.]` : '';
  return {
    content: [{ type: 'text', text: `${shown} (${span})\n${lines.join('\n')}${more}\n` }],
    link: from === 1 ? { path } : { path, line: from },
    display: { path: shown, from, to, ...(total === undefined ? {} : { lines: total }) },
  };
}

function emptyReading(
  { shown, path, stat }: Found,
  from: number,
  total: number | undefined,
): Reading {
  const text =
    stat.size === 0
      ? `${shown} is empty.`
      : `${shown} has ${total ?? 0} lines; there is no line ${from}.`;
  return {
    content: [{ type: 'text', text }],
    link: { path },
    display: { path: shown, ...(total === undefined ? {} : { lines: total }) },
  };
}

async function readImage(
  parts: ToolParts,
  { shown, path, real, stat, imageRoom }: Found,
  mediaType: string,
): Promise<Reading> {
  if (stat.size > LARGEST_IMAGE) {
    const message = `${shown} is an image of ${stat.size} bytes, too large to be shown (at most ${LARGEST_IMAGE}). Make a smaller copy of it and read that.`;
    throw new BelayError({ code: 'invalid', message });
  }
  if (stat.size > imageRoom) {
    const message = `${shown} is one image too many for one call. Read it in another one.`;
    throw new BelayError({ code: 'invalid', message });
  }
  const bytes = await parts.files.read(real, LARGEST_IMAGE);
  return {
    content: [
      { type: 'text', text: `${shown} (${mediaType}, ${stat.size} bytes)` },
      { type: 'binary', mediaType, data: base64(bytes), name: shown },
    ],
    link: { path },
    display: { path: shown },
    imageBytes: bytes.length,
  };
}

/** Text of a part of a file, which may end within a character. */
function decodePart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, -1).includes('\ufffd') ? (decodeText(bytes)?.text ?? text) : text;
}

/** A final line feed ends the last line; it does not begin another. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)}… [the line has ${line.length} characters]`;
}

async function missing(parts: ToolParts, shown: string, path: string): Promise<BelayError> {
  const near = await similarNames(parts, path);
  const hint =
    near.length === 0 ? 'find_files looks for it by name.' : `Did you mean ${near.join(' or ')}?`;
  return new BelayError({ code: 'not_found', message: `${shown} does not exist. ${hint}` });
}

/** Names in the same folder that a model may have meant. */
async function similarNames(parts: ToolParts, path: string): Promise<readonly string[]> {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const name = path.slice(at + 1).toLowerCase();
  const entries = await parts.files.list(path.slice(0, at) || '/').catch(() => []);
  const stem = name.replace(/\.[^.]*$/u, '');
  return entries
    .map((entry) => entry.name)
    .filter(
      (other) =>
        other.toLowerCase() === name || (stem.length > 2 && other.toLowerCase().startsWith(stem)),
    )
    .slice(0, 3);
}

function notAFile(shown: string, stat: FileStat): BelayError {
  const what =
    stat.type === 'directory'
      ? 'is a folder: use list_files'
      : 'is not a regular file (a pipe, socket or device) and is not read';
  return new BelayError({ code: 'invalid', message: `${shown} ${what}.` });
}

function binary(shown: string, size: number): BelayError {
  const message = `${shown} is a binary file of ${size} bytes and is not shown as text. A command can inspect it (file, strings, xxd).`;
  return new BelayError({ code: 'invalid', message });
}
