/** A secret that stands in the person's settings file, where it is readable and synchronized. */
import * as l10n from '@vscode/l10n';
export interface MisplacedKey {
  /** Of the setting, without `belay.`. */
  readonly key: string;
  readonly value: string;
  /** It is an API key of the provider: it can be moved to the secret storage and used. */
  readonly usable: boolean;
}

/** Settings that people and guides of other agents write keys into. None of them exists. */
const NAMES =
  /(?:^|[._-])(?:api[._-]?key|apikey|anthropic[._-]?(?:api[._-]?)?key|(?:auth|access|api)[._-]?token|token|secret|password|credentials?)$/iu;
/** Keys of providers, whatever setting they stand in. */
const FORM = /^sk-(?:ant|proj|or|svcacct)-\S{4,}$|^sk-\S{20,}$/u;

/**
 * Secrets among the settings of Belay (rule 9). `settings`: everything below `belay.` as one file has
 * it, nested or with dots; MCP definitions are left to their own reader.
 */
export function misplacedKeys(
  settings: Readonly<Record<string, unknown>>,
): readonly MisplacedKey[] {
  return flat(settings, '').flatMap(([key, value]): MisplacedKey[] => {
    // Keys of other providers are told by the readers of these settings; none is Anthropic's.
    if (/^(?:mcp|model\.providers)\./u.test(key) || value.trim() === '') return [];
    const usable = FORM.test(value.trim());
    const named = NAMES.test(key.replace(/([a-z])([A-Z])/gu, '$1.$2'));
    return usable || named ? [{ key, value: value.trim(), usable: usable || named }] : [];
  });
}

function flat(value: unknown, prefix: string): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    flat(inner, prefix === '' ? name : `${prefix}.${name}`),
  );
}

/** The parts that move a key; VS Code's in the product. */
export interface MovingParts {
  /** `false`: the person does not want it moved; they are not asked again in this window. */
  readonly ask: (key: string) => Promise<boolean>;
  /** Into the secret storage; rejects when it cannot be kept. */
  readonly store: (value: string) => Promise<void>;
  /** Takes the setting out of the file. */
  readonly remove: (key: string) => Promise<void>;
  /** A key is there already: the one in the file is only taken out. */
  readonly hasKey: () => Promise<boolean>;
  readonly told: (message: string) => void;
}

/**
 * Moves secrets out of the settings, one after the other, each with the person's yes: first it is kept,
 * then it leaves the file. Never logs a value.
 */
export async function moveKeys(found: readonly MisplacedKey[], parts: MovingParts): Promise<void> {
  for (const { key, value, usable } of found) {
    if (!(await parts.ask(key))) continue;
    const stored = usable && !(await parts.hasKey());
    if (stored) await parts.store(value);
    await parts.remove(key);
    parts.told(
      stored
        ? l10n.t(
            'The key in belay.{0} is in the secret storage of VS Code now, and no longer in the settings file. If that file was shared or synchronized, make a new key.',
            key,
          )
        : l10n.t(
            'belay.{0} was taken out of the settings file. If that file was shared or synchronized, make a new key.',
            key,
          ),
    );
  }
}
