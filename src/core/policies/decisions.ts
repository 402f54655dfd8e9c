import type { RunEventBody } from '../../domain/event.ts';
import type { Json } from '../../domain/data/json.ts';
import type { Decision, Verdict } from '../policy.ts';

/** Nothing to say: the run goes on as it would. */
export function goOn<State extends Json>(
  state: State,
  events?: readonly RunEventBody[],
): Decision<State> {
  return decide({ kind: 'continue' }, state, events);
}

export function decide<State extends Json>(
  verdict: Verdict,
  state: State,
  events?: readonly RunEventBody[],
): Decision<State> {
  return events === undefined ? { verdict, state } : { verdict, state, events };
}
