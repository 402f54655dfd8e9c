import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';

/** Words behind which stands the name of a script, or which are one; others (`install`, `exec`) run what nobody names. */
const RUN = new Set(['run', 'run-script', 'rum', 'urn']);
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  test: ['test'],
  t: ['test'],
  tst: ['test'],
  start: ['start'],
  stop: ['stop'],
  restart: ['restart', 'stop', 'start'],
};
/** Of these a bare word is a script, too. */
const BARE = new Set(['yarn', 'pnpm', 'bun']);

/** Programs that run scripts of package.json, wherever they stand in a text. */
const RUNNER =
  /(?:^|[^\w.-])(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|run-s|run-p|npm-run-all2?|concurrently|lerna|nx|turbo|wireit)(?![\w.-])|--run\b/u;

/** True for a text that may run scripts of package.json. */
export function runsScripts(text: string): boolean {
  return RUNNER.test(text);
}

/** The scripts that the words of a command run; `undefined`: any of them, as far as anybody can tell. */
export function scriptsNamed(words: readonly string[]): ReadonlySet<string> | undefined {
  const program = (words[0] ?? '').replace(/^.*\//u, '');
  const [verb, name] = words.slice(1).filter((word) => !word.startsWith('-'));
  if (verb === undefined || (program !== 'npm' && !BARE.has(program))) return undefined;
  if (RUN.has(verb)) return name === undefined ? undefined : new Set([name]);
  const known = Object.hasOwn(ALIASES, verb) ? ALIASES[verb] : undefined;
  return known === undefined ? undefined : new Set(known);
}

/** The scripts that are run with some of them: those before and after each, and those that they run in turn. */
export function reachedScripts(scripts: JsonObject, names: ReadonlySet<string>): JsonObject {
  const reached = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name) || !Object.hasOwn(scripts, name)) continue;
    reached.add(name);
    waiting.push(`pre${name}`, `post${name}`);
    const text = scripts[name];
    if (typeof text === 'string' && runsScripts(text)) waiting.push(...mentioned(text, scripts));
  }
  return Object.fromEntries(Object.entries(scripts).filter(([name]) => reached.has(name)));
}

/** Scripts that a text may mean; with a pattern or a variable in a name all that begin like it. */
function mentioned(text: string, scripts: JsonObject): readonly string[] {
  const words = text.split(/[\s"'`;&|()=]+/u).map((word) => word.replace(/^npm:/u, ''));
  const exact = new Set(words.flatMap((word) => [word, ...(ALIASES[word] ?? [])]));
  const starts = words.flatMap((word) => {
    const at = word.search(/[*?[{$!%]/u);
    return at === -1 ? [] : [word.slice(0, at)];
  });
  return Object.keys(scripts).filter(
    (name) => exact.has(name) || starts.some((start) => name.startsWith(start)),
  );
}

export function scriptsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
