/** `$ARGUMENTS`, `$1` to `$9`, `${input:name}` and `${input:name:what it is}`. */
const PLACE =
  /\$ARGUMENTS\b|\$(?<number>[1-9])(?!\d)|\$\{input:(?<input>[\w-]+)(?::(?<said>[^}\n]{0,200}))?\}/gu;

/** A named argument of a command. */
export interface CommandInput {
  readonly name: string;
  /** In its writer's words; may be empty. */
  readonly said: string;
}

/** The named arguments of a command, each once. */
export function commandInputs(text: string): readonly CommandInput[] {
  const inputs = new Map<string, string>();
  for (const { groups } of text.matchAll(PLACE)) {
    const name = groups?.['input'];
    if (name !== undefined && !inputs.get(name)) inputs.set(name, groups?.['said'] ?? '');
  }
  return [...inputs].map(([name, said]) => ({ name, said }));
}

export function takesArguments(text: string): boolean {
  return text.search(PLACE) >= 0;
}

/** The words of a line; those in quotes are one. */
export function wordsOfLine(line: string): readonly string[] {
  return [...line.matchAll(/"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<plain>\S+)/gu)].map(
    ({ groups }) => groups?.['double'] ?? groups?.['single'] ?? groups?.['plain'] ?? '',
  );
}

/**
 * A command's text with its arguments. Arguments are put in once, and not looked into; where the text has no place for
 * them they follow it.
 * @param line what was written behind the command's name
 * @param named values of its named arguments
 */
export function fillCommand(
  text: string,
  line: string,
  named: Readonly<Record<string, string>>,
): string {
  if (!takesArguments(text)) return line === '' ? text : `${text}\n\n${line}`;
  const words = wordsOfLine(line);
  return text.replaceAll(PLACE, (whole, ...rest: unknown[]) => {
    const { number, input } = rest.at(-1) as { readonly number?: string; readonly input?: string };
    if (input !== undefined) return Object.hasOwn(named, input) ? (named[input] ?? '') : whole;
    return number === undefined ? line : (words[Number(number) - 1] ?? '');
  });
}
