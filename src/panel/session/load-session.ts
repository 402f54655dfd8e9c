import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { Handoff } from '../../core/run/agent-service.ts';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import { type Journal, type JournalChange, withSections } from '../../domain/session/journal.ts';
import type { Json } from '../../domain/data/json.ts';
import type { ToolCallPart, ToolResultState } from '../../domain/message.ts';
import type { LedgerEntry } from '../../domain/run.ts';
import type { Compaction, Session } from '../../domain/session/session.ts';
import type { Transcripts } from '../../core/ports/store/transcripts.ts';
import { putMessage } from '../../protocol/changes.ts';
import {
  EMPTY_SESSION,
  IDLE_RUN,
  SNAPSHOT_MESSAGES,
  type SessionView,
} from '../../protocol/snapshot.ts';
import type { CompactionView, HandoffCall, HandoffView, MessageView } from '../../protocol/view.ts';
import { settled, withBackground } from '../cards/background-cards.ts';
import { messageViews } from './message-view.ts';
import { endNotice, endView, restoredNotice } from './notices.ts';
import type { PanelRecords, PanelServices } from '../services.ts';
import { titleOf } from '../cards/tool-title.ts';

/** Messages after the one with a call in which its result is found. */
export const RESULTS_WITHIN = 40;

type Sources = Pick<
  PanelServices,
  'agent' | 'records' | 'setup' | 'memory' | 'log' | 'others' | 'background'
>;

/** A session that was read; `missing`: there is no such session (any more). */
export interface LoadedSession {
  readonly view: SessionView;
  readonly missing: boolean;
}

/** Reads a session for the panel; what cannot be read is said in `error`. Never rejects. */
export async function loadSession(sources: Sources, id: string): Promise<LoadedSession> {
  const { agent, records, setup, memory } = sources;
  const { transcripts, runs, todos, journals, followUps: waiting, redo } = records;
  const saved = memory.saved(id) ?? EMPTY_SESSION.saved;
  const empty: SessionView = { ...EMPTY_SESSION, id, saved };
  try {
    const [
      session,
      page,
      compactions,
      handoff,
      earlier,
      todo,
      journal,
      followUps,
      { elsewhere, detached },
      restored,
    ] = await Promise.all([
      transcripts.session(id),
      loadMessages(sources, id),
      transcripts.compactions(id),
      agent.handoffs.of(id),
      runs.runs({ sessionId: id }),
      todos.read(id),
      journals.read(id),
      waiting.of(id),
      away(sources, id),
      redo?.last(id),
    ]);
    if (session === undefined) {
      const error = l10n.t(
        'This session is no longer there. It may have been deleted in another window.',
      );
      return { view: { ...empty, error }, missing: true };
    }
    const options = agent.sessions.optionsOf(id);
    const above = await aboveOf(transcripts, session);
    // In the order in which they were made: clocks jump.
    const end = elsewhere ? undefined : earlier.at(-1)?.end;
    const ended = handoff === undefined && end !== undefined ? endNotice(end) : undefined;
    const told = ended !== undefined && above !== null ? { ...ended, actions: [] } : ended;
    const view: SessionView = {
      ...empty,
      title: makeVisible(session.title),
      messages: page.messages,
      hasOlder: page.hasOlder,
      compactions: compactionViews(compactions),
      run: { ...IDLE_RUN, end: end === undefined ? null : endView(end) },
      queue: queueView(agent, id),
      isQueueHeld: await agent.sessions.isHeld(id),
      turn: agent.runs.turns.of(id) ?? null,
      todo,
      journal,
      followUps,
      options,
      meter: {
        ...totalsOf(session),
        cacheReadTokens: 0,
        contextTokens: page.contextTokens,
        contextLimit: contextLimitOf(setup, options.model),
      },
      handoff: handoff === undefined ? null : handoffView(handoff),
      parent: above,
      elsewhere,
      detached,
      // How the last run ended says nothing about what was restored since.
      notices:
        restored === undefined ? (told === undefined ? [] : [told]) : [restoredNotice(restored)],
    };
    return { view: withBackground(view, sources.background), missing: false };
  } catch (error) {
    sources.log.error('The session could not be read for the panel.', error);
    return { view: { ...empty, error: wordsOf(failureOf(error)) }, missing: false };
  }
}

