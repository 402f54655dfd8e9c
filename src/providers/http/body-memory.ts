import { lengthOf } from './bytes.ts';

/** Bytes of the largest memory that is kept for the next body. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/** A body as one piece, and what to call when its bytes are no longer read. */
export interface JoinedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly giveBack: () => void;
}

/**
 * Joins the pieces of bodies in memory that it uses again: a long session sends half a megabyte a turn, and new memory
 * costs more than the copy.
 */
export class BodyMemory {
  #spare: Uint8Array<ArrayBuffer> | undefined;

  join(pieces: readonly Uint8Array[]): JoinedBody {
    const length = lengthOf(pieces);
    const spare = this.#spare;
    const memory =
      spare !== undefined && spare.length >= length ? spare : new Uint8Array(2 * length);
    // A request at the same time takes another one.
    this.#spare = undefined;
    let at = 0;
    for (const piece of pieces) {
      memory.set(piece, at);
      at += piece.length;
    }
    return {
      bytes: memory.subarray(0, length),
      giveBack: () => {
        if (memory.length <= MAX_KEPT_BYTES && memory.length >= (this.#spare?.length ?? 0))
          this.#spare = memory;
      },
    };
  }
}
