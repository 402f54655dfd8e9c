import { priceWords } from '../domain/text/price-words.ts';
import type { AppView, ModelRow } from '../protocol/snapshot.ts';
import type { PanelSetup } from './services.ts';

export function appView(setup: PanelSetup): AppView {
  const { lost, offered } = setup.keyNews?.() ?? {};
  return {
    hasKey: setup.hasKey(),
    offeredKey: offered ?? null,
    lostKey: lost ?? null,
    serverProblems: setup.serverProblems?.() ?? [],
    trusted: setup.trusted(),
    hasWorkspace: setup.hasWorkspace(),
    personas: setup.choice.personas?.() ?? 0,
  };
}

export function modelRows(setup: PanelSetup): ModelRow[] {
  return setup.models().map((model) => ({
    id: model.id,
    name: model.name,
    provider: model.provider,
    contextWindow: model.contextWindow,
    thinking: model.thinking,
    vision: model.vision,
    ...(model.marks ?? {
      providerName: model.provider,
      ready: true,
      local: false,
      favorite: false,
      recent: null,
      source: { name: '', kind: model.id === setup.choice.demo ? 'demo' : 'own' },
    }),
    price: priceWords(model.prices),
  }));
}
