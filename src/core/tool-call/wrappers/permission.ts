import type { Told } from '../../../domain/text/told.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import {
  type Asked,
  type AskingCall,
  type PermissionParts,
  answerOf,
  answerTo,
  createQuestion,
  isByModeAlone,
  overtaken,
  plainPreview,
  recordApproval,
  refusalOf,
  refused,
} from './approvals.ts';
import { EditApprovals } from './edit-approvals.ts';
import { toolOf } from './lookup.ts';
import type {
  Confirmation,
  ToolCallRequest,
  ToolContext,
  ToolPreview,
  WrapToolCall,
} from '../tool-call.ts';

/** Inside the ledger, outside `started`: an approval carries the hash of what was shown. */
export function withPermission(parts: PermissionParts): WrapToolCall {
  const edits = new EditApprovals(parts);
  return (next) => async (request) => {
    const tool = toolOf(request);
    const decision = await parts.decide(tool, request);
    const context: ToolContext = {
      ...request.context,
      judged: decision.judged,
      confirm: (preview, reasons) => confirm(parts, request, preview, reasons),
    };
    const how = parts.mode?.(context.sessionId) === 'ask' ? 'accepted' : 'write';
    const readOnly = decision.verdict === 'allow' &&
      decision.readOnly && { readOnly: decision.readOnly };
    switch (decision.verdict) {
      case 'refuse':
        return refused(request, decision.reasons);
      case 'allow':
        return next({ ...request, context: withOrigin({ ...context, ...readOnly }, request, how) });
      case 'ask': {
        if (tool.asksLater === true && isByModeAlone(decision))
          return next({
            ...request,
            context: { ...withOrigin(context, request, 'write'), asksForEdits: true },
          });
        const member = { tool, decision, request: { ...request, context } };
        const asked =
          tool.permission === 'edit' ? await edits.ask(member) : await ask(parts, member);
        return 'outcome' in asked
          ? asked.outcome
          : next({ ...request, context: withOrigin(asked.context, request, asked.how) });
      }
      default:
        return decision satisfies never;
    }
  };
}

/** Adds what goes along with each change of a file. */
function withOrigin(
  context: ToolContext,
  { part }: ToolCallRequest,
  how: ChangeOrigin['how'],
): ToolContext {
  const { sessionId, messageId = '', callId } = context;
  return { ...context, origin: { sessionId, messageId, callId, tool: part.name, how } };
}

async function ask(parts: PermissionParts, call: AskingCall): Promise<Asked> {
  const { tool, request, decision } = call;
  const { part, context } = request;
  const preview = (await tool.preview?.(part.input, context)) ?? plainPreview(tool, part.input);
  const question = createQuestion(parts, request, preview, decision);
  const answer = await answerTo(request, question, async () => answerOf(parts, call, question));
  if ('verdict' in answer) return overtaken(answer, request, question);
  const refusal = refusalOf(part, question, answer);
  if (refusal !== undefined) return { outcome: refusal };
  await recordApproval(parts, call, question, answer);
  return { context: { ...context, preview }, how: 'accepted' };
}

/** Asks a second question of a call; an answer that does not belong to what was shown is a denial. */
async function confirm(
  parts: PermissionParts,
  request: ToolCallRequest,
  preview: ToolPreview,
  reasons: readonly Told[],
): Promise<Confirmation> {
  const question = createQuestion(parts, request, preview, { reasons });
  const answer = await answerTo(request, question, async () =>
    parts.approver.approve(question, request.context.signal),
  );
  const meant = answer.questionId === question.id && answer.hash === question.hash;
  const { reason, without } = answer;
  return {
    allowed: meant && answer.allowed,
    ...(reason === undefined ? {} : { reason }),
    ...(without === undefined ? {} : { without }),
  };
}
