import type { Part } from '../../../domain/message.ts';
import type { ReplayOwner } from '../../../domain/models/replay.ts';
import type { Shown } from '../../http/answer/shown-events.ts';
import { toolInput } from '../../http/answer/tool-input.ts';
import { textOr } from '../../http/fields.ts';
import { thinkingIn } from './wire-event.ts';
import type { WireContent, WireDelta } from './wire-event.ts';

/** A content block while it arrives. Pieces are joined once, when it is complete. */
export interface OpenBlock {
  stopped: boolean;
  /** The part that the start event already held. */
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
  owner: ReplayOwner,
): OpenBlock | undefined {
  switch (content.type) {
    case 'text':
      return new TextBlock(textOr(content.text));
    case 'thinking':
      return new ThinkingBlock(textOr(content.thinking), textOr(content.signature), owner);
    case 'redacted_thinking':
      return new RedactedBlock(textOr(content.data), owner);
    case 'tool_use':
      return new ToolUseBlock(callId(textOr(content.id)), textOr(content.name), content.input);
    default: {
      const named = /reasoning|thinking|thought/i.test(textOr(content.type));
      const text = thinkingIn(content) || (named ? textOr(content.text) : '');
      return named || text !== '' ? new ThinkingBlock(text, '', owner) : undefined;
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
  readonly #owner: ReplayOwner;

  constructor(text: string, signature: string, owner: ReplayOwner) {
    this.#owner = owner;
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
    return text === '' && signature === ''
      ? undefined
      : { type: 'reasoning', text, replay: { ...this.#owner, data: { signature } } };
  }
}

class RedactedBlock implements OpenBlock {
  stopped = false;
  readonly opening = undefined;
  readonly #data: string;
  readonly #owner: ReplayOwner;

  constructor(data: string, owner: ReplayOwner) {
    this.#owner = owner;
    this.#data = data;
  }

  add(): undefined {
    return undefined;
  }

  part(): Part | undefined {
    if (this.#data === '') return undefined;
    return {
      type: 'reasoning',
      text: '',
      replay: { ...this.#owner, data: { redacted: this.#data } },
    };
  }
}

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
    const { input, invalid } = toolInput(this.#pieces.join(''), { whole: this.#whole, cut });
    return {
      type: 'tool_call',
      id: this.id,
      name: this.name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
    };
  }
}
