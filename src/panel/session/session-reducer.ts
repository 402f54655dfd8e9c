import { reasonInWords, wordsOf } from '../../domain/failure.ts';
import { withSections } from '../../domain/session/journal.ts';
import * as l10n from '@vscode/l10n';
import type { RunEvent } from '../../domain/event.ts';
import { ruleText } from '../../core/permissions/rules/rule-text.ts';
import { inWords } from '../../domain/text/told.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { RunEnd } from '../../domain/run.ts';
import {
  applySessionChange,
  type SessionChange,
  type SessionSlices,
} from '../../protocol/changes.ts';
import { IDLE_RUN, type SessionView } from '../../protocol/snapshot.ts';
import { END_NOTICE } from '../../protocol/view.ts';
import type { NoticeView, RunPhase, RunView, ToolView } from '../../protocol/view.ts';
import { endNotice, endView, failureNotice } from './notices.ts';
import { reduceMessageEvent, type MessageEvent } from './message-reducer.ts';
import { phase, type SessionState } from './session-state.ts';
import { resultPatch } from '../cards/tool-view.ts';

/** Notices a session keeps at most; the oldest go first. */
const NOTICES = 5;

export interface Reduced {
  readonly state: SessionState;
  readonly changes: readonly SessionChange[];
}

/**
 * Applies one event of the session. Pure: the same state and event give the same changes, and the
 * new state is the old one with exactly these changes applied.
 */
export function reduceSession(state: SessionState, event: RunEvent): Reduced {
  const { changes, inputs } = isMessageEvent(event)
    ? reduceMessageEvent(state, event)
    : { changes: changesOf(state.view, event), inputs: undefined };
  let view = state.view;
  for (const change of changes) view = applySessionChange(view, change);
  return { state: { view, inputs: inputs ?? state.inputs }, changes };
}

function isMessageEvent(event: RunEvent): event is MessageEvent {
  return event.type.startsWith('message.');
}

