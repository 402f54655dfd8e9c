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
