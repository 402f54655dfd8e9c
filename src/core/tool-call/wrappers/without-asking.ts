import { tells } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { DecideCall } from '../../permissions/decide.ts';
import { failedOutcome } from '../result.ts';
import type { WrapToolCall } from '../tool-call.ts';
import { toolOf } from './lookup.ts';

/** Inside validation. For callers that the person is not asked for: what needs no question runs, the rest is refused. */
export function withoutAsking(decide: DecideCall): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    const decision = await decide(toolOf(request), request);
    const { judged } = decision;
    if (decision.verdict === 'allow') {
      const { readOnly } = decision;
      return next({ ...request, context: { ...context, judged, ...(readOnly && { readOnly }) } });
    }
    const why = decision.reasons ?? [
      told`The person would have to be asked, and is not asked for other agents.`,
    ];
    return failedOutcome(part, {
      code: 'permission',
      ...tells(told`${part.name} was not run.`, ...why),
    });
  };
}
