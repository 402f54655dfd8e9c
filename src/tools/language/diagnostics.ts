import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import { pathBelow } from '../../domain/paths.ts';
import type { Problem, ProblemReport, Severity } from '../../core/ports/editor/language.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { diagnosticsFace } from './diagnostics-face.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';
import { type LanguageParts, PATIENCE } from './language-parts.ts';
import { countsOf, problemLines } from './problem-lines.ts';
import { SourceLines } from './symbols/source-lines.ts';
import { visible } from './visible.ts';

/** Problems listed; the rest is counted. */
const MOST = 100;
/** Files that servers are asked about at once. */
const MOST_FILES = 50;

const schema = z.strictObject({
  paths: z.optional(
    z
      .array(z.string().check(z.minLength(1)))
      .check(z.maxLength(MOST_FILES), z.describe('files or folders; default: all that is known')),
  ),
  changed: z.optional(z.boolean().check(z.describe('only files that you changed in this session'))),
  severity: z.optional(
    z.enum(['error', 'warning', 'all']).check(z.describe('the mildest; default warning')),
  ),
});

type Input = z.output<typeof schema>;

const INCLUDED: Readonly<Record<NonNullable<Input['severity']>, readonly Severity[]>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  all: ['error', 'warning', 'information', 'hint'],
};

export function diagnosticsTool(parts: LanguageParts): Tool {
  return defineTool(diagnosticsFace, {
    description:
      'Errors and warnings that the editor’s language servers see. After an edit new ones of that file are told anyway.',
    schema,
    accept: (input) => ofPaths(renamed(input, { ...PATH_NAMES, files: 'paths' })),
    sideEffects: false,
    level: 'guest',
    module: 'language',
    permission: 'none',
    touches: ({ paths = [] }, roots) =>
      paths.map((path) => ({ path: absolutePath(path, roots), access: 'read' as const })),
    run: async (input, context) => {
      const { roots, signal } = context;
      const { files, folders } = await placesOf(parts, input, context);
      const report = await reportOf(parts, { files, folders }, signal);
      const wanted = INCLUDED[input.severity ?? 'warning'];
      const known = report.problems.filter(
        (problem) => wanted.includes(problem.severity) && isInside(problem, roots),
      );
      const { items: problems } = await visible(parts, known, context);
      const shown = problems.slice(0, MOST);
      const count = new Set(problems.map(({ path }) => path)).size;
      const lines = await problemLines(shown, new SourceLines(parts, context), roots);
      const text = [
        `${capital(countsOf(problems))}${problems.length === 0 ? whereOf(input) : ` in ${count} ${count === 1 ? 'file' : 'files'}`}`,
        ...(lines === '' ? [] : [lines]),
        ...(problems.length > MOST
          ? [`[${problems.length - MOST} more: name paths, or severity "error"]`]
          : []),
        ...unansweredNote(report, roots),
        ...(files.length === 0
          ? [
              '[Known are files that were opened in this window; name paths to have others looked at.]',
            ]
          : []),
      ].join('\n');
      return {
        content: [{ type: 'text', text }],
        files: shown.slice(0, 50).map(({ path, line }) => ({ path, line })),
        display: {
          kind: 'problems',
          errors: countOf(problems, 'error'),
          warnings: countOf(problems, 'warning'),
          others: problems.length - countOf(problems, 'error') - countOf(problems, 'warning'),
          files: count,
        },
      };
    },
  });
}

/** `{"path": "a"}` is `{"paths": ["a"]}`. */
function ofPaths(input: JsonObject): JsonObject {
  const { path, ...rest } = input;
  return typeof path === 'string' && rest['paths'] === undefined
    ? { ...rest, paths: [path] }
    : input;
}

interface Places {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

async function placesOf(
  parts: LanguageParts,
  { paths, changed }: Input,
  { roots, sessionId, judged }: ToolContext,
): Promise<Places> {
  // A folder must be open: what is known belongs to the workspace.
  absolutePath('.', roots);
  const files: string[] = [];
  const folders: string[] = [];
  for (const asked of paths ?? []) {
    const path = absolutePath(asked, roots);
    const real = judged?.get(path) ?? (await parts.disk.files.realpath(path));
    const stat = await parts.disk.files.stat(real);
    if (stat === undefined) {
      const message = told`${shownPath(path, roots)} does not exist. Look for it with find_files.`;
      throw fault('not_found', message);
    }
    (stat.type === 'directory' ? folders : files).push(path);
  }
  if (changed !== true) return { files, folders };
  const touched = parts.language.changed.of(sessionId).slice(-MOST_FILES);
  const named =
    paths === undefined ? touched : touched.filter((path) => isIn({ files, folders }, path));
  if (named.length > 0) return { files: named, folders: [] };
  const message =
    paths === undefined
      ? told`No file was changed by your tools in this session since Belay started. Name paths instead.`
      : told`No file among these was changed by your tools in this session since Belay started. Name paths instead.`;
  throw fault('invalid', message);
}

async function reportOf(
  { language }: LanguageParts,
  places: Places,
  signal: AbortSignal,
): Promise<ProblemReport> {
  if (places.folders.length === 0 && places.files.length > 0)
    return language.servers.problems({ paths: places.files, waitMs: PATIENCE }, signal);
  const fresh = await language.servers.problems({ paths: places.files, waitMs: PATIENCE }, signal);
  const { problems } = await language.servers.problems({ waitMs: 0 }, signal);
  const all = places.folders.length === 0;
  return {
    problems: problems.filter(({ path }) => all || isIn(places, path)),
    unanswered: fresh.unanswered,
  };
}

function isIn({ files, folders }: Places, path: string): boolean {
  return files.includes(path) || folders.some((folder) => pathBelow(folder, path) !== undefined);
}

function isInside({ path }: Problem, roots: readonly string[]): boolean {
  return roots.some((root) => pathBelow(root, path) !== undefined);
}

function unansweredNote(
  { unanswered }: ProblemReport,
  roots: readonly string[],
): readonly string[] {
  if (unanswered.length === 0) return [];
  const names = unanswered.slice(0, 10).map((path) => shownPath(path, roots));
  return [
    `[No language server has answered about ${names.join(', ')}${unanswered.length > 10 ? ' and others' : ''}: nobody may serve that language here, or it is still starting. Run the project’s own check to be sure.]`,
  ];
}

function whereOf({ paths, changed }: Input): string {
  if (paths !== undefined) return ` in ${paths.slice(0, 10).join(', ')}`;
  return changed === true ? ' in the files you changed' : ' known';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function countOf(problems: readonly Problem[], severity: Severity): number {
  return problems.filter((problem) => problem.severity === severity).length;
}
