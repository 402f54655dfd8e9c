import { distinct, told, type Told, withValues } from '../../../domain/text/told.ts';
import { because, failureOf, tells, sentenceOf } from '../../../domain/failure.ts';
import { type Json, canonicalJson } from '../../../domain/data/json.ts';
import type { ToolResultPart } from '../../../domain/message.ts';
import type { Mode } from '../../../domain/permissions/permission-mode.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import type { Decision, Memorable } from '../../permissions/decision.ts';
import {
  createApprovalRules,
  explainSingleUse,
  isCheckOnly,
  runsOwnCode,
} from '../../permissions/rules/approval-rules.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../../ports/person/approval.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Ids } from '../../ports/ids.ts';
import { failedOutcome, toldResult } from '../result.ts';
import type { RunLedger } from '../run-ledger.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { textResult } from '../tool-call.ts';
import type { Tool, ToolCallRequest, ToolContext, ToolOutcome, ToolPreview } from '../tool-call.ts';

/** SHA-256 in hexadecimal; a port, because the engine has no cryptography of its own. */
export type Hash = (text: string) => string;

/** Decides about one call; see `permissions/decide`. */
export type Decide = (tool: Tool, request: ToolCallRequest) => Promise<Decision>;

export type KeepRules = (
  where: 'session' | 'project',
  rules: readonly PermissionRule[],
  sessionId: string,
) => Promise<void>;

export interface PermissionParts {
  readonly decide: Decide;
  readonly approver: Approver;
  readonly ids: Ids;
  readonly hash: Hash;
  readonly runs: Pick<RunLedger, 'entry' | 'recordSoon'>;
  /** Undefined: no approval can be remembered. */
  readonly keep?: KeepRules;
  /** The user allowed a change of files that require approval once in a session. */
  readonly agree?: (sessionId: string, paths: readonly string[]) => void;
  /** The user allowed all edits of a session that only the mode requires approval for. */
  readonly agreeToEdits?: (sessionId: string) => void;
  /** Edits in mode Ask count as kept. Undefined: nobody reviews edits. */
  readonly mode?: (sessionId: string) => Mode;
  /** Calls the listener when the content of one of the files changes. */
  readonly watchFiles?: (paths: readonly string[], listener: () => void) => Disposable;
  /** Reports changes of the mode of a session, or of the rules, which may decide pending approvals. */
  readonly onChange?: (listener: (what: 'mode' | 'rules') => void) => Disposable;
}

/** True when no rule and no special place requires approval, only the mode. */
export function isByModeAlone({ reasons, rule }: Ask): boolean {
  return reasons === undefined && rule === undefined;
}

export type Asked =
  | { readonly outcome: ToolOutcome }
  | { readonly context: ToolContext; readonly how: 'accepted' | 'write' };
export type Ask = Extract<Decision, { readonly verdict: 'ask' }>;

/** A call that requires approval. */
export interface AskingCall {
  readonly tool: Tool;
  readonly request: ToolCallRequest;
  readonly decision: Ask;
}

/** Returns the outcome of a call whose question was not answered with *Allow*. */
export function refusalOf(
  part: ToolCallRequest['part'],
  { id, hash }: ApprovalQuestion,
  { questionId, hash: answered, allowed, reason }: ApprovalAnswer,
): ToolOutcome | undefined {
  if (questionId !== id || answered !== hash) {
    const said = told`${part.name} was not run: the answer did not belong to what was shown. Ask again.`;
    return { result: toldResult(part, 'denied', said) };
  }
  return allowed ? undefined : { result: denied(part, reason) };
}

/** Records what an approval means beyond the call: rules, files that require it once, all edits of the session. */
export async function recordApproval(
  parts: PermissionParts,
  { request, decision }: AskingCall,
  question: ApprovalQuestion,
  answer: ApprovalAnswer,
): Promise<void> {
  const { part, context } = request;
  parts.agree?.(context.sessionId, decision.once ?? []);
  if (answer.keep === 'edits') parts.agreeToEdits?.(context.sessionId);
  else await keep(parts, request, question, answer.keep);
  const row = await parts.runs.entry(context.runId, part.id);
  if (row !== undefined) parts.runs.recordSoon({ ...row, state: 'approved' });
}

export async function answerTo<Answer>(
  { part, context }: ToolCallRequest,
  question: ApprovalQuestion,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  context.emit({
    type: 'tool.approval',
    callId: part.id,
    name: part.name,
    questionId: question.id,
  });
  context.emit({ type: 'agent_run.waiting', for: 'approval', questionId: question.id });
  try {
    return await answer();
  } finally {
    context.emit({ type: 'agent_run.answered', questionId: question.id });
  }
}

/**
 * Returns the user's answer, or a refusal by the mode or a decision by a rule that came before it.
 * @param closing aborted by the caller when the question no longer shows what would happen; then it rejects
 */
export async function answerOf(
  { approver, decide, onChange }: PermissionParts,
  { tool, request }: AskingCall,
  question: ApprovalQuestion,
  closing = new AbortController(),
): Promise<ApprovalAnswer | Decision> {
  const { signal } = request.context;
  let decided: Decision | undefined;
  const look = async (what: 'mode' | 'rules'): Promise<void> => {
    const now = await decide(tool, request);
    if (now.verdict === 'ask' || (now.verdict === 'allow' && what === 'mode')) return;
    decided ??= now;
    closing.abort();
  };
  const watching = onChange?.((what) => {
    look(what).catch(() => undefined); // the user decides, as the question was asked
  });
  try {
    return await approver.approve(question, AbortSignal.any([signal, closing.signal]));
  } catch (thrown) {
    if (decided === undefined || signal.aborted) throw thrown;
    return decided;
  } finally {
    watching?.dispose();
  }
}

