import type { ModelInfo } from '../domain/model.ts';
import type { AppView, ModelRow } from '../protocol/snapshot.ts';
import type { PanelSetup } from './services.ts';

export function appView(setup: PanelSetup): AppView {
  return {
    hasKey: setup.hasKey(),
    lostKey: setup.lostKey?.() ?? null,
    serverProblems: setup.serverProblems?.() ?? [],
    trusted: setup.trusted(),
    hasWorkspace: setup.hasWorkspace(),
  };
}

export function modelRows(setup: PanelSetup): ModelRow[] {
  return setup.models().map((model) => ({
    id: model.id,
    name: model.name,
    provider: model.provider,
    contextWindow: model.contextWindow,
    thinking: model.thinking,
    source: setup.choice.sourceOf?.(model.id) ?? {
      name: '',
      kind: model.id === setup.choice.demo ? 'demo' : 'own',
    },
    price: priceOf(model),
  }));
}

function priceOf({ prices }: ModelInfo): string {
  if (prices === undefined) return '';
  const dollars = (amount: number): string => `$${Number(amount.toFixed(2))}`;
  if (prices.input === 0 && prices.output === 0) return 'free';
  return `${dollars(prices.input)} in · ${dollars(prices.output)} out per million tokens`;
}
