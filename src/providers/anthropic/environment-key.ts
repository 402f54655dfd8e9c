export const KEY_VARIABLE = 'ANTHROPIC_API_KEY';

/** The key of an environment; an empty or blank variable counts as unset. */
export function environmentKey(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return environment[KEY_VARIABLE]?.trim() || undefined;
}