/** Closes the question and tells the user why. */
export function overtaken(
  decision: Decision,
  request: ToolCallRequest,
  { id: questionId }: ApprovalQuestion,
): Asked {
  const { part, context } = request;
  const { verdict } = decision;
  if (verdict === 'ask') throw new Error('A question was overtaken by a question.');
  const why =
    verdict === 'refuse'
      ? told`The question was closed: by now the mode or a rule forbids it.`
      : told`The question was closed: by now a rule allows it.`;
  context.emit({
    type: 'tool.overtaken',
    callId: part.id,
    name: part.name,
    questionId,
    verdict,
    ...because(why),
  });
  return verdict === 'refuse'
    ? { outcome: refused(request, decision.reasons) }
    : { context: { ...context, judged: decision.judged }, how: 'write' }; // nobody has seen it
}

/** The outcome of a call that the mode, a rule or a guard refuses. */
export function refused({ part }: ToolCallRequest, reasons: readonly Told[]): ToolOutcome {
  return failedOutcome(part, { code: 'permission', ...tells(...reasons) });
}

/** Remembers an approval as rules. One that cannot be stored counts once, and the user is told. */
async function keep(
  parts: PermissionParts,
  { context }: ToolCallRequest,
  question: ApprovalQuestion,
  chosen: 'session' | 'project' | undefined,
): Promise<void> {
  const where = chosen ?? (question.remembersCheck === true ? 'project' : undefined);
  const rules = question.keep;
  if (where === undefined || rules === undefined || parts.keep === undefined) return;
  try {
    await parts.keep(where, rules, context.sessionId);
    if (chosen !== undefined) context.emit({ type: 'permission.kept', rules, where: chosen });
  } catch (thrown) {
    const why = sentenceOf(failureOf(thrown));
    context.emit({
      type: 'warning',
      ...tells(told`Your approval counts once; it could not be remembered.`, why),
    });
  }
}

/** Describes how the approval of a call can be remembered, with the sentences that the question adds. */
function describeMemory(
  { keep }: PermissionParts,
  remembered: Memorable,
  offersAllEdits: boolean,
): Pick<ApprovalQuestion, 'keep' | 'remembersCheck'> & { readonly reasons: readonly Told[] } {
  if (keep === undefined) return { reasons: [] };
  const { allowable } = remembered;
  const rules = allowable === undefined ? undefined : createApprovalRules(allowable);
  if (allowable === undefined || rules === undefined) {
    const why = offersAllEdits ? undefined : explainSingleUse(remembered);
    return { reasons: why === undefined ? [] : [why] };
  }
  return {
    keep: rules,
    ...(isCheckOnly(allowable) ? { remembersCheck: true } : {}),
    reasons: runsOwnCode(allowable) ? [told`This runs code the agent can change.`] : [],
  };
}

/** Creates the question with a hash of everything that is shown. */
export function createQuestion(
  parts: PermissionParts,
  { part, context }: ToolCallRequest,
  preview: ToolPreview,
  decision: Pick<Ask, 'reasons'> & Memorable,
  offersAllEdits = false,
): ApprovalQuestion {
  const { reasons: added, ...memory } = describeMemory(parts, decision, offersAllEdits);
  const reasons = distinct([...(decision.reasons ?? []), ...added]);
  const shown = {
    tool: part.name,
    title: makeVisible(preview.title).replaceAll('\n', ' '),
    detail: makeVisible(preview.detail),
    ...(preview.prose === undefined ? {} : { prose: true }),
    ...(preview.where === undefined ? {} : { where: makeVisible(preview.where) }),
    ...(reasons.length === 0 ? {} : reasonOf(reasons)),
    ...(preview.edits === undefined ? {} : { edits: preview.edits }),
    ...(preview.isSelectable === undefined ? {} : { isSelectable: preview.isSelectable }),
    ...(offersAllEdits ? { offersAllEdits } : {}),
    ...memory,
  };
  return {
    ...shown,
    id: parts.ids.next('question'),
    sessionId: context.sessionId,
    runId: context.runId,
    callId: context.callId,
    hash: parts.hash(canonicalJson(shown as unknown as Json)),
  };
}

/** For the person, with what it is translated by: what cannot be seen is made visible in both. */
const reasonOf = (reasons: readonly Told[]): Pick<ApprovalQuestion, 'reason' | 'told'> => ({
  reason: makeVisible(tells(...reasons).message),
  told: reasons.map((one) => withValues(one, makeVisible)),
});

/** For tools that do not say themselves what they will do: the arguments as they are. */
export function plainPreview(tool: Tool, input: Json): ToolPreview {
  return { title: `Use ${tool.name}`, detail: JSON.stringify(input, null, 2) };
}

/** The text is for the model; the card shows the person's own words. */
function denied(part: ToolCallRequest['part'], reason: string | undefined): ToolResultPart {
  const display = { kind: 'denied', reason: reason?.trim() ?? '' };
  return { ...textResult(part, 'denied', denialText(part.name, reason)), display };
}

function denialText(name: string, reason: string | undefined): string {
  const said = reason === undefined || reason.trim() === '' ? '' : ` They said: ${reason.trim()}`;
  return `The user denied ${name}; nothing was done.${said} Do not try the same again: go another way, or ask what they want.`;
}
