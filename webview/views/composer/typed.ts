/** The text that is being typed for the list: from its trigger to the caret. */
export interface Typed {
  readonly trigger: '@' | '/';
  /** Place of the trigger in the text. */
  readonly from: number;
  readonly to: number;
  /** The text behind the trigger. */
  readonly query: string;
}

/** The text at the caret, if it is for the list: `@` at the start of a word, `/` at the start of the message. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(?<query>[\p{L}\p{N}_.:-]*(?:[ \t][^\n]*)?)$/u.exec(before)?.groups?.[
    'query'
  ];
  // A path is no command.
  if (command !== undefined && !/^[\p{L}\p{N}_.:-]*\//u.test(text.slice(1)))
    return { trigger: '/', from: 0, to: caret, query: command };
  const query = /(?:^|[\s([{"'`,;])@(?<query>[^\s@]*)$/u.exec(before)?.groups?.['query'];
  if (query === undefined) return undefined;
  return { trigger: '@', from: caret - query.length - 1, to: caret, query };
}

/** Where a mention's `@label` stands in a text; `undefined`: it was typed over. */
export function placeOfLabel(
  text: string,
  label: string,
): { readonly from: number; readonly to: number } | undefined {
  const written = `@${label}`;
  for (let from = text.indexOf(written); from >= 0; from = text.indexOf(written, from + 1)) {
    const to = from + written.length;
    const isWord =
      (from === 0 || /\s|[([{"'`,;]/u.test(text[from - 1] ?? '')) && !/\w/u.test(text[to] ?? '');
    if (isWord) return { from, to };
  }
  return undefined;
}

/** A text without a mention's `@label`, and without the blank that it leaves. */
export function withoutLabel(text: string, label: string): string {
  const place = placeOfLabel(text, label);
  if (place === undefined) return text;
  const after = text.slice(place.to);
  const before = text.slice(0, place.from);
  const isBlank = after.startsWith(' ') && (before === '' || /\s$/u.test(before));
  return before + (isBlank ? after.slice(1) : after);
}
