import type { RunEvent } from '../../domain/event.ts';
import { toolResultsOf, type Message } from '../../domain/message.ts';
import type { SessionChange } from '../../protocol/changes.ts';
import type { SessionView } from '../../protocol/snapshot.ts';
import type { MessageView, PartView, RunPhase } from '../../protocol/view.ts';
import { messageView, partView } from './message-view.ts';
import { phase, type PartialInput, type SessionState } from './session-state.ts';
import { titleOfPartial } from '../cards/tool-title.ts';
import { emptyToolView, resultPatch } from '../cards/tool-view.ts';

export type MessageEvent = Extract<RunEvent, { readonly type: `message.${string}` }>;

/** Characters of unfinished arguments that are looked through for a title. */
const RAW_KEPT = 2000;
/** Unfinished arguments are counted on the card in steps of this many characters. */
const COUNT_STEP = 256;

interface MessageChanges {
  readonly changes: readonly SessionChange[];
  readonly inputs?: SessionState['inputs'];
}

/** The changes of the events that make the transcript. */
export function reduceMessageEvent(state: SessionState, event: MessageEvent): MessageChanges {
  const { view } = state;
  switch (event.type) {
    case 'message.added':
      return { changes: added(event.message) };
    case 'message.started':
      return {
        changes: [
          {
            type: 'message',
            message: {
              id: event.messageId,
              seq: event.messageSeq,
              role: 'assistant',
              model: event.model,
              createdAt: event.at,
              parts: [],
              open: true,
            },
          },
        ],
      };
    case 'message.delta':
      return event.kind === 'tool_input'
        ? toolInput(state, event)
        : { changes: text(view, event, event.kind) };
    case 'message.tool_call_started':
      return {
        changes: [
          {
            type: 'part',
            messageId: event.messageId,
            index: event.index,
            part: emptyToolView(event.callId, event.name),
          },
          ...streaming(view, event.at),
        ],
      };
    case 'message.part':
      return { changes: part(view, event) };
    case 'message.completed':
      return { changes: completed(view, event.message), inputs: new Map() };
    case 'message.discarded':
      return { changes: [{ type: 'message_removed', id: event.messageId }], inputs: new Map() };
    default:
      return event satisfies never;
  }
}

function added(message: Message): SessionChange[] {
  if (message.role !== 'tool') return [{ type: 'message', message: messageView(message) }];
  return toolResultsOf(message).map((result) => {
    // The word of `tool.finished` on replay and time is kept.
    const { replayed: _replayed, ...patch } = resultPatch(result, false);
    return { type: 'tool', callId: result.callId, set: patch };
  });
}

function text(
  view: SessionView,
  event: Extract<MessageEvent, { readonly type: 'message.delta' }>,
  kind: 'text' | 'reasoning',
): SessionChange[] {
  const { messageId, index } = event;
  return [{ type: 'text', messageId, index, kind, text: event.text }, ...streaming(view, event.at)];
}

function streaming(view: SessionView, at: number): SessionChange[] {
  const from: readonly RunPhase[] = ['starting', 'model', 'retrying'];
  if (!from.includes(view.run.phase)) return [];
  return [{ type: 'session', set: { run: phase(view.run, 'streaming', at, { retry: null }) } }];
}

/** Arguments are not shown while they are written: only what they are about, and how many. */
function toolInput(
  state: SessionState,
  event: Extract<MessageEvent, { readonly type: 'message.delta' }>,
): MessageChanges {
  const message = state.view.messages.findLast((other) => other.id === event.messageId);
  const tool = message?.parts[event.index];
  if (tool?.type !== 'tool') return { changes: [] };
  const before = state.inputs.get(tool.callId) ?? { raw: '', total: 0 };
  const after: PartialInput = {
    raw: before.raw.length >= RAW_KEPT ? before.raw : before.raw + event.text,
    total: before.total + event.text.length,
  };
  const inputs = new Map(state.inputs).set(tool.callId, after);
  const titled =
    tool.subject === '' && before.raw.length < RAW_KEPT
      ? titleOfPartial(tool.name, after.raw)
      : undefined;
  const named = titled !== undefined && titled.subject !== '';
  const counted = Math.floor(after.total / COUNT_STEP) > Math.floor(before.total / COUNT_STEP);
  if (!named && !counted) return { changes: [], inputs };
  const input = { text: '', total: after.total };
  return {
    changes: [{ type: 'tool', callId: tool.callId, set: { input, ...(named ? titled : {}) } }],
    inputs,
  };
}

/** A part is whole. Text that was streamed is not sent again. */
function part(
  view: SessionView,
  event: Extract<MessageEvent, { readonly type: 'message.part' }>,
): SessionChange[] {
  const message = view.messages.findLast((other) => other.id === event.messageId);
  const next = partView(event.part);
  const before = message?.parts[event.index];
  if (message === undefined || (before !== undefined && same(before, next))) return [];
  return [{ type: 'part', messageId: event.messageId, index: event.index, part: next }];
}

/**
 * The message as it is stored. Only what differs from what was streamed is sent; when its parts
 * are others (an answer that was cut off), the whole message is.
 */
function completed(view: SessionView, message: Message): SessionChange[] {
  const whole = messageView(message);
  const shown = view.messages.findLast((other) => other.id === message.id);
  if (shown === undefined || !lineUp(shown, whole))
    return [{ type: 'message', message: keepCards(shown, whole) }];
  const changes: SessionChange[] = [];
  for (const [index, next] of whole.parts.entries()) {
    const before = shown.parts[index];
    if (before === undefined || !same(before, next)) {
      changes.push({ type: 'part', messageId: message.id, index, part: next });
    }
  }
  const { createdAt, model } = whole;
  const record = { createdAt, ...(model === undefined ? {} : { model }) };
  changes.push({ type: 'message_closed', id: message.id, record });
  return changes;
}

/** True when each streamed part is the beginning of the stored one at the same index. */
function lineUp(shown: MessageView, whole: MessageView): boolean {
  return (
    shown.seq === whole.seq &&
    shown.parts.every((before, index) => {
      const next = whole.parts[index];
      return (
        next !== undefined &&
        next.type === before.type &&
        (before.type !== 'tool' || next.type !== 'tool' || next.callId === before.callId)
      );
    })
  );
}

/** Cards that already run keep their state when their message is replaced. */
function keepCards(shown: MessageView | undefined, whole: MessageView): MessageView {
  if (shown === undefined) return whole;
  const cards = new Map(
    shown.parts.flatMap((before) =>
      before.type === 'tool' ? [[before.callId, before] as const] : [],
    ),
  );
  return {
    ...whole,
    parts: whole.parts.map((next) => {
      const before = next.type === 'tool' ? cards.get(next.callId) : undefined;
      return before === undefined || before.state === 'input' ? next : before;
    }),
  };
}

/** True when the panel already shows this; a card that is past its arguments is newer than its message. */
function same(before: PartView, next: PartView): boolean {
  if (before.type === 'tool' && next.type === 'tool') {
    return before.callId === next.callId && before.state !== 'input';
  }
  if (before.type === 'text' && next.type === 'text') return before.text === next.text;
  if (before.type === 'reasoning' && next.type === 'reasoning') return before.text === next.text;
  return before.type === next.type && JSON.stringify(before) === JSON.stringify(next);
}
