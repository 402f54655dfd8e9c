import type { PanelProviders } from '../../../src/panel/services.ts';
import type { ProvidersView } from '../../../src/protocol/provider-view.ts';

/** The page of providers over a list in memory; what is done there is written down. */
export function stageProviders(stage: {
  readonly providers: ProvidersView;
  readonly calls: string[];
}): PanelProviders {
  return {
    list: async () => stage.providers,
    act: async (action, provider) => void stage.calls.push(`${action} ${provider ?? ''}`.trim()),
    chosen: async () => undefined,
    favour: async (id, on) => void stage.calls.push(`favor ${id} ${String(on)}`),
  };
}
