import type { ModelEvent } from '../model-call.ts';

export interface Attempt {
  /** Absent when it was complete. */
  readonly failed?: Extract<ModelEvent, { type: 'failed' }>;
  /** Something of it was shown, which must be taken back before another attempt. */
  readonly shown: boolean;
}

/** Passes an attempt's events on, all but its failure, which is for the caller to decide about. */
export async function* attemptOf(
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, Attempt> {
  let shown = false;
  for await (const event of events) {
    if (event.type === 'failed') return { failed: event, shown };
    shown ||= isShown(event);
    yield event;
    if (event.type === 'complete') break;
  }
  return { shown };
}

const isShown = ({ type }: ModelEvent): boolean =>
  type === 'delta' || type === 'part' || type === 'tool_call_started';
