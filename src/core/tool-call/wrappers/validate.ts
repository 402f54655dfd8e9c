import { told } from '../../../domain/text/told.ts';
import { rejectedOutcome } from '../result.ts';
import { toolOf } from './lookup.ts';
import type { WrapToolCall } from '../tool-call.ts';

/** Inside identity, outside the ledger: an input that does not fit is answered with what to change (B4). */
export function withValidation(): WrapToolCall {
  return (next) => async (request) => {
    const { part } = request;
    const checked = toolOf(request).check(part.input);
    if ('problem' in checked) {
      const said = told`The arguments of ${part.name} are not valid, so it was not run: ${checked.problem}`;
      return rejectedOutcome(part, 'wrong_arguments', said);
    }
    return next({ ...request, part: { ...part, input: checked.input } });
  };
}
