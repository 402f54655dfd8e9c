import type {
  ModelCall,
  ModelEvent,
  ModelRequest,
} from '../../../src/core/model-call/model-call.ts';
import type { Failure, FailureCode } from '../../../src/domain/failure.ts';

export const failed = (code: FailureCode, more: Partial<Failure> = {}): ModelEvent => ({
  type: 'failed',
  failure: { code, message: `It was ${code}.`, ...more },
});
export const delta = (text: string): ModelEvent => ({
  type: 'delta',
  index: 0,
  kind: 'text',
  text,
});
export const complete = (text: string, model = 'm'): ModelEvent => ({
  type: 'complete',
  answer: { parts: [{ type: 'text', text }], finish: 'end_turn', model },
});

/** A model call that plays one list of events a call; the last one is repeated. Keeps the requests. */
export function scripted(...plays: readonly (readonly ModelEvent[])[]): {
  readonly call: ModelCall;
  readonly requests: ModelRequest[];
} {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *call(request) {
      requests.push(request);
      yield* plays[Math.min(requests.length, plays.length) - 1] ?? [];
    },
  };
}
