import { canonicalJson } from '../../domain/json.ts';
import type { Json } from '../../domain/json.ts';
import type { Decision } from '../permissions/decide.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver, Ids } from '../ports.ts';
import { toolOf } from './lookup.ts';
import { failedOutcome } from './result.ts';
import type { RunLedger } from './run-ledger.ts';
import { makeVisible } from './text-hygiene.ts';
import { textResult } from './tool-call.ts';
import type {
  Tool,
  ToolCallRequest,
  ToolContext,
  ToolOutcome,
  ToolPreview,
  WrapToolCall,
} from './tool-call.ts';

/** SHA-256 in hexadecimal; a port, because the engine has no cryptography of its own. */
export type Hash = (text: string) => string;

/** Decides about one call; see `permissions/decide`. */
export type Decide = (tool: Tool, request: ToolCallRequest) => Promise<Decision>;

export interface PermissionParts {
  readonly decide: Decide;
  readonly approver: Approver;
  readonly ids: Ids;
  readonly hash: Hash;
  readonly runs: RunLedger;
}

/**
 * Inside the ledger, outside `started`: a call counts as started only after the yes. The yes belongs
 * to exactly what was shown: the answer carries its hash, and the tool gets it as `context.preview`.
 */
export function permission(parts: PermissionParts): WrapToolCall {
  return (next) => async (request) => {
    const tool = toolOf(request);
    const decision = await parts.decide(tool, request);
    const context: ToolContext = {
      ...request.context,
      judged: decision.judged,
      confirm: (preview, reason) => confirm(parts, request, preview, reason),
    };
    switch (decision.verdict) {
      case 'refuse':
        return failedOutcome(request.part, { code: 'permission', message: decision.reason });
      case 'allow':
        return next({ ...request, context });
      case 'ask': {
        const asked = await ask(parts, tool, { ...request, context }, decision.reason);
        return 'outcome' in asked ? asked.outcome : next({ ...request, context: asked.context });
      }
      default:
        return decision satisfies never;
    }
  };
}

async function ask(
  parts: PermissionParts,
  tool: Tool,
  request: ToolCallRequest,
  reason: string | undefined,
): Promise<{ readonly outcome: ToolOutcome } | { readonly context: ToolContext }> {
  const { part, context } = request;
  const preview = (await tool.preview?.(part.input, context)) ?? plainPreview(tool, part.input);
  const question = questionOf(parts, request, preview, reason);
  const answer = await answerTo(parts, request, question);
  if (answer.questionId !== question.id || answer.hash !== question.hash) {
    const message = `${part.name} was not run: the answer did not belong to what was shown. Ask again.`;
    return { outcome: { result: textResult(part, 'denied', message) } };
  }
  if (!answer.allowed)
    return {
      outcome: { result: textResult(part, 'denied', denialText(part.name, answer.reason)) },
    };
  const row = await parts.runs.entry(context.runId, part.id);
  if (row !== undefined) parts.runs.recordSoon({ ...row, state: 'approved' });
  const accepted = answer.editedAfter === undefined ? {} : { acceptedText: answer.editedAfter };
  return { context: { ...context, preview, ...accepted } };
}

async function answerTo(
  parts: PermissionParts,
  { part, context }: ToolCallRequest,
  question: ApprovalQuestion,
): Promise<ApprovalAnswer> {
  context.emit({
    type: 'tool.approval',
    callId: part.id,
    name: part.name,
    questionId: question.id,
  });
  context.emit({ type: 'agent_run.waiting', for: 'approval', questionId: question.id });
  try {
    return await parts.approver.approve(question, context.signal);
  } finally {
    context.emit({ type: 'agent_run.answered', questionId: question.id });
  }
}

/** The same rules as for the first question: an answer that does not belong to what was shown is a no. */
async function confirm(
  parts: PermissionParts,
  request: ToolCallRequest,
  preview: ToolPreview,
  reason: string | undefined,
): Promise<{ readonly allowed: boolean; readonly reason?: string }> {
  const question = questionOf(parts, request, preview, reason);
  const answer = await answerTo(parts, request, question);
  const meant = answer.questionId === question.id && answer.hash === question.hash;
  const said = answer.reason === undefined ? {} : { reason: answer.reason };
  return { allowed: meant && answer.allowed, ...said };
}

function questionOf(
  parts: PermissionParts,
  { part, context }: ToolCallRequest,
  preview: ToolPreview,
  reason: string | undefined,
): ApprovalQuestion {
  const detail = reason === undefined ? preview.detail : `${preview.detail}\n\n${reason}`;
  const shown = {
    tool: part.name,
    title: makeVisible(preview.title).replaceAll('\n', ' '),
    detail: makeVisible(detail),
    ...(preview.edit === undefined ? {} : { edit: preview.edit }),
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

/** For tools that do not say themselves what they will do: the arguments as they are. */
function plainPreview(tool: Tool, input: Json): ToolPreview {
  return { title: `Use ${tool.name}`, detail: JSON.stringify(input, null, 2) };
}

function denialText(name: string, reason: string | undefined): string {
  const said = reason === undefined || reason.trim() === '' ? '' : ` They said: ${reason.trim()}`;
  return `The person denied ${name}; nothing was done.${said} Do not try the same again: go another way, or ask what they want.`;
}
