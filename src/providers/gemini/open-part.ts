import type { Part, ToolCallPart } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { toolInput } from '../http/answer/tool-input.ts';
import type { SignedText } from './signed.ts';

/** Text or thinking while it arrives: pieces without a signature are one. */
export class OpenText {
  readonly place: number;
  readonly isThought: boolean;
  readonly #texts: string[] = [];
  readonly #pieces: [length: number, signature: string | null][] = [];

  constructor(place: number, isThought: boolean) {
    this.place = place;
    this.isThought = isThought;
  }

  add(text: string, signature: string): void {
    this.#texts.push(text);
    const last = this.#pieces.at(-1);
    if (signature !== '') this.#pieces.push([text.length, signature]);
    else if (last?.[1] === null) last[0] += text.length;
    else this.#pieces.push([text.length, null]);
  }

  /** The part; `undefined`: nothing was said. A signature without a word is kept as thinking without text. */
  part(owner: ReplayOwner): Part | undefined {
    const text = this.#texts.join('').toWellFormed();
    const isSigned = this.#pieces.some(([, signature]) => signature !== null);
    if (text === '' && !isSigned) return undefined;
    const data: SignedText = { thought: this.isThought, pieces: this.#pieces };
    return {
      type: this.isThought || text === '' ? 'reasoning' : 'text',
      text,
      ...(isSigned ? { replay: { ...owner, data } } : {}),
    };
  }
}

/** A call as it came: whole, in one piece. */
export class WholeCall {
  readonly place: number;
  readonly id: string;
  readonly name: string;
  readonly #args: unknown;
  readonly #signature: string;

  constructor(
    place: number,
    call: { readonly id: string; readonly name: string; readonly args: unknown },
    signature: string,
  ) {
    this.place = place;
    this.id = call.id;
    this.name = call.name;
    this.#args = call.args;
    this.#signature = signature;
  }

  /** The arguments as text, for people. */
  get text(): string {
    const args = this.#args ?? {};
    return typeof args === 'string' ? args : JSON.stringify(args);
  }

  /** It is marked as the model's own even without a signature: of calls at once only the first is signed. */
  part(owner: ReplayOwner): ToolCallPart {
    const { input, invalid } = toolInput(this.text, { whole: undefined, cut: false });
    const data = this.#signature === '' ? {} : { thoughtSignature: this.#signature };
    return {
      type: 'tool_call',
      id: this.id,
      name: this.name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
      replay: { ...owner, data },
    };
  }
}
