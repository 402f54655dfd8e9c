/** A piece of an answer; `all_was_thinking`: all text before it was thinking. */
export type ThinkPiece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'all_was_thinking' };

/** A tag at the beginning of an answer. */
const FIRST = /^\s*<(\/?)(?:think(?:ing)?|thought)>/i;
const MAY_BE_FIRST = /^\s*(?:<\/?[a-z]{0,8})?$/i;
const OPENING = /<(?:think(?:ing)?|thought)>/i;
const CLOSING = /<\/(?:think(?:ing)?|thought)>[^\S\n]*/i;
const MAY_BE_CLOSING = /<(?:\/[a-z]{0,8})?$/i;

/**
 * Finds the thinking that local models write into their answers: `<think>` blocks at the beginning, or everything
 * the first closing tag if its opening tag was in the prompt. All other tags are part of the answer.
 */
export class ThinkTags {
  #state: 'beginning' | 'reasoning' | 'text' | 'plain' = 'beginning';
  /** Text that may be part of a tag. */
  #held = '';
  #hasBlocks = false;
  /** The white space at the beginning of a block is not shown. */
  #isBlockEmpty = false;
  readonly #text: string[] = [];

  /** Takes more of an answer, which may be split anywhere. `isEnd`: nothing is held back. */
  push(text: string, isEnd = false): readonly ThinkPiece[] {
    this.#held += text;
    const pieces: ThinkPiece[] = [];
    while (this.#advance(pieces, isEnd));
    return pieces;
  }

  /** Treats all that follows as text. */
  stop(): void {
    this.#state = 'plain';
  }

  /** Takes one step; `false`: the next one needs more text. */
  #advance(pieces: ThinkPiece[], isEnd: boolean): boolean {
    if (this.#state === 'beginning') return this.#begin(isEnd);
    const isPlain = this.#state === 'plain';
    const closing = isPlain ? null : CLOSING.exec(this.#held);
    const tail = closing ?? (isPlain || isEnd ? null : MAY_BE_CLOSING.exec(this.#held));
    this.#give(pieces, tail?.index ?? this.#held.length);
    if (closing === null) return false;
    const after = this.#held.slice(closing[0].length);
    if (after === '' && !isEnd) return false;
    if (this.#state === 'text') {
      if (isMention(this.#text.join(''), after)) {
        this.stop();
        return true;
      }
      pieces.push({ kind: 'all_was_thinking' });
    }
    this.#held = after;
    this.#hasBlocks = true;
    this.#state = 'beginning';
    return true;
  }

  #begin(isEnd: boolean): boolean {
    const first = FIRST.exec(this.#held);
    if (first === null) {
      if (!isEnd && MAY_BE_FIRST.test(this.#held)) return false;
      if (this.#hasBlocks) this.#held = this.#held.trimStart();
      this.#state = this.#hasBlocks ? 'plain' : 'text';
      return true;
    }
    this.#held = this.#held.slice(first[0].length);
    // A closing tag alone ends thinking that was skipped.
    if (first[1] === '') this.#state = 'reasoning';
    else this.#hasBlocks = true;
    this.#isBlockEmpty = true;
    return true;
  }

  /** Moves text from what is held to the pieces. */
  #give(pieces: ThinkPiece[], length: number): void {
    let text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const kind = this.#state === 'reasoning' ? 'reasoning' : 'text';
    if (kind === 'reasoning' && this.#isBlockEmpty) {
      text = text.trimStart();
      if (text !== '' && this.#hasBlocks) text = `\n\n${text}`;
      this.#isBlockEmpty = text === '';
    }
    if (this.#state === 'text') this.#text.push(text);
    if (text !== '') pieces.push({ kind, text });
  }
}

/** True when a closing tag between two texts is only mentioned: in code, in quotes, in a sentence, after an opening tag. */
function isMention(before: string, after: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const fences = before.match(/^[^\S\n]*(?:```|~~~)/gm)?.length ?? 0;
  const isInCode = fences % 2 === 1 || line.split('`').length % 2 === 0;
  const isInSentence = /(?:\S[^\S\n]|["'“‘«(])[^\S\n]*$/.test(line) && /^[^\n]/.test(after);
  return isInCode || isInSentence || OPENING.test(before);
}

/** An answer without the thinking in it. */
export function withoutThinking(answer: string): string {
  let text = '';
  for (const piece of new ThinkTags().push(answer, true))
    text = piece.kind === 'text' ? text + piece.text : piece.kind === 'reasoning' ? text : '';
  return text;
}