async function away(
  { others }: Pick<Sources, 'others'>,
  id: string,
): Promise<Pick<SessionView, 'elsewhere' | 'detached'>> {
  const elsewhere = (await others?.isElsewhere(id)) ?? false;
  return { elsewhere, detached: (await others?.background?.of(id)) ?? null };
}

async function aboveOf(
  transcripts: Pick<Transcripts, 'session'>,
  { parentId }: Session,
): Promise<SessionView['parent']> {
  if (parentId === undefined) return null;
  const parent = await transcripts.session(parentId);
  return { sessionId: parentId, title: makeVisible(parent?.title ?? '') };
}

/** A window of the transcript. */
export interface Page {
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
  /** Tokens of the last model call in it; `null` when there is none. */
  readonly contextTokens: number | null;
}

/** The last messages of a session, or the ones before a place. */
export async function loadMessages(
  { records, background }: Pick<Sources, 'records' | 'background'>,
  sessionId: string,
  beforeSeq?: number,
): Promise<Page> {
  // Results are messages of their own: with twice as many, the cards of the first ones have theirs.
  const limit = SNAPSHOT_MESSAGES * 2;
  const stored = await records.transcripts.messages({
    sessionId,
    limit,
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
  });
  const views = messageViews(stored);
  const messages = settled(views.slice(-SNAPSHOT_MESSAGES), background, sessionId);
  const more = stored.length === limit && (stored[0]?.seq ?? 0) > 1;
  const usage = stored.findLast((message) => message.usage !== undefined)?.usage;
  return {
    messages,
    hasOlder: messages.length < views.length || more,
    contextTokens:
      usage === undefined
        ? null
        : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
  };
}

/** The messages after a place; what is being streamed is not among them. */
export async function loadNewer(
  { transcripts }: Pick<PanelRecords, 'transcripts'>,
  sessionId: string,
  afterSeq: number,
): Promise<{ readonly messages: readonly MessageView[]; readonly hasNewer: boolean }> {
  // `seq` has no gaps, so that a range of it is a page. The results of its last calls come after it.
  const end = afterSeq + SNAPSHOT_MESSAGES * 2;
  const beforeSeq = end + RESULTS_WITHIN;
  const stored = await transcripts.messages({ sessionId, afterSeq, beforeSeq });
  return {
    messages: messageViews(stored).filter((message) => message.seq < end),
    hasNewer: (stored.at(-1)?.seq ?? 0) >= end,
  };
}

/**
 * Puts what happened since the process began over what was read: both hold whole messages, and
 * the live ones know more (replay, retries, the message being streamed).
 */
export function mergeLive(stored: SessionView, live: SessionView): SessionView {
  let messages: readonly MessageView[] = stored.messages;
  const first = messages[0]?.seq ?? 0;
  for (const message of live.messages) {
    if (message.seq >= first) messages = putMessage(messages, message);
  }
  return {
    ...stored,
    messages,
    todo: live.todo.length > 0 ? live.todo : stored.todo,
    journal: withSections(stored.journal, filledSections(live.journal)),
    run: live.run.runId === null && live.run.end === null ? stored.run : live.run,
    title: live.title === '' ? stored.title : live.title,
    notices: live.notices.length > 0 || live.run.runId !== null ? live.notices : stored.notices,
    children: live.children,
    handoff: live.run.runId === null ? stored.handoff : null,
    meter: {
      ...stored.meter,
      contextTokens: live.meter.contextTokens ?? stored.meter.contextTokens,
      contextLimit: live.meter.contextLimit ?? stored.meter.contextLimit,
    },
  };
}

