import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import { parentOf } from '../../domain/paths.ts';
import type { Tool, ToolContext, Touch } from '../../core/tool-call/tool-call.ts';
import { BelayError, sentenceOf } from '../../domain/failure.ts';
import type { Json, JsonObject } from '../../domain/data/json.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type ManageDisplay, manageFilesFace } from './manage-files-face.ts';
import { carryOut, described, placeOf, shownTo } from './file-operation.ts';
import type { Operation } from './file-operation.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath } from '../workspace-path.ts';

const MOST_OPERATIONS = 50;

const operation = z
  .strictObject({
    kind: z.enum(['create_folder', 'rename', 'copy', 'delete']),
    path: z.string().check(z.minLength(1)),
    to: z.optional(
      z.string().check(z.minLength(1), z.describe('rename, copy: the whole new path')),
    ),
  })
  .check(
    z.refine(({ kind, to }) => (to !== undefined) === (kind === 'rename' || kind === 'copy'), {
      error: 'needs "to" for rename and copy, and has none for the others.',
    }),
  );

const schema = z.strictObject({
  operations: z
    .array(operation)
    .check(
      z.minLength(1),
      z.maxLength(MOST_OPERATIONS),
      z.describe('e.g. [{"kind": "rename", "path": "a.ts", "to": "src/a.ts"}]'),
    ),
});

const KINDS: Readonly<Record<string, string>> = {
  mkdir: 'create_folder',
  create: 'create_folder',
  move: 'rename',
  mv: 'rename',
  cp: 'copy',
  remove: 'delete',
  rm: 'delete',
};

export function manageFilesTool(parts: ToolParts): Tool {
  return defineTool(manageFilesFace, {
    description:
      'Creates folders; moves, renames, copies and deletes files and folders. Several in order, up to the first that fails. Replaces nothing; what is deleted can be brought back.',
    schema,
    accept: (input) => {
      const { operations } = input;
      if (!Array.isArray(operations)) return input;
      return { ...input, operations: operations.map((one: Json) => inOurWords(one)) };
    },
    rare: true,
    sideEffects: true,
    level: 'user',
    module: 'files',
    permission: 'edit',
    touches: ({ operations }, roots) => operations.flatMap((one) => touchesOf(one, roots)),
    preview: async ({ operations }, context) => {
      const lines: string[] = [];
      for (const one of operations) lines.push(await described(parts, one, context));
      const title =
        lines.length === 1 ? (lines[0] ?? '') : `Change ${lines.length} files or folders`;
      return { title, detail: lines.join('\n'), prose: true };
    },
    run: async ({ operations }, context) => manage(parts, operations, context),
  });
}

function inOurWords(one: Json): Json {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
  const names = { ...PATH_NAMES, from: 'path', type: 'kind', new_path: 'to' };
  const named = renamed(one as JsonObject, names);
  const { kind } = named;
  const isKnown = typeof kind === 'string' && Object.hasOwn(KINDS, kind);
  return isKnown ? { ...named, kind: KINDS[kind] ?? kind } : named;
}

/** A link counts by what it leads to as well as by the folder that its name is in. */
function touchesOf({ kind, path, to }: Operation, roots: readonly string[]): Touch[] {
  const paths = [path, ...(to === undefined ? [] : [to])].map((one) => absolutePath(one, roots));
  return paths.flatMap((one, index): Touch[] => {
    const access = kind === 'copy' && index === 0 ? 'read' : 'write';
    // A folder takes along what is below it; a new one has nothing there yet.
    const below = kind === 'create_folder' ? {} : { below: paths[0] ?? one };
    // By another name it could be read without a question.
    const moved: Touch[] =
      kind === 'rename' && index === 0 ? [{ path: one, access: 'read', ...below }] : [];
    return [...moved, { path: one, access, ...below }, { path: parentOf(one), access }];
  });
}

async function manage(
  parts: ToolParts,
  operations: readonly Operation[],
  context: ToolContext,
): Promise<DisplayedOutput<ManageDisplay>> {
  const cards: ManageDisplay['operations'][number][] = [];
  const lines: string[] = [];
  let failure: BelayError | undefined;
  for (const one of operations) {
    throwIfAborted(context.signal);
    const { shown } = await placeOf(parts, one.path, context);
    const to = one.to === undefined ? {} : { to: await shownTo(parts, one.to, context) };
    const card = { kind: one.kind, path: shown, ...to };
    if (failure !== undefined) {
      lines.push(`Not tried: ${one.kind} ${shown}.`);
      cards.push({ ...card, problem: told`not tried` });
      continue;
    }
    try {
      const done = await carryOut(parts, one, context);
      lines.push(done.said);
      cards.push({ ...card, ...done.undo });
    } catch (thrown) {
      if (!(thrown instanceof BelayError)) throw thrown;
      failure = thrown;
      lines.push(`Failed: ${thrown.message}`);
      cards.push({ ...card, problem: sentenceOf(thrown.failure) });
    }
  }
  const done = cards.filter(({ problem }) => problem === undefined).length;
  // Nothing was done at all: a failure like any other.
  if (failure !== undefined && done === 0) throw failure;
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    ...(failure === undefined ? {} : { isError: true }),
    display: {
      kind: 'manage',
      note: `${done} of ${cards.length} done`,
      operations: cards,
    },
  };
}
