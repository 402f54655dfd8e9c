import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';

/** Handlers of the panel's requests about providers of models. */
export function providerHandlers({
  later: { providers },
}: PanelServices): Pick<RequestHandlers, 'providerAction' | 'favorModel'> {
  return {
    providerAction: async ({ action, provider }) => {
      await providers.act(action, provider);
      return null;
    },
    favorModel: async ({ model, on }) => {
      await providers.favour(model, on);
      return null;
    },
  };
}
