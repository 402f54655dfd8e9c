import type { Failure } from '../domain/failure.ts';
import type { Change } from './changes.ts';
import { isJsonObject } from '../domain/data/json.ts';
import type { Mention } from '../domain/mention.ts';
import type { AttachmentView, RequestName } from './requests.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Messages between panel and host.
 *
 * The host sends a snapshot with a number, then batches of changes with the next numbers. It sends
 * a batch only when the panel has acknowledged the one before (back-pressure). A panel that misses
 * a number, or has just been loaded, says `ready` and gets a snapshot. Replies and signals are
 * outside the numbering; changes that belong to a request arrive before its reply.
 */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      /** The host's clock, milliseconds since the epoch: it may be another machine's. */
      readonly now: number;
      readonly snapshot: Snapshot;
    }
  | {
      readonly type: 'changes';
      readonly seq: number;
      readonly now: number;
      readonly changes: readonly Change[];
    }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'signal'; readonly signal: Signal };

/** The host's requests to the panel: not state, so not in a snapshot. */
export type Signal =
  | { readonly kind: 'focus_input' }
  /** Adds text to the draft (a selection, a file). */
  | { readonly kind: 'insert'; readonly text: string }
  /** Puts a message into the input of this session, `null`: of the new one; what is typed there stays behind it. */
  | {
      readonly kind: 'give_back';
      readonly sessionId: string | null;
      readonly text: string;
      readonly attachments: readonly AttachmentView[];
    }
  /** Puts a mention beside what is typed in the input of this session, in the place of one of the same thing. */
  | { readonly kind: 'mention'; readonly sessionId: string; readonly mention: Mention }
  /** Empties the input of this session when nothing but this is in it. */
  | { readonly kind: 'take_back'; readonly sessionId: string; readonly text: string }
  | { readonly kind: 'show_sessions' }
  | { readonly kind: 'show_journal' }
  | { readonly kind: 'next_mode' }
  /** Focus to the oldest open approval or question. */
  | { readonly kind: 'focus_waiting' }
  /** Focus to the list of pending changes. */
  | { readonly kind: 'focus_changes' };

export type PanelMessage =
  /** Loaded, or lost: wants a snapshot. */
  | { readonly type: 'ready' }
  /** The page has the focus. */
  | { readonly type: 'focus' }
  /** The batch or snapshot with this number is on screen. */
  | { readonly type: 'ack'; readonly seq: number }
  /** The parameters are checked by `checkRequest`. */
  | {
      readonly type: 'request';
      readonly id: number;
      readonly name: RequestName;
      readonly params: unknown;
    };

/** The members of each kind of message. */
const MEMBERS: Readonly<Record<PanelMessage['type'], readonly string[]>> = {
  ready: [],
  focus: [],
  ack: ['seq'],
  request: ['id', 'name', 'params'],
};

/** Checks a message by hand: schemas load with the first request. Problems are logged. */
export function checkPanelMessage(
  raw: unknown,
): { readonly message: PanelMessage } | { readonly problem: string } {
  if (!isJsonObject(raw)) return { problem: 'it is no object' };
  const { type, seq, id, name } = raw;
  if (typeof type !== 'string' || !Object.hasOwn(MEMBERS, type))
    return { problem: 'its type is unknown' };
  const members = MEMBERS[type as PanelMessage['type']];
  const strange = Object.keys(raw).find((key) => key !== 'type' && !members.includes(key));
  if (strange !== undefined) return { problem: `a ${type} has no ${strange}` };
  if (type === 'ack' && !Number.isSafeInteger(seq)) return { problem: 'its number is none' };
  if (type === 'request' && !(Number.isSafeInteger(id) && typeof name === 'string'))
    return { problem: 'a request needs a number and a name' };
  return { message: raw as unknown as PanelMessage };
}
