export type Piece =
  | { readonly kind: 'one'; readonly of: CharacterSet }
  /** Any number of them, none included. */
  | { readonly kind: 'many'; readonly of: CharacterSet }
  | { readonly kind: 'either'; readonly options: readonly (readonly Piece[])[] };

/** True for the characters of a set. */
export type CharacterSet = (code: number) => boolean;

/** `one` and `many` take a character; `go` leads to several places at once; `end` is the match. */
type Step =
  | { readonly kind: 'take'; readonly of: CharacterSet; readonly to: number }
  | { readonly kind: 'go'; readonly to: readonly number[] }
  | { readonly kind: 'end' };

/** The places in the pattern where the text so far may go on. */
interface State {
  readonly places: readonly number[];
  readonly isEnd: boolean;
  /** By ASCII character; what is not there was not looked at yet. */
  readonly ascii?: (State | undefined)[];
}

const ASCII = 128;
const SLASH = 47;

/** States that are kept; a pattern of a person has a dozen. Of one with more each is worked out anew each time. */
const MOST_STATES = 256;

/** Matches whole texts in at most pattern × text steps: every way is followed at once. */
export class Automaton {
  readonly #steps: Step[] = [];
  readonly #seen: Uint32Array;
  #round = 0;
  /** `undefined`: there are too many. */
  #states: Map<string, State> | undefined = new Map<string, State>();
  readonly #start: State;

  constructor(pieces: readonly Piece[]) {
    const first = this.#compiled(pieces, this.#add({ kind: 'end' }));
    this.#seen = new Uint32Array(this.#steps.length);
    this.#start = this.#stateOf([first]);
  }

  readonly matches = (text: string): boolean => this.#run(text).isEnd;

  /** The places of the slashes before which the text, cut off there, matches; in one go. */
  readonly matchesBefore = (text: string): readonly number[] => {
    const places: number[] = [];
    this.#run(text, (place) => places.push(place));
    return places;
  };

  #run(text: string, onSlash?: (at: number) => void): State {
    let state = this.#start;
    for (let at = 0; at < text.length; at += 1) {
      if (state.places.length === 0 && !state.isEnd) return state;
      const code = text.codePointAt(at) ?? 0;
      if (code === SLASH && state.isEnd) onSlash?.(at);
      if (code > 0xff_ff) at += 1;
      state = this.#after(state, code);
    }
    return state;
  }

  #after(state: State, code: number): State {
    const known = code < ASCII ? state.ascii?.[code] : undefined;
    if (known !== undefined) return known;
    const next: number[] = [];
    for (const place of state.places) {
      const step = this.#steps[place];
      if (step?.kind === 'take' && step.of(code)) next.push(step.to);
    }
    const after = this.#stateOf(next);
    if (code < ASCII && state.ascii !== undefined && this.#states !== undefined)
      state.ascii[code] = after;
    return after;
  }

  /** Of places, and of all that is reached from there without a character. */
  #stateOf(from: readonly number[]): State {
    this.#round += 1;
    const open = [...from];
    const places: number[] = [];
    let isEnd = false;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#seen[place] === this.#round) continue;
      this.#seen[place] = this.#round;
      const step = this.#steps[place];
      if (step?.kind === 'go') open.push(...step.to);
      else if (step?.kind === 'take') places.push(place);
      else isEnd = true;
    }
    return this.#states === undefined ? { places, isEnd } : this.#kept(this.#states, places, isEnd);
  }

  #kept(states: Map<string, State>, places: number[], isEnd: boolean): State {
    places.sort((left, right) => left - right);
    const key = `${places.join()}${isEnd ? '.' : ''}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: State = { places, isEnd, ascii: [] };
    states.set(key, state);
    if (states.size >= MOST_STATES) this.#states = undefined;
    return state;
  }

  /** @returns where the pieces begin; behind them it goes on at `next` */
  #compiled(pieces: readonly Piece[], next: number): number {
    let to = next;
    for (const piece of pieces.toReversed()) {
      if (piece.kind === 'one') to = this.#add({ kind: 'take', of: piece.of, to });
      else if (piece.kind === 'many') to = this.#loop(piece.of, to);
      else {
        const options = piece.options.map((option) => this.#compiled(option, to));
        to = this.#add({ kind: 'go', to: options });
      }
    }
    return to;
  }

  #loop(of: CharacterSet, next: number): number {
    const start = this.#steps.length + 1;
    this.#add({ kind: 'take', of, to: start });
    return this.#add({ kind: 'go', to: [next, start - 1] });
  }

  #add(step: Step): number {
    this.#steps.push(step);
    return this.#steps.length - 1;
  }
}
