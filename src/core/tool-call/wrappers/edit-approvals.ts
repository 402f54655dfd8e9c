import * as l10n from '@vscode/l10n';
import { canonicalJson, type Json } from '../../../domain/data/json.ts';
import { BelayError } from '../../../domain/failure.ts';
import { count } from '../../../domain/text/language.ts';
import { told } from '../../../domain/text/told.ts';
import type { ApprovalAnswer, PlannedEdit } from '../../ports/person/approval.ts';
import type { Decision, Memorable } from '../../permissions/decision.ts';
import type { ToolPreview } from '../tool-call.ts';
import {
  type Ask,
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
} from './approvals.ts';

/** An edit call with what it will do. */
interface PlannedCall {
  readonly call: AskingCall;
  readonly preview: ToolPreview;
}

/** A call that was allowed with an earlier one of its turn. */
interface AllowedCall {
  readonly preview: ToolPreview;
  readonly edited: ReadonlyMap<string, string>;
}

const CHANGED = told`A file changed while you were deciding. This is what would be written now.`;

/**
 * Approvals of edits. Consecutive edit calls of one turn are planned in order and share one card; when a file changes
 * while the card is open, the plan is made again, and a different plan needs a new answer.
 */
export class EditApprovals {
  readonly #parts: PermissionParts;
  /** By run and call: calls that were allowed before their turn came. */
  readonly #allowed = new Map<string, AllowedCall>();

  constructor(parts: PermissionParts) {
    this.#parts = parts;
  }

  async ask(call: AskingCall): Promise<Asked> {
    const allowed = await this.#takeAllowed(call);
    if (allowed !== undefined) {
      const { context } = call.request;
      this.#parts.agree?.(context.sessionId, call.decision.once ?? []);
      return { context: { ...context, ...allowed }, how: 'accepted' };
    }
    const calls = [call, ...(await this.#findFollowing(call))];
    for (let isRenewed = false; ; isRenewed = true) {
      const asked = await this.#askOnce(calls, isRenewed);
      if (asked !== 'changed') return asked;
    }
  }

  /** Shows one card for the calls; `changed` when the plan became another one before it was allowed. */
  async #askOnce(calls: readonly AskingCall[], isRenewed: boolean): Promise<Asked | 'changed'> {
    const [first] = calls;
    if (first === undefined) throw new Error('There is no call to ask about.');
    const { request } = first;
    const plan = await planCalls(calls);
    const preview = joinPreviews(plan);
    const asking = plan.map(({ call }) => call.decision);
    const isByMode = asking.every(isByModeAlone);
    const reasons = joinReasons(asking, isRenewed);
    const question = createQuestion(this.#parts, request, preview, reasons, isByMode);
    const isChanged = async (): Promise<boolean> =>
      signatureOf(joinPreviews(await planCalls(calls))) !== signatureOf(preview);
    const closing = new AbortController();
    let isOutdated = false;
    const paths = (preview.edits ?? []).map(({ path }) => path);
    const watching = this.#parts.watchFiles?.(paths, () => {
      const close = (changed: boolean): void => {
        isOutdated ||= changed;
        if (changed) closing.abort();
      };
      // A plan that can no longer be made is another one.
      isChanged().then(close, () => close(true));
    });
    let answer: ApprovalAnswer | Decision;
    try {
      answer = await answerTo(request, question, async () =>
        answerOf(this.#parts, first, question, closing),
      );
    } catch (thrown) {
      if (isOutdated && !request.context.signal.aborted) return 'changed';
      throw thrown;
    } finally {
      watching?.dispose();
    }
    if ('verdict' in answer) return overtaken(answer, request, question);
    const refusal = refusalOf(request.part, question, answer);
    if (refusal !== undefined) return { outcome: refusal };
    if (isOutdated || (await isChanged())) return 'changed';
    await recordApproval(this.#parts, first, question, answer);
    const allowed = plan.map((one) => withEdited(one, plan, answer.edited));
    for (const [index, one] of allowed.entries()) {
      const of = plan[index]?.call;
      if (of === undefined || of === first) continue;
      this.#allowed.set(keyOf(of), one);
      this.#parts.agree?.(request.context.sessionId, of.decision.once ?? []);
    }
    return { context: { ...request.context, ...allowed[0] }, how: 'accepted' };
  }

  /** The approval that was given with an earlier call, if the call would still do the same. */
  async #takeAllowed(call: AskingCall): Promise<AllowedCall | undefined> {
    const key = keyOf(call);
    const allowed = this.#allowed.get(key);
    this.#allowed.delete(key);
    if (allowed === undefined) return undefined;
    const { part, context } = call.request;
    const preview = await call.tool.preview?.(part.input, context).catch(() => undefined);
    if (preview === undefined) return undefined;
    return signatureOf(preview) === signatureOf(allowed.preview) ? allowed : undefined;
  }

  /** Calls after this one that would be asked about, too. */
  async #findFollowing({ tool, request }: AskingCall): Promise<readonly AskingCall[]> {
    const calls: AskingCall[] = [];
    if (tool.plansEdits !== true) return calls;
    for (const next of request.following ?? []) {
      const decision = await this.#parts.decide(next.tool, next);
      // An edit that is allowed already is made at once: what comes after it is planned on top of that.
      if (decision.verdict === 'allow') break;
      if (decision.verdict === 'refuse') continue;
      const context = { ...next.context, judged: decision.judged };
      calls.push({ tool: next.tool, decision, request: { ...next, context } });
    }
    return calls;
  }
}