/** Of a view that may know a part alone: what it knows. */
function filledSections(journal: Journal): JournalChange {
  return Object.fromEntries(Object.entries(journal).filter(([, content]) => content.length > 0));
}

export function queueView(agent: Sources['agent'], sessionId: string): SessionView['queue'] {
  return agent.queue.list(sessionId).map((queued) => ({
    id: queued.id,
    text: queued.text,
    attachments: queued.attachments.map(({ name, mention }) => mention?.label ?? name),
    mode: queued.mode,
  }));
}

export function compactionViews(compactions: readonly Compaction[]): CompactionView[] {
  return compactions
    .filter((compaction) => !compaction.undone)
    .map(({ id, throughSeq, strategy, reason, tokensBefore, tokensAfter }) => ({
      id,
      throughSeq,
      strategy,
      reason,
      tokensBefore,
      tokensAfter,
    }));
}

/** The context window of a model; `null` when the model is not known. */
export function contextLimitOf(setup: Sources['setup'], model: string): number | null {
  return setup.models().find((known) => known.id === model)?.contextWindow ?? null;
}

/** Totals as they are on record. */
export function totalsOf(
  session: Session,
): Pick<SessionView['meter'], 'inputTokens' | 'outputTokens' | 'cost' | 'costUnknown'> {
  const { inputTokens, outputTokens, cost } = session;
  return { inputTokens, outputTokens, cost, costUnknown: session.costUnknown ?? false };
}

/** The handoff card. */
export function handoffView(handoff: Handoff): HandoffView {
  return {
    runId: handoff.run.id,
    startedAt: handoff.run.startedAt,
    iteration: handoff.run.iteration,
    draft: handoff.written.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    asked: handoff.written.flatMap((part) => (part.type === 'tool_call' ? [askedCall(part)] : [])),
    finished: callsEnded(handoff, (state) => state === undefined || CERTAIN.has(state)),
    stopped: callsEnded(handoff, (state) => state !== undefined && IN_PART.has(state)),
    unknown: handoff.unknown.map((entry) => handoffCall(entry)),
    resumable: handoff.resumable || handoff.asksAgain === true,
    reason: handoff.reason === undefined ? '' : inWords(handoff.reason),
    promptDrift: handoff.promptDrift,
  };
}

/** How calls ended that did all that they did; the model has their results. */
const CERTAIN: ReadonlySet<string> = new Set<ToolResultState>(['done', 'failed']);
/** How calls ended of which the model is told that they may have done a part. One that was denied did nothing. */
const IN_PART: ReadonlySet<string> = new Set<ToolResultState>(['canceled', 'unknown']);

function callsEnded(
  { finished }: Handoff,
  isMeant: (state: string | undefined) => boolean,
): readonly HandoffCall[] {
  return finished
    .filter(({ result }) => isMeant(stateOf(result)))
    .map((entry) => handoffCall(entry));
}

function stateOf(result: Json | undefined): string | undefined {
  const isObject = typeof result === 'object' && result !== null && 'state' in result;
  return isObject && typeof result.state === 'string' ? result.state : undefined;
}

/** A call of an answer that broke off. */
const askedCall = ({ id, name, input }: ToolCallPart): HandoffCall =>
  handoffCall({ callId: id, name, input });

function handoffCall(entry: Pick<LedgerEntry, 'callId' | 'name' | 'input'>): HandoffCall {
  const { icon, title, subject } = titleOf(entry.name, entry.input);
  return {
    callId: entry.callId,
    icon,
    title,
    subject,
    detail: makeVisible(detailOf(entry)),
  };
}

/** The exact request of a call: the command itself where there is nothing else. */
function detailOf({ input }: Pick<LedgerEntry, 'input'>): string {
  const values = Object.values(input);
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(input, null, 2);
}
