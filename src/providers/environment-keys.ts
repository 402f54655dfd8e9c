import { variableOf } from './instance.ts';
import type { ProviderInstance } from './instance.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that a host without a secret storage reads the key of an instance from, the first that is set. */
export function variablesOf({ id, key, keyVariables = [] }: ProviderInstance): readonly string[] {
  if (key === undefined || 'own' in key) return [];
  const named = variableOf(key);
  if (named !== undefined) return [named];
  return [`BELAY_KEY_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, ...keyVariables];
}

/** The value of a variable; empty or blank counts as unset. */
export const variable = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

/** The key of an instance in the environment of a host without a secret storage. */
export const environmentKeyOf = (
  instance: ProviderInstance,
  environment: Environment,
): string | undefined =>
  variablesOf(instance)
    .map((name) => variable(environment, name))
    .find((key) => key !== undefined);
