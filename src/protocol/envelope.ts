import * as z from 'zod/mini';
import type { Failure } from '../domain/failure.ts';
import type { Change } from './changes.ts';
import { requestSchemas, type AttachmentView, type RequestName } from './requests.ts';
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

/** What the host asks of the panel: not state, so not in a snapshot. */
export type Signal =
  | { readonly kind: 'focus_input' }
  /** Adds text to the draft (a selection, a file). */
  | { readonly kind: 'insert'; readonly text: string }
  /** Puts a message into the input of this session, to be sent again; what is typed there stays behind it. */
  | {
      readonly kind: 'give_back';
      readonly sessionId: string;
      readonly text: string;
      readonly attachments: readonly AttachmentView[];
    }
  /** Empties the input of this session when nothing but this is in it. */
  | { readonly kind: 'take_back'; readonly sessionId: string; readonly text: string }
  | { readonly kind: 'show_sessions' }
  | { readonly kind: 'show_rules' }
  | { readonly kind: 'next_mode' }
  /** Focus to the oldest open approval or question. */
  | { readonly kind: 'focus_waiting' }
  /** Focus to the list of pending changes. */
  | { readonly kind: 'focus_changes' };

const panelMessage = z.discriminatedUnion('type', [
  /** Loaded, or lost: wants a snapshot. */
  z.strictObject({ type: z.literal('ready') }),
  /** The batch or snapshot with this number is on screen. */
  z.strictObject({ type: z.literal('ack'), seq: z.int() }),
  z.strictObject({
    type: z.literal('request'),
    id: z.int(),
    name: z.enum(Object.keys(requestSchemas) as [RequestName, ...RequestName[]]),
    params: z.unknown(),
  }),
]);

export type PanelMessage = z.infer<typeof panelMessage>;

/** Checks a message from the panel; the problem is for the log. */
export function checkPanelMessage(
  raw: unknown,
): { readonly message: PanelMessage } | { readonly problem: string } {
  const checked = z.safeParse(panelMessage, raw);
  if (checked.success) return { message: checked.data };
  return { problem: checked.error.issues.map((issue) => issue.message).join('; ') };
}
