import type { CenterHandlers } from '../../protocol/center/requests.ts';
import type { ProvidersView } from '../../protocol/provider-view.ts';
import type { PanelProviders } from '../services.ts';

/** The providers of models: state, key, check, edit, remove. */
export function modelsSection(
  providers: Pick<PanelProviders, 'act'> & { list(): Promise<ProvidersView> },
): Pick<CenterHandlers, 'readProviders' | 'providerAction'> {
  return {
    readProviders: async () => providers.list(),
    providerAction: async ({ action, provider }) => {
      await providers.act(action, provider);
      return null;
    },
  };
}
