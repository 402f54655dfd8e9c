import type { Mention } from '../domain/mention.ts';
import type { ReviewDifference } from './review-view.ts';
import type { AppView, ModelRow, SessionRow, SessionsView, SessionView } from './snapshot.ts';
import type { MessageView, PartView, ToolView } from './view.ts';

/** Characters of live output that a card keeps; older ones are dropped at the start. */
export const OUTPUT_KEPT = 16_000;

/** The small slices of a session, replaced as a whole when they change. */
export type SessionSlices = Omit<SessionView, 'id' | 'loading' | 'messages' | 'hasOlder' | 'saved'>;

/** One change of what is shown of a session. Text is appended, never sent twice. */
export type Change =
  | { readonly type: 'app'; readonly app: AppView }
  | { readonly type: 'models'; readonly models: readonly ModelRow[] }
  /** Adds a row or replaces the one with this id. */
  | { readonly type: 'row'; readonly row: SessionRow }
  | { readonly type: 'row_removed'; readonly id: string }
  | ({ readonly type: 'rows' } & Omit<SessionsView, 'rows'>)
  | { readonly type: 'review'; readonly difference: ReviewDifference }
  /** The draft of the session as another place has it; `after`: the last draft of this one that was there before it. */
  | {
      readonly type: 'draft';
      readonly draft: string;
      readonly mentions: readonly Mention[];
      readonly after: number;
    }
  | { readonly type: 'session'; readonly set: Partial<SessionSlices> }
  /** Adds a message at its place by `seq` or replaces the one with this id. */
  | { readonly type: 'message'; readonly message: MessageView }
  | { readonly type: 'message_removed'; readonly id: string }
  /** A streamed message is whole now; what is on record of it and was not known before. */
  | {
      readonly type: 'message_closed';
      readonly id: string;
      readonly record: Pick<MessageView, 'createdAt' | 'model'> | null;
    }
  /** Puts a part into the message that is being streamed. */
  | {
      readonly type: 'part';
      readonly messageId: string;
      readonly index: number;
      readonly part: PartView;
    }
  /** Appends to a text or reasoning part; a part that is not there yet is made. */
  | {
      readonly type: 'text';
      readonly messageId: string;
      readonly index: number;
      readonly kind: 'text' | 'reasoning';
      readonly text: string;
    }
  | { readonly type: 'tool'; readonly callId: string; readonly set: Partial<ToolView> }
  /** Appends to the live output of a call (D11). */
  | { readonly type: 'output'; readonly callId: string; readonly text: string };

export type SessionChange = Exclude<
  Change,
  { readonly type: 'app' | 'models' | 'row' | 'row_removed' | 'rows' | 'review' | 'draft' }
>;

/** Applies one change to a session. What names an unknown message or call changes nothing. */
export function applySessionChange(session: SessionView, change: SessionChange): SessionView {
  switch (change.type) {
    case 'session':
      return { ...session, ...change.set };
    case 'message':
      return { ...session, messages: putMessage(session.messages, change.message) };
    case 'message_removed':
      return {
        ...session,
        messages: session.messages.filter((message) => message.id !== change.id),
      };
    case 'message_closed':
      return changeMessage(session, change.id, (message) => ({
        ...message,
        ...change.record,
        open: false,
      }));
    case 'part':
      return changeMessage(session, change.messageId, (message) => ({
        ...message,
        parts: putPart(message.parts, change.index, change.part),
      }));
    case 'text':
      return changeMessage(session, change.messageId, (message) => ({
        ...message,
        parts: appendText(message.parts, change),
      }));
    case 'tool':
      return changeTool(session, change.callId, (tool) => ({ ...tool, ...change.set }));
    case 'output':
      return changeTool(session, change.callId, (tool) => ({
        ...tool,
        output: keepTail(tool.output + change.text),
      }));
    default:
      return change satisfies never;
  }
}

/** The last characters of live output, from a line's start where one is near. */
export function keepTail(output: string): string {
  if (output.length <= OUTPUT_KEPT) return output;
  const tail = output.slice(-OUTPUT_KEPT);
  const line = tail.indexOf('\n');
  return line >= 0 && line < 400 ? tail.slice(line + 1) : tail;
}

/** Ascending by `seq`; a message with the same id is replaced. */
export function putMessage(
  messages: readonly MessageView[],
  message: MessageView,
): readonly MessageView[] {
  const others = messages.filter((other) => other.id !== message.id);
  const at = others.findLastIndex((other) => other.seq < message.seq) + 1;
  return others.toSpliced(at, 0, message);
}

function changeMessage(
  session: SessionView,
  id: string,
  change: (message: MessageView) => MessageView,
): SessionView {
  const at = session.messages.findLastIndex((message) => message.id === id);
  const message = session.messages[at];
  if (message === undefined) return session;
  return {
    ...session,
    messages: session.messages.with(at, change(message)),
  };
}

/** Puts a part at its index; parts that have not been heard of are empty texts until they come. */
function putPart(parts: readonly PartView[], index: number, part: PartView): readonly PartView[] {
  const next = [...parts];
  while (next.length < index) next.push({ type: 'text', text: '' });
  next[index] = part;
  return next;
}

function appendText(
  parts: readonly PartView[],
  change: Extract<Change, { readonly type: 'text' }>,
): readonly PartView[] {
  const part = parts[change.index];
  const before = part !== undefined && part.type === change.kind ? part.text : '';
  return putPart(parts, change.index, { type: change.kind, text: before + change.text });
}

function changeTool(
  session: SessionView,
  callId: string,
  change: (tool: ToolView) => ToolView,
): SessionView {
  for (let at = session.messages.length - 1; at >= 0; at -= 1) {
    const message = session.messages[at];
    const index =
      message?.parts.findIndex((part) => part.type === 'tool' && part.callId === callId) ?? -1;
    const part = message?.parts[index];
    if (message !== undefined && part?.type === 'tool') {
      const parts = message.parts.with(index, change(part));
      return { ...session, messages: session.messages.with(at, { ...message, parts }) };
    }
  }
  return session;
}
