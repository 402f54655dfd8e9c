import { told } from '../../../domain/text/told.ts';
import { type Failure, tells } from '../../../domain/failure.ts';
import { variableOf } from '../../instance.ts';
import type { ProviderInstance } from '../../instance.ts';
import { hostOf } from '../address.ts';

/** Nothing is sent for an instance without the key it should have. `lost`: it had one. */
export function missingKey({ name, baseUrl, key }: ProviderInstance, lost: boolean): Failure {
  const variable = variableOf(key);
  const what =
    variable !== undefined
      ? told`The variable ${variable} of the environment, which is to hold the API key for ${name} (${hostOf(baseUrl)}), is empty or absent.`
      : lost
        ? told`The API key for ${name} (${hostOf(baseUrl)}) is gone, and nothing was sent there without it.`
        : told`There is no API key for ${name} (${hostOf(baseUrl)}) yet.`;
  return {
    code: 'auth',
    ...tells(
      what,
      told`Everything so far is kept: set one with “Belay: Set API Key”, or choose another model with “Belay: Choose Model”.`,
    ),
  };
}
