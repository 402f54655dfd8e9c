import { variable } from '../../providers/environment-keys.ts';
import type { HostTools } from '../engine-host.ts';

/** Keys of services that search the web, from BELAY_KEY_BRAVE and BELAY_KEY_TAVILY. */
export function environmentSearch(
  environment: Readonly<Record<string, string | undefined>>,
): NonNullable<HostTools['webSearch']> {
  return {
    key: async (service) =>
      Promise.resolve(variable(environment, `BELAY_KEY_${service.toUpperCase()}`)),
  };
}
