import type { InvalidInput, Part } from '../../../domain/message.ts';
import { type JsonObject, isJsonObject } from '../../../domain/json.ts';
import { tooMuchIn } from './input-size.ts';
import { wellFormed } from './well-formed.ts';
import { type WireContent, type WireDelta, textOr, thinkingIn } from './wire-event.ts';

export interface Shown {
  readonly kind: 'text' | 'reasoning' | 'tool_input';
  readonly text: string;
}

/** A content block while it arrives. Pieces are joined once, when it is complete. */
export interface OpenBlock {
  stopped: boolean;
  /** The start event's contents. */
  readonly opening: Shown | undefined;
  /** Takes a delta; gives what of it can be shown. */
  add(delta: WireDelta): Shown | undefined;
  /** The part, once nothing can follow. `undefined`: there is nothing to keep. `cut`: the answer ended at the output limit right here. */
  part(cut: boolean): Part | undefined;
}

/** Opens a block as its start event describes it; `undefined` for a kind that Belay does not know. */
export function openBlock(
  content: WireContent,
  callId: (wanted: string) => string,
): OpenBlock | undefined {
  switch (content.type) {
    case 'text':
      return new TextBlock(textOr(content.text));
    case 'thinking':
      return new ThinkingBlock(textOr(content.thinking), textOr(content.signature));
    case 'redacted_thinking':
      return new RedactedBlock(textOr(content.data));
    case 'tool_use':
      return new ToolUseBlock(callId(textOr(content.id)), textOr(content.name), content.input);
    default: {
      const named = /reasoning|thinking|thought/i.test(textOr(content.type));
      const text = thinkingIn(content) || (named ? textOr(content.text) : '');
      return named || text !== '' ? new ThinkingBlock(text, '') : undefined;
    }
  }
}

const shown = (kind: Shown['kind'], text: string): Shown | undefined =>
  text === '' ? undefined : { kind, text };

export class TextBlock implements OpenBlock {
  stopped = false;
  readonly opening: Shown | undefined;
  readonly #pieces: string[];

  constructor(text: string) {
    this.#pieces = [text];
    this.opening = shown('text', text);
  }

  add(delta: WireDelta): Shown | undefined {
    const text = textOr(delta.text);
    this.#pieces.push(text);
    return shown('text', text);
  }

  part(): Part | undefined {
    const text = this.#pieces.join('').toWellFormed();
    return text === '' ? undefined : { type: 'text', text };
  }
}

export class ThinkingBlock implements OpenBlock {
  stopped = false;
  readonly opening: Shown | undefined;
  readonly #pieces: string[];
  readonly #signature: string[];

  constructor(text: string, signature: string) {
    this.#pieces = [text];
    this.#signature = [signature];
    this.opening = shown('reasoning', text);
  }

  add(delta: WireDelta): Shown | undefined {
    this.#signature.push(textOr(delta.signature));
    const text = thinkingIn(delta) || textOr(delta.text);
    this.#pieces.push(text);
    return shown('reasoning', text);
  }

  /** Text and signature as they came, byte for byte: even empty text is kept when it is signed. */
  part(): Part | undefined {
    const text = this.#pieces.join('');
    const signature = this.#signature.join('');
    if (signature !== '') return { type: 'reasoning', text, signature };
    return text === '' ? undefined : { type: 'reasoning', text };
  }
}

class RedactedBlock implements OpenBlock {
  stopped = false;
  readonly opening = undefined;
  readonly #data: string;

  constructor(data: string) {
    this.#data = data;
  }

  add(): undefined {
    return undefined;
  }

  part(): Part | undefined {
    return this.#data === '' ? undefined : { type: 'reasoning', text: '', redacted: this.#data };
  }
}

/** Characters of an unusable input that are kept. */
const RAW_LIMIT = 2000;

export class ToolUseBlock implements OpenBlock {
  stopped = false;
  readonly opening = undefined;
  readonly id: string;
  readonly name: string;
  readonly #whole: unknown;
  readonly #pieces: string[] = [];

  constructor(id: string, name: string, whole: unknown) {
    this.id = id;
    this.name = name;
    this.#whole = whole;
  }

  add(delta: WireDelta): Shown | undefined {
    const text = textOr(delta.partial_json);
    this.#pieces.push(text);
    return shown('tool_input', text);
  }

  part(cut: boolean): Part {
    const { input, invalid } = this.#input(cut);
    return {
      type: 'tool_call',
      id: this.id,
      name: this.name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
    };
  }

  /** Parsed here and nowhere else, so that a large input costs its length once. */
  #input(cut: boolean): { input: JsonObject; invalid?: InvalidInput } {
    const raw = this.#pieces.join('');
    if (raw.trim() === '') {
      if (cut)
        return unusable(
          raw,
          'The answer reached its length limit before the input of this call was written.',
        );
      return { input: isJsonObject(this.#whole) ? wellFormed(this.#whole) : {} };
    }
    const problem = tooMuchIn(raw);
    if (problem !== undefined) return unusable(raw, problem);
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch (thrown) {
      if (cut) {
        return unusable(
          raw,
          'The answer reached its length limit within the input of this call. Split the work: write less in one call.',
        );
      }
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      return unusable(raw, `The input is not valid JSON: ${why}`);
    }
    if (!isJsonObject(value)) return unusable(raw, 'The input is not a JSON object.');
    return { input: wellFormed(value) };
  }
}

const unusable = (raw: string, problem: string): { input: JsonObject; invalid: InvalidInput } => ({
  input: {},
  invalid: { problem: problem.toWellFormed(), raw: raw.slice(0, RAW_LIMIT).toWellFormed() },
});
