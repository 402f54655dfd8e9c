import type { ToolCallPart } from '../../domain/message.ts';
import { type Json, isJsonObject } from '../../domain/data/json.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { textOr } from '../http/fields.ts';
import { toolInput } from '../http/answer/tool-input.ts';

/** A tool call while it arrives. */
export class OpenCall {
  /** As the server named it; empty while it has not. */
  givenId: string;
  name = '';
  /** Our own id and place, once it is shown. */
  shown: { readonly id: string; readonly index: number } | undefined;
  readonly #pieces: string[] = [];
  #whole: unknown;
  #extra: unknown;

  constructor(givenId: string) {
    this.givenId = givenId;
  }

  /** Takes a delta; gives the text of its arguments. */
  add(delta: Readonly<Record<string, unknown>>): string {
    const call = isJsonObject(delta['function']) ? delta['function'] : {};
    if (this.name === '') this.name = textOr(call['name']);
    if (this.givenId === '') this.givenId = textOr(delta['id']);
    if (delta['extra_content'] !== undefined) this.#extra = delta['extra_content'];
    const given = call['arguments'];
    if (typeof given === 'string') {
      this.#pieces.push(given);
      return given;
    }
    if (isJsonObject(given)) this.#whole = given;
    return '';
  }

  /** Everything of the arguments so far. */
  get text(): string {
    return this.#pieces.join('');
  }

  /** True when nothing can be missing: another piece with a name is another call. */
  get isWhole(): boolean {
    if (this.#whole !== undefined) return true;
    const last = this.#pieces.findLast((piece) => piece.trim() !== '');
    return last?.trimEnd().endsWith('}') === true && isJson(this.text);
  }

  part(id: string, cut: boolean, owner: ReplayOwner): ToolCallPart {
    const { input, invalid } = toolInput(this.text, { whole: this.#whole, cut });
    return {
      type: 'tool_call',
      id,
      name: this.name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
      ...(this.#extra === undefined
        ? {}
        : { replay: { ...owner, data: { extra_content: this.#extra as Json } } }),
    };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
