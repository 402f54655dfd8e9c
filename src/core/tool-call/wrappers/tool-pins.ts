import type { ToolPins } from '../../permissions/network/egress-guard.ts';
import { toolOf } from './lookup.ts';
import type { WrapToolCall } from '../tool-call.ts';

/** Inside permission. Remembers what an allowed tool says of itself (security, rule 5). */
export function withToolPins(pins: ToolPins): WrapToolCall {
  return (next) => async (request) => {
    const { name, hash } = toolOf(request);
    if (hash !== undefined && pins.get(name) !== hash) pins.set(name, hash);
    return next(request);
  };
}
