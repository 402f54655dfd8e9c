import type { ResultContent } from '../../domain/message.ts';
import type { Mention } from '../../domain/mention.ts';
import type { Attachment } from '../../domain/session/session.ts';
import type { CompletionRow } from '../../protocol/completion-view.ts';

/** A row with its worth: of all sources the best ones come first. */
export interface ScoredRow extends CompletionRow {
  /** As `fuzzyScore` counts. */
  readonly score: number;
}

/** Where the rows of the input's list come from, behind `@` or at `/`. Methods may reject with `BelayError`. */
export interface InputSource {
  /** Mentions carry it. */
  readonly id: string;
  readonly trigger: '@' | '/';
  /** Its rows are listed only when its kind was chosen. */
  readonly isOnlyByKind?: true;
  /**
   * @param query the text after the trigger; empty: nothing yet
   * @param byKind only this source is searched: `@session:` lists all of its things
   */
  search(query: string, signal: AbortSignal, byKind?: boolean): Promise<readonly ScoredRow[]>;
}

/** A source of mentions. */
export interface MentionSource extends InputSource {
  readonly trigger: '@';
  /** Its content says where it is from: the person did not mention it. */
  readonly isGiven?: true;
  /** The content that the model gets, as it is now. */
  take(ref: string, sessionId: string): Promise<readonly ResultContent[]>;
  /** About how many tokens that is; `null`: that is known when it is sent. */
  weigh(ref: string): Promise<number | null>;
  /** Shows it to the person. Absent: there is nothing to show. */
  open?(ref: string): Promise<void>;
}

/** A source of commands whose text comes into the input. */
export interface CommandSource extends InputSource {
  readonly trigger: '/';
  /** `ref` as in the row; `undefined`: it belongs to another source. */
  fill(ref: string): Promise<FilledCommand | undefined>;
}

export interface FilledCommand {
  readonly text: string;
  readonly attachments: readonly Omit<Attachment, 'taken'>[];
  /** Whose words these are. */
  readonly note: string;
}

/** Characters for each token, roughly. */
const CHARACTERS_PER_TOKEN = 4;

export const tokensOfCharacters = (characters: number): number =>
  Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** A row that mentions something. */
export function mentionRow(mention: Omit<Mention, 'tokens'>, score: number): ScoredRow {
  const { label, detail, icon } = mention;
  return {
    label,
    detail,
    icon,
    score,
    does: { kind: 'mention', mention: { ...mention, tokens: null } },
  };
}
