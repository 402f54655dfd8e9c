import { told, type Told } from '../../../../domain/text/told.ts';
import { wordSet } from '../../../../domain/text/words.ts';
import type { ShellWord } from './shell-word.ts';

/** Bodies of loops that are gone through, all in all. */
const MOST_ROUNDS = 200;
/** Names that no shell gives a meaning of its own. */
const OWN_NAME = /^[a-z][a-z0-9_]*$/u;
/** Names that mean something to zsh, or may be set before and hold a password. */
const TAKEN = wordSet(
  'path cdpath fpath mailpath manpath module_path argv status pipestatus prompt http_proxy https_proxy ftp_proxy all_proxy no_proxy',
);

/** Variables whose values are known: those of loops, and those that `read` fills with a text. */
export class LoopVariables {
  readonly #known = new Map<string, ShellWord>();
  #rounds = 0;

  valueOf(name: string): ShellWord | undefined {
    return this.#known.get(name);
  }

  /** Begins a round of a loop, and gives what ends it; a text says why it is not understood. */
  begin(name: string, value: ShellWord): (() => void) | Told {
    this.#rounds += 1;
    if (this.#rounds > MOST_ROUNDS) return told`a long loop`;
    if (!OWN_NAME.test(name) || TAKEN.has(name) || this.#known.has(name))
      return told`a loop with a special variable`;
    this.#known.set(name, value);
    return () => this.#known.delete(name);
  }

  /** A command sets a variable: a text that nobody knows beforehand. */
  setBy([program, ...rest]: readonly ShellWord[]): Told | undefined {
    if (program?.value !== 'read') return undefined;
    for (const { value, glob, filled } of rest) {
      if (value === '-r') continue;
      const isTaken = this.#known.has(value) && this.#known.get(value)?.filled !== 'text';
      if (glob !== undefined || filled !== undefined || !OWN_NAME.test(value) || TAKEN.has(value))
        return told`a variable that is read`;
      if (isTaken) return told`a loop with a special variable`;
      this.#known.set(value, { text: value, value: 'x', filled: 'text' });
    }
    return undefined;
  }
}
