/**
 * Permission modes, from the strictest to the mildest. They say when a person is asked; levels (A5)
 * say which tools there are at all.
 */
export const MODES = ['read', 'plan', 'ask', 'edit', 'auto'] as const;

/**
 * `read`: reads and searches. `plan`: the same, and ends with a plan. `ask`: asks before every edit and
 * command. `edit`: edits in the workspace without a question. `auto`: rules decide, also those that
 * name a whole tool; what neither a rule nor a guard knows is asked.
 */
export type Mode = (typeof MODES)[number];

/** Names of earlier versions. Nothing became milder: `all` asked nothing, `auto` asks what it does not know. */
export const RENAMED_MODES: Readonly<Record<string, Mode>> = { edits: 'edit', all: 'auto' };

/** A mode as it was stored, by its present name; `undefined` when there is no such mode. */
export function modeFrom(stored: unknown): Mode | undefined {
  if (typeof stored !== 'string') return undefined;
  return MODES.find((mode) => mode === stored) ?? ownValue(RENAMED_MODES, stored);
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
