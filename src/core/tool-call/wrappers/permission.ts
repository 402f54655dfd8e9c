import { distinct, told, type Told, withValues } from '../../../domain/text/told.ts';
import { because, failureOf, tells, sentenceOf } from '../../../domain/failure.ts';
import { type Json, canonicalJson } from '../../../domain/data/json.ts';
import type { ToolResultPart } from '../../../domain/message.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import type { Decision } from '../../permissions/decision.ts';
import { isAskedOnce, narrowestRules } from '../../permissions/rules/narrowest.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../../ports/person/approval.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Ids } from '../../ports/ids.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import { toolOf } from './lookup.ts';
import { failedOutcome, toldResult } from '../result.ts';
import type { RunLedger } from '../run-ledger.ts';
import type { UnseenProposals } from './unseen-proposals.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { textResult } from '../tool-call.ts';
import type {
  Tool,
  ToolCallRequest,
  ToolContext,
  ToolOutcome,
  ToolPreview,
  WrapToolCall,
} from '../tool-call.ts';

/** SHA-256 in hexadecimal; a port, because the engine has no cryptography of its own. */
export type Hash = (text: string) => string;

/** Decides about one call; see `permissions/decide`. */
export type Decide = (tool: Tool, request: ToolCallRequest) => Promise<Decision>;

export type KeepRules = (
  where: 'session' | 'project' | 'settings',
  rules: readonly PermissionRule[],
  sessionId: string,
) => Promise<void>;

export interface PermissionParts {
  readonly decide: Decide;
  readonly approver: Approver;
  readonly ids: Ids;
  readonly hash: Hash;
  readonly runs: Pick<RunLedger, 'entry' | 'recordSoon'>;
  /** Absent: no yes is kept, and none is offered to be. */
  readonly keep?: KeepRules;
  /** A person said yes to a change of files that are asked about once in a session. */
  readonly agree?: (sessionId: string, paths: readonly string[]) => void;
  /** A person reviews what is changed: what would only be asked about because of the mode is proposed to them. */
  readonly reviewed?: boolean;
  /** Proposals that a command does not see, for the person. */
  readonly unseen?: UnseenProposals;
  /** Tells that the mode of a session, or the rules, changed: what waits may be decided by now. */
  readonly onChange?: (listener: (what: 'mode' | 'rules') => void) => Disposable;
}

/** Inside the ledger, outside `started`: a yes carries the hash of what was shown. */
export function withPermission(parts: PermissionParts): WrapToolCall {
  return (next) => async (request) => {
    const tool = toolOf(request);
    const decision = await parts.decide(tool, request);
    const context: ToolContext = {
      ...request.context,
      judged: decision.judged,
      confirm: (preview, reasons) => confirm(parts, request, preview, reasons),
    };
    switch (decision.verdict) {
      case 'refuse':
        return refused(request, decision.reasons);
      case 'allow':
        return next({ ...request, context: reviewed(context, request, 'write') });
      case 'ask': {
        const mayPropose =
          parts.reviewed === true && tool.proposes === true && isByModeAlone(decision);
        const why = mayPropose
          ? await tool.notProposed?.(request.part.input, context)
          : decision.reasons;
        if (mayPropose && why === undefined)
          return next({ ...request, context: reviewed(context, request, 'propose') });
        const asked = await ask(
          parts,
          tool,
          { ...request, context },
          { ...decision, ...(why === undefined ? {} : { reasons: why }) },
        );
        return 'outcome' in asked
          ? asked.outcome
          : next({ ...request, context: reviewed(asked.context, request, asked.how) });
      }
      default:
        return decision satisfies never;
    }
  };
}

/** The context with what goes along with each change of a file. */
function reviewed(
  context: ToolContext,
  { part }: ToolCallRequest,
  how: ChangeOrigin['how'],
): ToolContext {
  const { sessionId, messageId = '', callId } = context;
  return { ...context, origin: { sessionId, messageId, callId, tool: part.name, how } };
}

/** No rule and no special place wants a yes: only the mode does. */
function isByModeAlone({ reasons, rule }: Ask): boolean {
  return reasons === undefined && rule === undefined;
}

type Asked =
  | { readonly outcome: ToolOutcome }
  | { readonly context: ToolContext; readonly how: 'accepted' | 'write' };
type Ask = Extract<Decision, { readonly verdict: 'ask' }>;

