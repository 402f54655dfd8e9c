import { fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { CommandServices } from '../services.ts';

/** A message that was clicked, instead of one from a list. */
export interface GivenMessage {
  readonly sessionId: string;
  readonly messageId: string;
}

/** The argument of a menu's command; `undefined` from the palette. */
export function givenMessage(given: unknown): GivenMessage | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { sessionId, messageId } = given as Partial<Record<keyof GivenMessage, unknown>>;
  return typeof sessionId === 'string' && typeof messageId === 'string'
    ? { sessionId, messageId }
    : undefined;
}

/** Throws `busy` before anything is looked at. */
export function refuseBusy({ engine }: CommandServices, sessionId: string): void {
  if (!engine.agent.runs.isBusy(sessionId)) return;
  const message = told`A run is on in this session. Stop it or wait until it is done; nothing was changed.`;
  throw fault('busy', message);
}
