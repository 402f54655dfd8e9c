import * as l10n from '@vscode/l10n';
import { FORGOTTEN_KEY } from '../../../domain/session/session-values.ts';
import type { Values } from '../../ports/store/values.ts';

/** The time (ms since the epoch) up to which changes of a session are not all known any more. */
export async function forgottenUntil(
  values: Pick<Values, 'get'>,
  sessionId: string,
): Promise<number | undefined> {
  const at = await values.get(FORGOTTEN_KEY, sessionId);
  return typeof at === 'number' ? at : undefined;
}

/** Told to whoever goes back to before that. @param date a moment as the person reads it */
export const forgottenLine = (until: number, date: (at: number) => string): string =>
  l10n.t(
    'What calls changed until {0} is not kept any more, at least in part (checkpoints.keepDays, checkpoints.maxSize): it is not taken back.',
    date(until),
  );
