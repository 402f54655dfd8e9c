import * as l10n from '@vscode/l10n';
import { inWords } from '../../domain/text/told.ts';
import { isForSigning, UNSIGNED } from '../../providers/http/refusal/unserved-address.ts';

/** A problem of a key as typed; with `severity` `warning` it may be kept. */
export interface KeyProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Checks the form of a key of Anthropic before it is kept. Never put the key into the message. */
export function checkApiKey(typed: string): KeyProblem | undefined {
  const problem = checkKeyForm(typed);
  if (problem !== undefined || typed.trim().startsWith('sk-ant-')) return problem;
  return {
    severity: 'warning',
    message: l10n.t(
      'Keys of Anthropic begin with sk-ant-. Keep it only if your gateway gave it to you.',
    ),
  };
}

/** Checks the form of any key; what it finds is no warning. */
export function checkKeyForm(typed: string): KeyProblem | undefined {
  const key = typed.trim();
  if (key === '') return { severity: 'error', message: l10n.t('The key is empty.') };
  if (/\s/u.test(key))
    return { severity: 'error', message: l10n.t('The key has blanks inside; copy it again.') };
  // It goes into an HTTP header: visible ASCII only.
  if (!/^[\x21-\x7e]+$/u.test(key)) {
    return {
      severity: 'error',
      message: l10n.t('The key has characters that cannot be in a key; copy it again.'),
    };
  }
  if (isForSigning(key))
    return {
      severity: 'error',
      message: l10n.t('That is an access key of AWS: {0}.', inWords(UNSIGNED)),
    };
  if (key.length < 8) return { severity: 'error', message: l10n.t('The key is too short.') };
  return undefined;
}
