import * as z from 'zod/mini';
import type { Mention } from '../domain/mention.ts';

/** Characters of what is typed behind `@` or `/` that are looked at. */
const QUERY = 4000;

const text = (most: number) => z.string().check(z.maxLength(most));

export const mention = z.strictObject({
  source: text(50).check(z.minLength(1)),
  ref: text(4200),
  label: text(300).check(z.minLength(1)),
  detail: text(4200),
  icon: text(50),
  tokens: z.nullable(z.int().check(z.minimum(0))),
});

/** Mentions and paths of one request. */
const MOST = 20;
export const mentions = z.readonly(z.array(mention).check(z.maxLength(MOST)));

/** The input's requests. */
export const inputRequests = {
  /** Ends the search before it. `rest`: waits for the slow sources, too. */
  complete: z.strictObject({
    trigger: z.enum(['@', '/']),
    query: text(QUERY),
    rest: z.boolean(),
  }),
  /** Asks for the tokens of mentions. */
  weighMentions: z.strictObject({ mentions }),
  openMention: z.strictObject({ mention }),
  /** Files that were dropped or pasted: addresses or paths, and code as it was copied. */
  locateFiles: z.strictObject({
    files: z.array(text(4200)).check(z.maxLength(MOST)),
    /** Code that was pasted; it becomes a mention where it was copied from. */
    code: z.nullable(text(1_000_000)),
  }),
  /** The text that a command of a server or of the person's own stands for. */
  fillCommand: z.strictObject({ ref: text(QUERY) }),
} as const;

/** One row of the list. */
export interface CompletionRow {
  readonly label: string;
  /** One line of explanation. */
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly does: CompletionAction;
}

/** The effect of a row that is chosen. */
export type CompletionAction =
  | { readonly kind: 'mention'; readonly mention: Mention }
  /** Goes on typing: this stands in the place of what was typed, its trigger included. */
  | { readonly kind: 'insert'; readonly text: string }
  /** The command's text comes into the input. */
  | { readonly kind: 'fill'; readonly ref: string }
  /** Nothing can be chosen yet; `label` and `detail` say what is missing. */
  | { readonly kind: 'hint' };

export interface CompletionsView {
  readonly rows: readonly CompletionRow[];
  /** Some sources have not answered yet. */
  readonly more: boolean;
}

/** Answers of the input's requests. */
export interface InputResults {
  readonly complete: CompletionsView;
  readonly weighMentions: { readonly tokens: readonly (number | null)[] };
  readonly locateFiles: { readonly mentions: readonly Mention[] };
}
