import { OTHER_SESSION } from '../stranger-text.ts';
import { told, type Told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import { type SecretBook, HIDDEN } from '../../secrets/secret-book.ts';
import type { Tool } from '../../tool-call/tool-call.ts';
import type { DecideCall, DecideRequest } from '../decide.ts';
import { type AllowedHosts, judgeRequest } from './request-guard.ts';

/** The definition under which a stranger's tool was last allowed, by the tool's name. */
export interface ToolPins {
  get(name: string): string | undefined;
  set(name: string, hash: string): void;
}

export interface EgressGuardParts {
  readonly hosts: (sessionId: string) => AllowedHosts;
  readonly secrets: Pick<SecretBook, 'findByTurns'>;
  readonly pins: ToolPins;
  /** The origin of a stranger's text that the session has taken in; `undefined`: it has none. */
  readonly stranger: (sessionId: string) => Promise<string | undefined>;
  /** Nobody is there to ask: what the border would ask about does not happen. */
  readonly unattended?: boolean;
}

type Decide = DecideCall;

type Objection = { readonly verdict: 'ask' | 'refuse'; readonly reason: Told } | undefined;

/**
 * Judges what leaves this machine and what comes from strangers, for every tool, after modes and
 * rules and never milder (security, rules 5, 6 and 9): unknown hosts, secrets in what is sent,
 * changed tools of strangers, and what would outlast a session that has read their text.
 */
export function withEgressGuard(decide: Decide, parts: EgressGuardParts): Decide {
  return async (tool, request) => {
    const decision = await decide(tool, request);
    if (decision.verdict === 'refuse') return decision;
    const repeated = [
      await leaking(tool, request, parts.secrets),
      await lasting(tool, request, parts),
    ].filter((one) => one !== undefined);
    const objections = [
      hiddenWritten(tool, request),
      ...requested(tool, request, parts),
      changed(tool, parts.pins),
      ...repeated,
    ].filter((one) => one !== undefined);
    const refusal = objections.find(({ verdict }) => verdict === 'refuse');
    if (refusal !== undefined)
      return { verdict: 'refuse', judged: decision.judged, reasons: [refusal.reason] };
    if (objections.length === 0) return decision;
    const reasons = objections.map(({ reason }) => reason);
    if (parts.unattended === true) {
      const reason = told`${tool.name} was not run: a person would have to be asked, and nobody is there.`;
      return { verdict: 'refuse', judged: decision.judged, reasons: [reason, ...reasons] };
    }
    if (decision.verdict !== 'ask') return { ...decision, verdict: 'ask', reasons };
    const { allowable, ...asked } = decision;
    return {
      ...asked,
      reasons: [...reasons, ...(decision.reasons ?? [])],
      // These are checked at each call, whatever is remembered.
      ...(allowable !== undefined && repeated.length === 0 ? { allowable } : {}),
    };
  };
}

function requested(
  tool: Tool,
  { part, context }: DecideRequest,
  parts: EgressGuardParts,
): Objection[] {
  const addresses = tool.urls?.(part.input) ?? [];
  return addresses.map((address): Objection => {
    const judged = judgeRequest(address, parts.hosts(context.sessionId));
    return judged.verdict === 'allow' ? undefined : judged;
  });
}

function changed(tool: Tool, pins: ToolPins): Objection {
  if (tool.hash === undefined) return undefined;
  const known = pins.get(tool.name);
  if (known === undefined || known === tool.hash) return undefined;
  const reason = told`${tool.name} is not what it was when it was last allowed: its server describes it in another way, or is another one. Read what it says now before you allow it: ${tool.description.slice(0, 400)}`;
  return { verdict: 'ask', reason };
}

async function leaking(
  tool: Tool,
  { part }: DecideRequest,
  secrets: Pick<SecretBook, 'findByTurns'>,
): Promise<Objection> {
  if (tool.outbound !== true) return undefined;
  const found = await secrets.findByTurns(textsOf(part.input).join('\n'));
  if (found.length === 0) return undefined;
  const what = found.map((one) => one.what).join(', ');
  return {
    verdict: 'ask',
    reason: told`What is sent away contains a secret (${what}). Allow it only if you want ${tool.name} to have it.`,
  };
}

/** Objects to telling later sessions something that a page or a server may have wanted them to be told. */
async function lasting(
  tool: Tool,
  { context }: DecideRequest,
  { stranger }: EgressGuardParts,
): Promise<Objection> {
  if (tool.lasting !== true) return undefined;
  const origin = await stranger(context.sessionId);
  if (origin === undefined) return undefined;
  const reason = told`This conversation has read text that neither you nor the model wrote (${origin === OTHER_SESSION ? told`another session` : origin}), which may have wanted this. Later sessions are told it: allow it only if it is true and you want it.`;
  return { verdict: 'ask', reason };
}

/** A model that writes what stands for a secret would put those words in the place of the secret. */
function hiddenWritten(tool: Tool, { part }: DecideRequest): Objection {
  if (tool.permission !== 'edit') return undefined;
  if (!textsOf(part.input).some((text) => text.includes(HIDDEN))) return undefined;
  const reason = told`${tool.name} was not run: its text contains “${HIDDEN}”, which stands for a value that you were not shown. Writing it would destroy that value. Edit the lines around it only, or ask the person to change it.`;
  return { verdict: 'refuse', reason };
}

/** All texts in a value, names of members included. */
function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item));
  const entries = Object.entries(value);
  const inner = entries.flatMap(([name, item]) => [name, ...textsOf(item)]);
  // A secret may come in pieces, one a member.
  return [...inner, entries.map(([, item]) => (typeof item === 'string' ? item : '')).join('')];
}
