import { said } from '../text/language.ts';
/** Permission modes, strictest first: when to ask. Levels (A5) say which tools there are. */
export const MODES = ['read', 'plan', 'ask', 'edit', 'auto'] as const;

/**
 * `read`: reads and searches. `plan`: ends with a plan. `ask`: asks before every edit and command.
 * `edit`: edits in the workspace freely. `auto`: rules decide; what no rule or guard knows is
 * asked.
 */
export type Mode = (typeof MODES)[number];

/** The modes' names and explanations for people, in the order of `MODES`. */
export const MODE_WORDS: Readonly<Record<Mode, { readonly name: string; readonly does: string }>> =
  {
    read: { name: said('Read'), does: said('Reads and searches only.') },
    plan: {
      name: said('Plan'),
      does: said('Reads and searches, and ends with a plan that you can accept.'),
    },
    ask: {
      name: said('Ask'),
      does: said('Edits and commands need your approval.'),
    },
    edit: {
      name: said('Edit'),
      does: said(
        'Edits files directly, and you keep or undo each change. Commands need your approval.',
      ),
    },
    auto: {
      name: said('Auto'),
      does: said(
        'Your rules decide, also those for whole tools. Asks about what no rule decides and what is not known to be harmless.',
      ),
    },
  };

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
