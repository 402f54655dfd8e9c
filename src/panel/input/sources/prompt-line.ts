/** An argument of a command as it is typed: `city=London`, `text="two words"`. */
export interface TypedLine {
  readonly name: string;
  readonly given: Readonly<Record<string, string>>;
  /** The last word: a part of a name, or of a value with its argument. */
  readonly last: { readonly argument: string | undefined; readonly text: string };
  /** The line before that. */
  readonly before: string;
}

const WORD =
  /(?<name>[^\s="]+)(?:=(?:"(?<quoted>[^"]*)(?<closed>")?|(?<plain>[^\s"]*)))?(?<blank>\s*)/gu;

interface Word {
  readonly name: string;
  /** `undefined`: there is no `=` yet. */
  readonly value: string | undefined;
  /** It may be typed on: nothing closes it. */
  readonly isOpen: boolean;
  readonly from: number;
  readonly to: number;
}

/** Reads a command line behind `/`; `undefined`: it has no blank yet. */
export function readLine(query: string): TypedLine | undefined {
  const [, name, rest] = /^(\S+)\s(.*)$/su.exec(query) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const words = [...rest.matchAll(WORD)].map(wordOf);
  const given = Object.fromEntries(
    words.flatMap(({ name: word, value = '' }) => (value === '' ? [] : [[word, value]])),
  );
  const end = words.at(-1);
  const open = end?.isOpen === true && end.to === rest.length ? end : undefined;
  const before = `${name} ${rest.slice(0, open?.from ?? rest.length)}`;
  const argument = open?.value === undefined ? undefined : open.name;
  return {
    name,
    given,
    last: { argument, text: open?.value ?? open?.name ?? '' },
    before: before.endsWith(' ') ? before : `${before} `,
  };
}

function wordOf(found: RegExpExecArray): Word {
  const { name = '', quoted, closed, plain, blank } = found.groups ?? {};
  const inQuotes = quoted !== undefined;
  return {
    name,
    value: quoted ?? plain,
    isOpen: inQuotes ? closed === undefined : blank === '',
    from: found.index,
    to: found.index + found[0].length,
  };
}

/** An argument as it is typed. */
export function argumentText(name: string, value: string): string {
  const plain = value.replaceAll('"', "'");
  return /[\s"]/u.test(value) || value === '' ? `${name}="${plain}"` : `${name}=${plain}`;
}