/**
 * Plans the calls in order, each on top of the ones before it.
 * @throws BelayError when the first one cannot work; a later one that cannot is left out and fails when its turn comes
 */
async function planCalls(calls: readonly AskingCall[]): Promise<readonly PlannedCall[]> {
  const planned = new Map<string, string | undefined>();
  const plan: PlannedCall[] = [];
  for (const call of calls) {
    const { tool, request } = call;
    const { part, context } = request;
    try {
      const preview =
        (await tool.preview?.(part.input, { ...context, planned })) ??
        plainPreview(tool, part.input);
      plan.push({ call, preview });
      for (const edit of preview.edits ?? []) {
        const place = (path: string): string => context.judged?.get(path) ?? path;
        planned.set(place(edit.path), edit.deletes === true ? undefined : edit.after);
        if (edit.movesTo === undefined) continue;
        planned.set(place(edit.movesTo.path), edit.after);
        planned.set(place(edit.path), undefined);
      }
    } catch (thrown) {
      if (plan.length === 0 || !(thrown instanceof BelayError)) throw thrown;
    }
  }
  return plan;
}

/** Joins the reasons of all calls, and what of them may be remembered. */
function joinReasons(asking: readonly Ask[], isRenewed: boolean): Pick<Ask, 'reasons'> & Memorable {
  const all = asking.flatMap((one) => one.allowable ?? []);
  const [first] = all;
  const allowable =
    first !== undefined && all.length === asking.length
      ? { ...first, units: all.flatMap(({ units }) => units) }
      : undefined;
  return {
    once: asking.flatMap(({ once = [] }) => once),
    reasons: [...(isRenewed ? [CHANGED] : []), ...asking.flatMap(({ reasons = [] }) => reasons)],
    ...(allowable && { allowable }),
  };
}

/** One preview for all calls, with one edit for each file. */
function joinPreviews(plan: readonly PlannedCall[]): ToolPreview {
  const [first] = plan;
  if (first === undefined) throw new Error('There is no edit to show.');
  if (plan.length === 1) return first.preview;
  const edits = new Map<string, PlannedEdit>();
  for (const edit of plan.flatMap(({ preview }) => preview.edits ?? [])) {
    const before = edits.get(edit.path);
    const joined = before && { before: before.before, creates: before.creates };
    edits.set(edit.path, { ...edit, ...joined });
  }
  const files = [...edits.values()];
  const [only] = files;
  const title =
    files.length === 1 && only !== undefined
      ? first.preview.title
      : l10n.t('Edit {0}', count(files.length, 'file'));
  return { title, detail: files.map(({ path }) => path).join('\n'), edits: files };
}

/** The last call that changes a file writes the text that the user made of it. */
function withEdited(
  { call, preview }: PlannedCall,
  plan: readonly PlannedCall[],
  edited: ReadonlyMap<string, string> = new Map(),
): AllowedCall {
  const isLast = (path: string): boolean =>
    plan.findLast((one) => one.preview.edits?.some((edit) => edit.path === path))?.call === call;
  return { preview, edited: new Map([...edited].filter(([path]) => isLast(path))) };
}

function signatureOf({ title, detail, edits = [] }: ToolPreview): string {
  return canonicalJson({ title, detail, edits } as unknown as Json);
}

function keyOf({ request: { part, context } }: AskingCall): string {
  return `${context.runId} ${part.id}`;
}
