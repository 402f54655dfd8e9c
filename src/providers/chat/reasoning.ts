import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { ReasoningPart } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { textOr } from '../http/fields.ts';

/** Fields that servers put thinking into, the most usual first; two of them often say the same. */
const FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** How thinking goes back: in the field it came in, and OpenRouter's details whole. */
export interface ReasoningReplay extends JsonObject {
  readonly field: string | null;
  readonly details: readonly Json[];
}

/** The thinking of one answer while it arrives. */
export class ReasoningPieces {
  #field: string | undefined;
  readonly #pieces: string[] = [];
  readonly #details: Record<string, unknown>[] = [];

  /** Takes a delta; gives what of it can be shown. */
  add(delta: Readonly<Record<string, unknown>>): string {
    const details = delta['reasoning_details'];
    const inDetails = Array.isArray(details)
      ? details.map((detail) => (isJsonObject(detail) ? this.#detail(detail) : '')).join('')
      : '';
    const text = this.#text(delta);
    // Some servers say the same in both.
    const shown = text === '' && this.#pieces.every((piece) => piece === '') ? inDetails : text;
    if (this.#field === undefined && shown === '') return '';
    this.#pieces.push(text);
    return shown;
  }

  /** The part; `undefined` when there was no thinking. An empty field counts where calls follow: some servers want it back. */
  part(owner: ReplayOwner, hasCalls: boolean): ReasoningPart | undefined {
    const said = this.#pieces.join('');
    const isThere =
      said !== '' || this.#details.length > 0 || (hasCalls && this.#field !== undefined);
    if (!isThere) return undefined;
    const text = said === '' ? this.#details.map(textOfDetail).join('') : said;
    const data: ReasoningReplay = {
      field: this.#field ?? null,
      details: this.#details as unknown as readonly Json[],
    };
    return { type: 'reasoning', text, replay: { ...owner, data } };
  }

  #text(delta: Readonly<Record<string, unknown>>): string {
    const filled = FIELDS.find((name) => textOr(delta[name]) !== '');
    const present = filled ?? FIELDS.find((name) => typeof delta[name] === 'string');
    if (this.#field === undefined || this.#pieces.every((piece) => piece === ''))
      this.#field = filled ?? this.#field ?? present;
    return this.#field === undefined ? '' : textOr(delta[this.#field]);
  }

  /** Pieces of one detail are joined; everything else of it stays as it came. */
  #detail(detail: Record<string, unknown>): string {
    const last = this.#details.findLast(
      (known) =>
        known['type'] === detail['type'] &&
        known['index'] === detail['index'] &&
        (detail['id'] === undefined || detail['id'] === null || known['id'] === detail['id']),
    );
    if (last === undefined || (detail['index'] === undefined && last !== this.#details.at(-1)))
      this.#details.push({ ...detail });
    else {
      for (const [name, value] of Object.entries(detail)) {
        if (value === null || value === undefined) continue;
        const before = last[name];
        const grows = JOINED.has(name) && typeof before === 'string' && typeof value === 'string';
        last[name] = grows ? before + value : value;
      }
    }
    return textOfDetail(detail);
  }
}

const JOINED: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

const textOfDetail = (detail: Readonly<Record<string, unknown>>): string =>
  textOr(detail['text']) || textOr(detail['summary']);