async function ask(
  parts: PermissionParts,
  tool: Tool,
  request: ToolCallRequest,
  decision: Ask,
): Promise<Asked> {
  const { part, context } = request;
  const preview = (await tool.preview?.(part.input, context)) ?? plainPreview(tool, part.input);
  const unseen = tool.permission === 'execute' ? parts.unseen?.(context.roots) : undefined;
  const reasons = distinct([...(decision.reasons ?? []), ...(unseen ?? [])]);
  const question = questionOf(parts, request, preview, { ...decision, reasons });
  const answer = await answerTo(request, question, async () =>
    answerOf(parts, tool, request, question),
  );
  if ('verdict' in answer) return overtaken(answer, request, question);
  if (answer.questionId !== question.id || answer.hash !== question.hash) {
    const said = told`${part.name} was not run: the answer did not belong to what was shown. Ask again.`;
    return { outcome: { result: toldResult(part, 'denied', said) } };
  }
  if (!answer.allowed) return { outcome: { result: denied(part, answer.reason) } };
  parts.agree?.(context.sessionId, decision.once ?? []);
  await keep(parts, request, question, answer);
  const row = await parts.runs.entry(context.runId, part.id);
  if (row !== undefined) parts.runs.recordSoon({ ...row, state: 'approved' });
  const accepted = answer.editedAfter === undefined ? {} : { acceptedText: answer.editedAfter };
  return { context: { ...context, preview, ...accepted }, how: 'accepted' };
}

async function answerTo<Answer>(
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

/** The same rules as for the first question: an answer that does not belong to what was shown is a no. */
async function confirm(
  parts: PermissionParts,
  request: ToolCallRequest,
  preview: ToolPreview,
  reasons: readonly Told[],
): Promise<{ readonly allowed: boolean; readonly reason?: string }> {
  const question = questionOf(parts, request, preview, { reasons });
  const answer = await answerTo(request, question, async () =>
    parts.approver.approve(question, request.context.signal),
  );
  const meant = answer.questionId === question.id && answer.hash === question.hash;
  const said = answer.reason === undefined ? {} : { reason: answer.reason };
  return { allowed: meant && answer.allowed, ...said };
}

/** The person's answer, or a mode's refusal or a rule's decision that came before it. */
async function answerOf(
  { approver, decide, onChange }: PermissionParts,
  tool: Tool,
  request: ToolCallRequest,
  question: ApprovalQuestion,
): Promise<ApprovalAnswer | Decision> {
  const { signal } = request.context;
  const closing = new AbortController();
  let decided: Decision | undefined;
  const look = async (what: 'mode' | 'rules'): Promise<void> => {
    const now = await decide(tool, request);
    if (now.verdict === 'ask' || (now.verdict === 'allow' && what === 'mode')) return;
    decided ??= now;
    closing.abort();
  };
  const watching = onChange?.((what) => {
    look(what).catch(() => undefined); // it is decided by the person, as it was asked
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

/** The question is closed, and the person is told why. */
function overtaken(
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

function refused({ part }: ToolCallRequest, reasons: readonly Told[]): ToolOutcome {
  return failedOutcome(part, { code: 'permission', ...tells(...reasons) });
}

/** A yes that cannot be kept is a yes all the same; the person is told. */
async function keep(
  parts: PermissionParts,
  { context }: ToolCallRequest,
  question: ApprovalQuestion,
  answer: ApprovalAnswer,
): Promise<void> {
  const where = answer.keep ?? (question.askedOnce === true ? 'project' : undefined);
  const rules = question.keep;
  if (where === undefined || rules === undefined || parts.keep === undefined) return;
  try {
    await parts.keep(where, rules, context.sessionId);
    if (answer.keep !== undefined)
      context.emit({ type: 'permission.kept', rules, where: answer.keep });
  } catch (thrown) {
    const why = sentenceOf(failureOf(thrown));
    context.emit({ type: 'warning', ...tells(told`Your yes counts once; it was not kept.`, why) });
  }
}

function questionOf(
  parts: PermissionParts,
  { part, context }: ToolCallRequest,
  preview: ToolPreview,
  { reasons = [], allowable }: Pick<Ask, 'reasons' | 'allowable'>,
): ApprovalQuestion {
  const kept =
    parts.keep === undefined || allowable === undefined ? undefined : narrowestRules(allowable);
  const shown = {
    tool: part.name,
    title: makeVisible(preview.title).replaceAll('\n', ' '),
    detail: makeVisible(preview.detail),
    ...(preview.prose === undefined ? {} : { prose: true }),
    ...(preview.where === undefined ? {} : { where: makeVisible(preview.where) }),
    ...(reasons.length === 0 ? {} : reasonOf(reasons)),
    ...(preview.edit === undefined ? {} : { edit: preview.edit }),
    ...(kept === undefined ? {} : { keep: kept }),
    ...(kept !== undefined && allowable !== undefined && isAskedOnce(allowable)
      ? { askedOnce: true }
      : {}),
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
function plainPreview(tool: Tool, input: Json): ToolPreview {
  return { title: `Use ${tool.name}`, detail: JSON.stringify(input, null, 2) };
}

/** The text is for the model; the card shows the person's own words. */
function denied(part: ToolCallRequest['part'], reason: string | undefined): ToolResultPart {
  const display = { kind: 'denied', reason: reason?.trim() ?? '' };
  return { ...textResult(part, 'denied', denialText(part.name, reason)), display };
}

function denialText(name: string, reason: string | undefined): string {
  const said = reason === undefined || reason.trim() === '' ? '' : ` They said: ${reason.trim()}`;
  return `The person denied ${name}; nothing was done.${said} Do not try the same again: go another way, or ask what they want.`;
}
