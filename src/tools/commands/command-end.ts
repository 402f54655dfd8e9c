import * as l10n from '@vscode/l10n';
import { maybeCount, maybeText } from '../face/fields.ts';

/** A command's end in a display; without an exit code when a signal ended it. */
export const ENDED = { exitCode: maybeCount, signal: maybeText };

/** "timed out", "SIGTERM", "exit code 1"; empty when it went well. */
export function endNote(end: {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut?: boolean;
}): string {
  const { exitCode = 0, signal = '', timedOut = false } = end;
  if (timedOut) return l10n.t('timed out');
  if (signal !== '') return signal;
  return exitCode === 0 ? '' : l10n.t('exit code {0}', exitCode);
}
