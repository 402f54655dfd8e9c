import { createHash } from 'node:crypto';
import { tokensOf } from './tokens.ts';
import type { WireRequest } from './turn.ts';

/** A breakpoint finds entries at most this many blocks back, itself included. */
const LOOKBACK_BLOCKS = 20;

export interface PromptUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
}

interface Place {
  readonly hash: string;
  /** Tokens up to and including this block. */
  readonly tokens: number;
  readonly ttl: '5m' | '1h' | undefined;
}

/**
 * Prompt caching as the API documents it: the prefix is tools, then system, then messages; an entry
 * is written at every breakpoint; a breakpoint reads the longest entry at most 20 blocks before it;
 * a change of `tool_choice` or `thinking` spares tools and system only.
 */
export class PromptCache {
  readonly #expires = new Map<string, number>();
  readonly #minimumTokens: number;
  readonly #now: () => number;

  /** `minimumTokens`: shorter prefixes are not cached (0 in tests, 512 to 4,096 at the real API). */
  constructor(minimumTokens = 0, now: () => number = Date.now) {
    this.#minimumTokens = minimumTokens;
    this.#now = now;
  }

  /** Counts a request and remembers its prefixes. */
  use(request: WireRequest): PromptUsage {
    const places = placesOf(request);
    const total = places.at(-1)?.tokens ?? 0;
    const marks = places.flatMap((place, index) => (place.ttl === undefined ? [] : [index]));
    const readUntil = this.#longestHit(places, marks);
    const read = readUntil < 0 ? 0 : (places[readUntil]?.tokens ?? 0);
    const written = { '5m': 0, '1h': 0 };
    let covered = read;
    for (const mark of marks) {
      const place = places[mark];
      if (place?.ttl === undefined || place.tokens < this.#minimumTokens) continue;
      if (place.tokens > covered) {
        written[place.ttl] += place.tokens - covered;
        covered = place.tokens;
      }
      this.#expires.set(place.hash, this.#now() + (place.ttl === '1h' ? 3_600_000 : 300_000));
    }
    return {
      input_tokens: total - covered,
      cache_creation_input_tokens: covered - read,
      cache_read_input_tokens: read,
      cache_creation: {
        ephemeral_5m_input_tokens: written['5m'],
        ephemeral_1h_input_tokens: written['1h'],
      },
    };
  }

  #longestHit(places: readonly Place[], marks: readonly number[]): number {
    let longest = -1;
    for (const mark of marks) {
      for (let index = mark; index > longest && index > mark - LOOKBACK_BLOCKS; index -= 1) {
        const hash = places[index]?.hash;
        if (hash !== undefined && (this.#expires.get(hash) ?? 0) > this.#now()) longest = index;
      }
    }
    return longest;
  }
}

function placesOf(request: WireRequest): Place[] {
  const places: Place[] = [];
  let hash = request.model;
  let tokens = 0;
  const add = (block: unknown, kind: string): void => {
    const { cache_control: control, ...bare } = block as {
      cache_control?: { ttl?: '5m' | '1h' } | null;
    };
    const text = JSON.stringify(bare);
    hash = createHash('sha1').update(hash).update(kind).update(text).digest('base64');
    tokens += tokensOf(text);
    places.push({
      hash,
      tokens,
      ttl: control === undefined || control === null ? undefined : (control.ttl ?? '5m'),
    });
  };
  for (const tool of request.tools ?? []) add(tool, 'tool');
  const system =
    typeof request.system === 'string'
      ? [{ type: 'text', text: request.system }]
      : (request.system ?? []);
  for (const block of system) add(block, 'system');
  hash = `${hash} ${JSON.stringify([request.tool_choice ?? null, request.thinking ?? null])}`;
  for (const message of request.messages) {
    const content =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content;
    for (const block of content) add(block, message.role);
  }
  return places;
}
