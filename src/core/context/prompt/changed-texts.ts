import { isJsonObject } from '../../../domain/data/json.ts';
import type { Values } from '../../ports/store/values.ts';
import { fingerprint } from '../fingerprint.ts';

const KEY = 'prompt/texts';

/** Texts of files in a system prompt, by names that are shown. */
export interface PromptTexts {
  readonly inForce: Readonly<Record<string, string>>;
  /** Names of those that are there, and for something else than what the person works on now. */
  readonly elsewhere: readonly string[];
}

/** Names of texts that a session's requests had otherwise before, or not at all; or have no more. */
export interface ChangedTexts {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** Compares with what the session had, and keeps what it has now: each change is told once. A new session has none. */
export async function changedTexts(
  values: Values,
  sessionId: string,
  { inForce, elsewhere }: PromptTexts,
): Promise<ChangedTexts> {
  const kept = await values.get(KEY, sessionId);
  const before = isJsonObject(kept) ? kept : undefined;
  const now = Object.fromEntries(
    Object.entries(inForce).map(([name, text]) => [name, fingerprint(text)]),
  );
  const waits = new Set(elsewhere);
  const names = Object.keys(before ?? {});
  const away = names.filter((name) => !Object.hasOwn(now, name));
  const after = {
    ...Object.fromEntries(
      away.filter((name) => waits.has(name)).map((name) => [name, before?.[name] ?? '']),
    ),
    ...now,
  };
  const changed = Object.keys(now).filter((name) => now[name] !== before?.[name]);
  const gone = away.filter((name) => !waits.has(name));
  if (changed.length > 0 || gone.length > 0) await values.set(KEY, after, sessionId);
  return before === undefined ? { changed: [], gone: [] } : { changed, gone };
}