function changesOf(view: SessionView, event: Exclude<RunEvent, MessageEvent>): SessionChange[] {
  switch (event.type) {
    case 'model.request':
      return [
        set({
          run: phase(view.run, 'model', event.at, { iteration: event.iteration, retry: null }),
          meter: {
            ...view.meter,
            contextTokens: event.estimatedTokens,
            contextLimit: event.contextLimit,
          },
        }),
      ];
    case 'model.waiting': {
      const { attempt, attempts, until } = event;
      const reason = reasonInWords(event);
      return [run(view, 'retrying', event.at, { retry: { reason, attempt, attempts, until } })];
    }
    case 'model.fallback':
      return notice(view, {
        id: `fallback-${event.seq}`,
        level: 'info',
        message: l10n.t(
          '{0} failed ({1}) {2} answers instead.',
          event.from,
          wordsOf(event.failure),
          event.to,
        ),
        actions: [],
      });
    case 'model.usage':
      return [set({ meter: withUsage(view.meter, event) })];
    case 'tool.pending':
    case 'tool.approval':
    case 'tool.started':
    case 'tool.output':
    case 'tool.progress':
    case 'tool.finished':
    case 'agent.tool.retry':
      return toolChanges(view, event);
    case 'agent_run.started':
    case 'agent_run.iteration':
    case 'agent_run.stopping':
    case 'agent_run.waiting':
    case 'agent_run.answered':
    case 'agent_run.completed':
    case 'agent_run.cancelled':
    case 'agent_run.failed':
    case 'agent_run.handed_over':
      return runChanges(view, event);
    case 'agent.child.started':
    case 'agent.child.ended':
      return childChanges(view, event);
    case 'summarize.progress':
      return summaryChanges(view, event);
    case 'session.titled':
      return [set({ title: event.title })];
    case 'session.todo':
      return [set({ todo: event.items })];
    case 'session.followups':
      return [set({ followUps: event.followUps })];
    case 'journal_update':
      return [set({ journal: withSections(view.journal, event.sections) })];
    default:
      return remarkChanges(view, event);
  }
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** Events that are told as a notice, or not at all. */
function remarkChanges(view: SessionView, event: RunEvent): SessionChange[] {
  switch (event.type) {
    case 'context.warning': {
      const share = Math.round((event.estimatedTokens / Math.max(1, event.contextLimit)) * 100);
      return notice(view, {
        id: 'context',
        level: 'warning',
        message: l10n.t(
          'The context window is {0} % full. Compacting sums up the older messages; nothing is deleted.',
          share,
        ),
        actions: ['compact'],
      });
    }
    case 'agent_run.dispatch_next_failed':
      return notice(view, failureNotice(`dispatch-${event.seq}`, event.failure, false));
    case 'tool.overtaken':
      return notice(view, {
        id: `overtaken-${event.seq}`,
        level: 'info',
        message: reasonInWords(event),
        actions: [],
      });
    case 'permission.kept':
      return notice(view, {
        id: `kept-${event.seq}`,
        level: 'info',
        message: l10n.t(
          'Kept {0}: {1}.',
          event.where === 'session' ? l10n.t('for this session') : l10n.t('for this project'),
          event.rules.map((rule) => inWords(ruleText(rule))).join('; '),
        ),
        actions: ['undo_rules', 'show_rules'],
        rules: event.rules,
      });
    case 'warning':
      return notice(view, {
        id: `warning-${event.seq}`,
        level: 'warning',
        message: wordsOf(event),
        actions: [],
      });
    default:
      // Events of the policies are shown in the timeline, not in the conversation.
      return [];
  }
}

function toolChanges(
  view: SessionView,
  event: EventOf<
    | 'tool.pending'
    | 'tool.approval'
    | 'tool.started'
    | 'tool.output'
    | 'tool.progress'
    | 'tool.finished'
    | 'agent.tool.retry'
  >,
): SessionChange[] {
  const { callId } = event;
  const patch = (change: Partial<ToolView>): SessionChange => ({
    type: 'tool',
    callId,
    set: change,
  });
  switch (event.type) {
    case 'tool.pending':
      return [patch({ state: 'pending' })];
    case 'tool.approval':
      return [patch({ state: 'approval' }), run(view, 'waiting', event.at)];
    case 'tool.started':
      return [
        patch({ state: 'running', startedAt: event.at, retry: null }),
        ...(view.run.phase === 'tools' ? [] : [run(view, 'tools', event.at)]),
      ];
    case 'tool.output':
      return [{ type: 'output', callId, text: event.text }];
    case 'tool.progress':
      return [patch({ progress: { message: wordsOf(event), fraction: event.fraction ?? null } })];
    case 'tool.finished':
      return [patch(resultPatch(event.result, event.replayed))];
    case 'agent.tool.retry':
      return [
        patch({
          retry: {
            attempt: event.attempt,
            until: event.at + event.waitMs,
            message: wordsOf(event.failure),
          },
        }),
      ];
    default:
      return event satisfies never;
  }
}

/** Sub-agents come and go; each belongs to the card of its call. */
function childChanges(
  view: SessionView,
  event: EventOf<'agent.child.started' | 'agent.child.ended'>,
): SessionChange[] {
  const others = view.children.filter(({ sessionId }) => sessionId !== event.childId);
  if (event.type === 'agent.child.ended') return [set({ children: others })];
  const { childId, callId, title } = event;
  return [
    { type: 'tool', callId, set: { agent: childId } },
    set({ children: [...others, { sessionId: childId, title: makeVisible(title) }] }),
  ];
}

function runChanges(
  view: SessionView,
  event: EventOf<
    | 'agent_run.started'
    | 'agent_run.iteration'
    | 'agent_run.stopping'
    | 'agent_run.waiting'
    | 'agent_run.answered'
    | 'agent_run.completed'
    | 'agent_run.cancelled'
    | 'agent_run.failed'
    | 'agent_run.handed_over'
  >,
): SessionChange[] {
  switch (event.type) {
    case 'agent_run.started': {
      const started: RunView = {
        ...IDLE_RUN,
        runId: event.runId,
        phase: 'starting',
        startedAt: event.at,
        phaseSince: event.at,
      };
      return [set({ run: started, notices: [], handoff: null, elsewhere: false })];
    }
    case 'agent_run.iteration':
      return [set({ run: { ...view.run, iteration: event.iteration } })];
    case 'agent_run.stopping':
      // A stop that comes while a run is being put away, after its end, stops nothing.
      return view.run.phase === 'idle' ? [] : [run(view, 'stopping', event.at, { retry: null })];
    case 'agent_run.waiting':
      return [run(view, 'waiting', event.at)];
    case 'agent_run.answered':
      return view.run.phase === 'waiting' ? [run(view, 'tools', event.at)] : [];
    case 'agent_run.completed':
    case 'agent_run.cancelled':
    case 'agent_run.failed':
      return endChanges(view, event.end);
    case 'agent_run.handed_over':
      return [set({ run: { ...IDLE_RUN, iteration: view.run.iteration }, elsewhere: true })];
    default:
      return event satisfies never;
  }
}

/** Nothing may go on moving after the end: open messages are closed, unfinished cards canceled. */
function endChanges(view: SessionView, end: RunEnd): SessionChange[] {
  const changes: SessionChange[] = [];
  for (const message of view.messages) {
    if (message.open) changes.push({ type: 'message_closed', id: message.id, record: null });
    for (const part of message.parts) {
      if (part.type !== 'tool' || part.result !== null) continue;
      if (
        part.state === 'pending' ||
        part.state === 'input' ||
        part.state === 'running' ||
        part.state === 'approval'
      ) {
        changes.push({
          type: 'tool',
          callId: part.callId,
          set: { state: 'canceled', output: '', progress: null, retry: null },
        });
      }
    }
  }
  const ended = endNotice(end);
  // Only the session above a sub-agent goes on with it.
  const told = ended !== undefined && view.parent !== null ? { ...ended, actions: [] } : ended;
  const others = view.notices.filter((other) => other.id !== END_NOTICE);
  changes.push(
    set({
      run: { ...IDLE_RUN, iteration: view.run.iteration, end: endView(end) },
      ...(view.children.length === 0 ? {} : { children: [] }),
      ...(told === undefined ? {} : { notices: [...others, told] }),
    }),
  );
  return changes;
}

function summaryChanges(view: SessionView, event: EventOf<'summarize.progress'>): SessionChange[] {
  if (!event.done) {
    return view.run.phase === 'compacting'
      ? []
      : [run(view, 'compacting', event.at, { startedAt: view.run.startedAt ?? event.at })];
  }
  const back: SessionChange = set({
    run:
      view.run.runId === null
        ? { ...IDLE_RUN, end: view.run.end }
        : phase(view.run, 'model', event.at),
  });
  const { failure } = event;
  // The place that asked for the summary shows why there is none.
  if (failure === undefined) {
    const others = view.notices.filter(({ actions }) => !actions.includes('compact'));
    return others.length === view.notices.length ? [back] : [back, set({ notices: others })];
  }
  if (failure.code === 'canceled' || failure.code === 'invalid') return [back];
  return [back, ...notice(view, failureNotice('summary', failure, false))];
}

function set(slices: Partial<SessionSlices>): SessionChange {
  return { type: 'session', set: slices };
}

function run(
  view: SessionView,
  next: RunPhase,
  at: number,
  more: Partial<RunView> = {},
): SessionChange {
  return set({ run: phase(view.run, next, at, more) });
}

/** Adds a notice or replaces the one with the same id. */
function notice(view: SessionView, added: NoticeView): SessionChange[] {
  const others = view.notices.filter((other) => other.id !== added.id);
  return [set({ notices: [...others, added].slice(-NOTICES) })];
}

function withUsage(
  meter: SessionView['meter'],
  event: EventOf<'model.usage'>,
): SessionView['meter'] {
  const { usage, cost, purpose } = event;
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    contextTokens: purpose === 'turn' ? input + usage.outputTokens : meter.contextTokens,
    contextLimit: meter.contextLimit,
    inputTokens: meter.inputTokens + input,
    outputTokens: meter.outputTokens + usage.outputTokens,
    cacheReadTokens: meter.cacheReadTokens + usage.cacheReadTokens,
    cost: meter.cost + (cost ?? 0),
    costUnknown: meter.costUnknown || cost === undefined,
  };
}
