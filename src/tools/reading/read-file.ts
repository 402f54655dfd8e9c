import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { BelayError, fault, sentenceOf } from '../../domain/failure.ts';
import type { FileStat } from '../../core/ports/files/file-system.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import { nameOf, parentOf } from '../../domain/paths.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type ReadDisplay, readFileFace } from './read-file-face.ts';
import { gathered, PATH_NAMES, renamed } from '../other-spellings.ts';
import { nearestNames } from './nearest-names.ts';
import { PAGE, rangeOf, readOne } from './read-one.ts';
import type { Reading } from './reading.ts';
import type { ToolDisk, ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

const MOST_FILES = 50;
/** Bytes of images in one call. */
const MOST_IMAGES = 12 * 1024 * 1024;

const range = {
  path: z.string().check(z.minLength(1)),
  start_line: z.optional(z.int().check(z.gte(1), z.describe('of a PDF: page'))),
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

type Wanted = z.output<typeof schema>['files'][number];

export function readFileTool(parts: ToolParts): Tool {
  return defineTool(readFileFace, {
    description: `Reads files, several in one call: ask for everything you need at once. Whole files come as they are, ranges with line numbers; at most ${PAGE} lines unless you name a range. Shows images, PDF text, notebooks and spreadsheets.`,
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
    run: async ({ files }, context): Promise<DisplayedOutput<ReadDisplay>> => {
      const readings: Reading[] = [];
      let imageBytes = 0;
      for (const wanted of files) {
        throwIfAborted(context.signal);
        const next = await reading(parts, wanted, MOST_IMAGES - imageBytes, context);
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
async function reading(
  parts: ToolParts,
  wanted: Wanted,
  imageRoom: number,
  context: ToolContext,
): Promise<Reading> {
  const path = absolutePath(wanted.path, context.roots);
  const shown = shownPath(path, context.roots);
  try {
    const real = context.judged?.get(path) ?? (await parts.disk.files.realpath(path));
    const stat = await parts.disk.files.stat(real);
    if (stat === undefined) throw await missing(parts, shown, path, context);
    if (stat.type !== 'file') throw notAFile(shown, stat);
    const found = { shown, path, real, stat, imageRoom, ...rangeOf(wanted, shown) };
    const result = await readOne(parts.disk, found, context.signal);
    const { bytes } = result;
    const seen = bytes === undefined ? { stat } : { stat, content: bytes };
    const state = await parts.readState.of(context.sessionId, real, seen);
    parts.readState.note(context.sessionId, real, seen);
    return state === 'changed' ? toldChanged(result, shown) : result;
  } catch (thrown) {
    if (!(thrown instanceof BelayError)) throw thrown;
    const { failure } = thrown;
    return {
      content: [{ type: 'text', text: failure.message }],
      display: { path: shown, problem: sentenceOf(failure) },
      failed: thrown,
    };
  }
}

/** Tells that the model's memory of the file is out of date. */
function toldChanged(result: Reading, shown: string): Reading {
  const note = `[${shown} has changed since you last read it.]`;
  return { ...result, content: [{ type: 'text', text: note }, ...result.content] };
}

async function missing(
  parts: ToolParts,
  shown: string,
  path: string,
  context: ToolContext,
): Promise<BelayError> {
  if (await isLink(parts.disk, path))
    return fault('not_found', told`${shown} is a link, and what it leads to does not exist.`);
  const near = await nearestNames(parts.disk, path, context);
  const hint =
    near.length === 0
      ? told`find_files looks for it by name.`
      : told`Did you mean ${near.join(' or ')}?`;
  return fault('not_found', told`${shown} does not exist. ${hint}`);
}

async function isLink({ files }: Pick<ToolDisk, 'files'>, path: string): Promise<boolean> {
  const entries = await files.list(parentOf(path)).catch(() => []);
  return entries.some(({ name, type }) => type === 'symlink' && name === nameOf(path));
}

function notAFile(shown: string, stat: FileStat): BelayError {
  const what =
    stat.type === 'directory'
      ? told`is a folder: use list_files`
      : told`is not a regular file (a pipe, socket or device) and is not read`;
  return fault('invalid', told`${shown} ${what}.`);
}
