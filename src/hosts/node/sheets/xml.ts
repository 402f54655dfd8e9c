/** A tag, and the text between it and the next one. */
export interface Tag {
  /** Without its prefix: `row` of `<x:row>`. */
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly text: string;
  /** The value of an attribute by its name without prefix. */
  readonly attribute: (name: string) => string | undefined;
}

/**
 * The tags of a document in their order, in one pass. Declarations are passed over: no entity but the five of XML and
 * numbers is ever resolved, so nothing grows and nothing is fetched.
 */
export function* tagsOf(xml: string): Generator<Tag> {
  let at = xml.indexOf('<');
  while (at !== -1) {
    const end = endOf(xml, at);
    if (end === -1) return;
    const next = xml.indexOf('<', end);
    const inside = xml.slice(at + 1, end - 1);
    if (!inside.startsWith('!') && !inside.startsWith('?'))
      yield tagOf(inside, xml.slice(end, next === -1 ? xml.length : next));
    else if (inside.startsWith('![CDATA['))
      yield { name: '', kind: 'empty', text: inside.slice(8, -2), attribute: () => undefined };
    at = next;
  }
}

/** Behind the `>` of what begins at `at`; -1: it does not end. */
function endOf(xml: string, at: number): number {
  if (xml.startsWith('<!--', at)) return behind(xml, '-->', at);
  if (xml.startsWith('<![CDATA[', at)) return behind(xml, ']]>', at);
  let quote = '';
  for (let index = at + 1; index < xml.length; index += 1) {
    const character = xml[index] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index + 1;
  }
  return -1;
}

function behind(xml: string, mark: string, at: number): number {
  const found = xml.indexOf(mark, at);
  return found === -1 ? -1 : found + mark.length;
}

function tagOf(inside: string, text: string): Tag {
  const closes = inside.startsWith('/');
  const isEmpty = inside.endsWith('/');
  const name = /^\/?(?:[^\s:/]*:)?(?<name>[^\s/]*)/u.exec(inside)?.groups?.['name'] ?? '';
  return {
    name,
    kind: closes ? 'close' : isEmpty ? 'empty' : 'open',
    text: resolved(text),
    attribute: (wanted) => {
      for (const { groups } of inside.matchAll(
        /\s(?:[^\s:="']*:)?(?<key>[^\s:="']+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gu,
      ))
        if (groups?.['key'] === wanted) return resolved(groups['double'] ?? groups['single'] ?? '');
      return undefined;
    },
  };
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>\w{1,8}));/giu,
    (whole, ...rest) => {
      const {
        decimal,
        hex,
        name = '',
      } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      if (decimal === undefined && hex === undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
