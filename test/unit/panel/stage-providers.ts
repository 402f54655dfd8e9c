import type { PanelProviders } from '../../../src/panel/services.ts';

/** Providers of models; what is done there is written down. */
export function stageProviders(stage: { readonly calls: string[] }): PanelProviders {
  return {
    act: async (action, provider) => void stage.calls.push(`${action} ${provider ?? ''}`.trim()),
    chosen: async () => undefined,
    favour: async (id, on) => void stage.calls.push(`favor ${id} ${String(on)}`),
  };
}
