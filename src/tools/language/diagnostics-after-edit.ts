import { isAbortError } from '../../domain/lifetime/abort.ts';
import { pathBelow } from '../../domain/paths.ts';
import type { CheckedFile } from '../../domain/review/evidence.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import { checkedFile, withChecked } from '../../core/review/evidence/checked-files.ts';
import { newProblems } from '../../core/review/evidence/new-problems.ts';
import type { Problem, ProblemReport } from '../../core/ports/editor/language.ts';
import { toolOf } from '../../core/tool-call/wrappers/lookup.ts';
import type { ToolCallRequest, ToolOutcome, WrapToolCall } from '../../core/tool-call/tool-call.ts';
import { failureOf } from '../../domain/failure.ts';
import { countsOf, problemLines } from './problem-lines.ts';
import { type SourceParts, SourceLines } from './symbols/source-lines.ts';

/** Milliseconds to wait for the servers before the edit, and after it. */
const BEFORE = 1500;
const AFTER = 1500;
/** New problems told after one edit; the rest is counted. */
const MOST = 20;
/** Files looked at for one edit. */
const MOST_FILES = 20;

export interface AfterEditParts extends SourceParts {
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  /** The setting `language.diagnosticsAfterEdit`; asked at each edit. */
  readonly enabled: () => boolean;
}

/** A file's problems before an edit. */
type Baselines = ReadonlyMap<string, readonly Problem[]>;

/**
 * Inside hygiene, for it quotes source; outside retry. Tells the model an edit's new errors and
 * warnings in the file; a slow server's with the next edit. What it asked is kept with the result.
 */
export function withDiagnosticsAfterEdit(parts: AfterEditParts): WrapToolCall {
  const late = new Map<string, Map<string, readonly Problem[]>>();
  return (next) => async (request) => {
    const tool = toolOf(request);
    if (tool.permission !== 'edit') return next(request);
    const { sessionId, roots } = request.context;
    const touched = (tool.touches?.(request.part.input, roots) ?? [])
      .filter(({ access, path }) => access === 'write' && isInside(path, roots))
      .map(({ path }) => path)
      .slice(0, MOST_FILES);
    const enabled = parts.enabled();
    const before = enabled ? await baselines(parts, touched, request) : undefined;
    const outcome = await next(request);
    if (outcome.result.state !== 'done') return outcome;
    const changed = (outcome.result.files ?? []).map(({ path }) => path);
    parts.language.changed.note(sessionId, [...new Set([...touched, ...changed])]);
    if (before === undefined) return outcome;
    const waiting = late.get(sessionId) ?? new Map<string, readonly Problem[]>();
    late.set(sessionId, waiting);
    // Problems known before an edit that no server has answered about yet are older, and count.
    const all = new Map([...before, ...waiting]);
    const answer = await told(parts, request, outcome, { waiting, before: all });
    if (waiting.size === 0) late.delete(sessionId);
    return answer;
  };
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => pathBelow(root, path) !== undefined);
}

/** A file that is not there yet has no problems. */
async function baselines(
  parts: AfterEditParts,
  paths: readonly string[],
  { context }: ToolCallRequest,
): Promise<Baselines> {
  const known = await Promise.all(
    paths.map(async (path) => [path, await problemsOf(parts, path, BEFORE, context)] as const),
  );
  return new Map(known.map(([path, report]) => [path, report?.problems ?? []]));
}

/** `undefined`: the file is not there, is kept from the agent, or the servers cannot look at it. */
async function problemsOf(
  { language, log }: AfterEditParts,
  path: string,
  waitMs: number,
  { roots, signal }: ToolCallRequest['context'],
): Promise<ProblemReport | undefined> {
  try {
    const { place } = await language.judge({ path, access: 'write' }, roots);
    if (place !== 'inside' && place !== 'config') return undefined;
    const { problems, unanswered } = await language.servers.problems(
      { paths: [path], waitMs },
      signal,
    );
    const grave = problems.filter(({ severity }) => severity === 'error' || severity === 'warning');
    return { problems: grave, unanswered };
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    if (!isAbortError(thrown) && code !== 'not_found')
      log.warn('The problems of an edited file could not be asked for.', { reason: message });
    return undefined;
  }
}

async function told(
  parts: AfterEditParts,
  request: ToolCallRequest,
  outcome: ToolOutcome,
  {
    before,
    waiting,
  }: { readonly before: Baselines; readonly waiting: Map<string, readonly Problem[]> },
): Promise<ToolOutcome> {
  const { context } = request;
  const checked: CheckedFile[] = [];
  const found = await Promise.all(
    [...before].map(async ([path, old]) => {
      const report = await problemsOf(parts, path, AFTER, context);
      if (report !== undefined && report.unanswered.length > 0) waiting.set(path, old);
      else waiting.delete(path);
      if (report === undefined) return [];
      const answered = report.unanswered.length === 0;
      checked.push(checkedFile({ path, at: parts.clock.now(), answered }, old, report.problems));
      return newProblems(old, report.problems);
    }),
  );
  for (const [path] of [...waiting].slice(0, -MOST_FILES)) waiting.delete(path);
  const problems = found.flat();
  const display = withChecked(outcome.result.display, checked);
  const result = { ...outcome.result, ...(display === undefined ? {} : { display }) };
  if (problems.length === 0) return { ...outcome, result };
  const lines = await problemLines(
    problems.slice(0, MOST),
    new SourceLines(parts, context),
    context.roots,
  );
  const more = problems.length > MOST ? `\n[${problems.length - MOST} more: see diagnostics]` : '';
  const text = `After this edit the language server sees new problems (${countsOf(problems)}):\n${lines}${more}`;
  return {
    ...outcome,
    result: { ...result, content: [...result.content, { type: 'text', text }] },
  };
}
