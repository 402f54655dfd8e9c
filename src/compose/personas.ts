import {
  NOBODY,
  type PersonaInForce,
  type ToolLimits,
  limitsOf,
} from '../core/customizations/persona.ts';
import type { Sampling } from '../core/model-call/model-call.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import type { ModelNames } from '../providers/instance.ts';
import type { EngineHost } from './engine-host.ts';

interface Models {
  readonly catalog: Catalog;
  readonly names: ModelNames;
}

/** True for a model of the person's providers. */
export const knowsModel = ({ catalog }: Pick<Models, 'catalog'>, name: string): boolean =>
  catalog.models.some(({ id }) => id === name);

/**
 * The model of a persona. One of the workspace chooses among the models of the provider that the session uses already:
 * what the person writes goes to nobody else by its word.
 */
export function personaModel(
  { layers }: PersonaInForce,
  current: string,
  { names }: Pick<Models, 'names'>,
): string | undefined {
  const wanting = layers.filter(
    ({ source, model }) =>
      model !== '' &&
      (source !== 'workspace' ||
        names.addressOf(model).instance.id === names.addressOf(current).instance.id),
  );
  return wanting.at(-1)?.model;
}

/** Level ∩ modules: those of the persona, or without one what guests have (A16). */
export function toolLimits(
  { person, settings }: Pick<EngineHost, 'person' | 'settings'>,
  persona: PersonaInForce = NOBODY,
): ToolLimits | undefined {
  const limits = limitsOf(persona);
  if (limits !== undefined || person.level() !== 'guest') return limits;
  const modules = settings('identity.guestModules');
  return { allows: ({ module }) => modules.includes(module) };
}

/** The part of the settings that a persona may decide; the last one that says something wins. */
export function personaNumbers(
  settings: EngineHost['settings'],
  { layers }: PersonaInForce,
  most: number,
): { readonly sampling: Sampling; readonly maxOutputTokens?: number } {
  const [temperature, topP] = [settings('model.temperature'), settings('model.topP')];
  const sampling = {
    temperature:
      layers.findLast((one) => one.temperature !== undefined)?.temperature ?? temperature,
    topP: layers.findLast((one) => one.topP !== undefined)?.topP ?? topP,
  };
  const own = settings('model.maxOutputTokens');
  const caps = [...(own === 0 ? [] : [own]), ...layers.flatMap(({ maxTokens }) => maxTokens ?? [])];
  return {
    sampling: {
      ...(sampling.temperature < 0 ? {} : { temperature: sampling.temperature }),
      ...(sampling.topP < 0 ? {} : { topP: sampling.topP }),
    },
    ...(caps.length === 0
      ? {}
      : { maxOutputTokens: Math.min(...caps, ...(own === 0 ? [most] : [])) }),
  };
}
