import { isJsonObject } from '../../domain/data/json.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Part, ToolCallPart } from '../../domain/message.ts';
import type { Replay, ReplayOwner } from '../../domain/models/replay.ts';
import { textOr } from '../http/fields.ts';
import type { Shown } from '../http/answer/shown-events.ts';
import { toolInput, unusable } from '../http/answer/tool-input.ts';

/** An event or an item as it came: any field may be missing. */
export type Fields = Readonly<Record<string, unknown>>;

/** An item of an answer while it arrives. Pieces are joined once, when it is complete. */
export interface OpenItem {
  /** Its end was told: nothing can follow. */
  isDone: boolean;
  /** Takes an event about it; gives what of it can be shown. */
  add(event: Fields): Shown | undefined;
  /** Takes the whole item at its end; gives what of it was not shown yet. */
  end(item: Fields): Shown | undefined;
  /** The part; `undefined`: there is nothing to keep. `cut`: the answer ended at its length limit. */
  part(cut: boolean): Part | undefined;
}

/** Opens an item by its type; `undefined` for a kind that Belay does not know. */
export function openItem(
  item: Fields,
  callId: (wanted: string) => string,
  owner: ReplayOwner,
): OpenItem | undefined {
  switch (item['type']) {
    case 'message':
      return new MessageItem(owner);
    case 'reasoning':
      return new ReasoningItem(owner);
    case 'function_call':
      return new CallItem(callId(textOr(item['call_id'])), textOr(item['name']), owner);
    default:
      return undefined;
  }
}

/** The replay of a part for who gave it: the item's own fields, without those that the part has. */
function replayOf(
  item: Fields | undefined,
  owner: ReplayOwner,
  ...without: readonly string[]
): { readonly replay?: Replay } {
  if (item === undefined || textOr(item['id']) === '') return {};
  const kept = Object.entries(item).filter(([name]) => !without.includes(name));
  return { replay: { ...owner, data: Object.fromEntries(kept) as JsonObject } };
}

/** Texts of one type in a list of contents, with a blank line between two. */
function textsIn(list: unknown, type: string, field = 'text'): string {
  return (Array.isArray(list) ? (list as readonly unknown[]) : [])
    .filter((one) => isJsonObject(one) && one['type'] === type)
    .map((one) => textOr((one as Fields)[field]))
    .join(type === 'summary_text' ? '\n\n' : '');
}

export class MessageItem implements OpenItem {
  isDone = false;
  readonly #owner: ReplayOwner;
  readonly #pieces: string[] = [];
  readonly #refusal: string[] = [];
  #whole: Fields | undefined;

  constructor(owner: ReplayOwner) {
    this.#owner = owner;
  }

  /** The model's refusal in place of an answer; empty: it does not refuse. */
  get refusal(): string {
    return this.#refusal.join('') || textsIn(this.#whole?.['content'], 'refusal', 'refusal');
  }

  add({ type, delta }: Fields): Shown | undefined {
    const text = textOr(delta);
    if (type === 'response.refusal.delta') this.#refusal.push(text);
    if (type !== 'response.output_text.delta' || text === '') return undefined;
    this.#pieces.push(text);
    return { kind: 'text', text };
  }

  end(item: Fields): Shown | undefined {
    this.#whole = item;
    const text = textsIn(item['content'], 'output_text');
    if (this.#pieces.length > 0 || text === '') return undefined;
    this.#pieces.push(text);
    return { kind: 'text', text };
  }

  part(): Part | undefined {
    const text = this.#pieces.join('').toWellFormed();
    if (text === '') return undefined;
    return { type: 'text', text, ...replayOf(this.#whole, this.#owner, 'content') };
  }
}

export class ReasoningItem implements OpenItem {
  isDone = false;
  readonly #owner: ReplayOwner;
  readonly #pieces: string[] = [];
  #whole: Fields | undefined;

  constructor(owner: ReplayOwner) {
    this.#owner = owner;
  }

  add({ type, delta }: Fields): Shown | undefined {
    const isNext = type === 'response.reasoning_summary_part.added' && this.#pieces.length > 0;
    const text = isNext ? '\n\n' : textOr(delta);
    if (text === '') return undefined;
    this.#pieces.push(text);
    return { kind: 'reasoning', text };
  }

  end(item: Fields): Shown | undefined {
    this.#whole = item;
    const { summary, content } = item;
    const text = textsIn(summary, 'summary_text') || textsIn(content, 'reasoning_text');
    if (this.#pieces.length > 0 || text === '') return undefined;
    this.#pieces.push(text);
    return { kind: 'reasoning', text };
  }

  /** Azure encrypts only in the answer's last event. */
  complete(item: Fields): void {
    if (this.#whole === undefined || !isReplayable(this.#whole)) this.#whole = item;
  }

  /** The whole item goes back, byte for byte: with what is encrypted in it, or its plain content. */
  part(): Part | undefined {
    const text = this.#pieces.join('');
    const whole = this.#whole;
    if (whole !== undefined && isReplayable(whole))
      return { type: 'reasoning', text, replay: { ...this.#owner, data: whole as JsonObject } };
    return text === '' ? undefined : { type: 'reasoning', text };
  }
}

/** False where the server would look for the item among those that it has stored, which are none. */
const isReplayable = ({ encrypted_content: secret, content, status }: Fields): boolean =>
  status !== 'incomplete' &&
  (textOr(secret) !== '' || (Array.isArray(content) && content.length > 0));

export class CallItem implements OpenItem {
  isDone = false;
  readonly id: string;
  readonly name: string;
  readonly #owner: ReplayOwner;
  readonly #pieces: string[] = [];
  #whole: Fields | undefined;

  constructor(id: string, name: string, owner: ReplayOwner) {
    this.id = id;
    this.name = name;
    this.#owner = owner;
  }

  add({ type, delta }: Fields): Shown | undefined {
    const text = textOr(delta);
    if (type !== 'response.function_call_arguments.delta' || text === '') return undefined;
    this.#pieces.push(text);
    return { kind: 'tool_input', text };
  }

  end(item: Fields): Shown | undefined {
    this.#whole = item;
    const text = textOr(item['arguments']);
    return this.#pieces.length > 0 || text === '' ? undefined : { kind: 'tool_input', text };
  }

  part(cut: boolean): ToolCallPart {
    const given = this.#whole?.['arguments'];
    const raw = textOr(given) || this.#pieces.join('');
    const isWhole = this.isDone && this.#whole?.['status'] !== 'incomplete';
    const { input, invalid } = isWhole
      ? toolInput(raw, { whole: given, cut })
      : unusable(
          raw,
          'The answer reached its length limit within the input of this call. Split the work: write less in one call.',
        );
    return {
      type: 'tool_call',
      id: this.id,
      name: this.name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
      ...replayOf(this.#whole, this.#owner, 'arguments', 'name', 'call_id'),
    };
  }
}
