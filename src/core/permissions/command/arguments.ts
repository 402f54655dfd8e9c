import { wordsOf } from '../../../domain/text/words.ts';
import type { ShellWord } from './shell/shell-word.ts';

/**
 * How a program takes its arguments apart.
 * `gnu`: getopt_long, options anywhere before `--`, short ones in clusters, values attached or behind.
 * `posix`: the same, but the first operand ends the options.
 * `alone`: flags in clusters; an option with a value stands by itself, its value behind it.
 * `words`: every option is a word of its own; options end at the first operand.
 */
export type ArgumentStyle = 'gnu' | 'posix' | 'alone' | 'words';

/**
 * Options that are known to be harmless, as a text of words. `-a`: a flag. `-n:`: with a value, attached
 * or behind it. `--n=`: with an attached value only. `--n?`: with an attached value or none. `--n*`: with
 * the next word, if there is one. `--arg::`: with the two next words. After the mark stands what the value
 * is: `number`, `char` (one character), `file`, `moment` (a time, `@1700000000`, too), or nothing for a text.
 */
export type OptionText = string;

type Arity = 'flag' | 'value' | 'attached' | 'optional' | 'next' | 'pair';
type ValueKind = 'text' | 'number' | 'char' | 'file' | 'moment';

export interface OptionSpec {
  readonly arity: Arity;
  readonly kind: ValueKind;
}

export interface ReadOption {
  readonly name: string;
  readonly value?: ShellWord;
}

export interface ReadArguments {
  /** Every option as it is called, with its value. */
  readonly options: readonly ReadOption[];
  readonly operands: readonly ShellWord[];
  /** Values of options that are files. */
  readonly files: readonly ShellWord[];
  /** Other values, and options behind an operand: some programs may take them for files. */
  readonly texts: readonly ShellWord[];
  /** A value stood in a word of its own before the first operand, which another program may take for one. */
  readonly shifted: boolean;
}

const ARITIES: Readonly<Record<string, Arity>> = {
  '': 'flag',
  ':': 'value',
  '=': 'attached',
  '?': 'optional',
  '*': 'next',
  '::': 'pair',
};
const OPTION =
  /^(?<name>-{1,2}[\w.#?@-]*?|-[^\w\s])(?:(?<mark>::|[:=?*])(?<kind>number|char|file|moment|))?$/u;
const NUMBER = /^[-+]?(?:0x[\da-f]+|\d+(?:\.\d+)?)[a-z%]{0,3}$/iu;
const CHAR = /^(?:|.|\\.)$/su;

/** The tables are constants: each is read once, not at each command that is judged. */
const parsed = new Map<OptionText, ReadonlyMap<string, OptionSpec>>();

export function optionSpecs(text: OptionText): ReadonlyMap<string, OptionSpec> {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const specs = new Map<string, OptionSpec>();
  for (const word of wordsOf(text)) {
    const { name = word, mark = '', kind = '' } = OPTION.exec(word)?.groups ?? {};
    const value = kind === '' ? 'text' : (kind as ValueKind);
    specs.set(name, { arity: ARITIES[mark] ?? 'flag', kind: value });
  }
  parsed.set(text, specs);
  return specs;
}

export interface ArgumentForm {
  readonly options: OptionText;
  /** Absent: `gnu`. */
  readonly style?: ArgumentStyle;
  /** `-20` is an option. */
  readonly numbers?: true;
}

/** Takes the arguments of a program apart. A text says which one does not fit what the program declares. */
export function readArguments(
  { options, style = 'gnu', numbers }: ArgumentForm,
  words: readonly ShellWord[],
): ReadArguments | string {
  return new ArgumentReader(optionSpecs(options), style, numbers === true, words).read();
}

class ArgumentReader {
  readonly #specs: ReadonlyMap<string, OptionSpec>;
  readonly #style: ArgumentStyle;
  readonly #numbers: boolean;
  readonly #rest: ShellWord[];
  readonly #options: ReadOption[] = [];
  readonly #operands: ShellWord[] = [];
  readonly #files: ShellWord[] = [];
  readonly #texts: ShellWord[] = [];
  #shifted = false;

  constructor(
    specs: ReadonlyMap<string, OptionSpec>,
    style: ArgumentStyle,
    numbers: boolean,
    words: readonly ShellWord[],
  ) {
    this.#specs = specs;
    this.#style = style;
    this.#numbers = numbers;
    this.#rest = [...words];
  }

  read(): ReadArguments | string {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      const { value } = word;
      if (value === '--' && word.patterns === undefined) {
        this.#operands.push(...this.#rest);
        break;
      }
      if (value === '-' || !value.startsWith('-')) {
        this.#operands.push(word);
        if (this.#style === 'gnu' || this.#style === 'alone') continue;
        this.#operands.push(...this.#rest);
        break;
      }
      // A word that the shell fills in may be another option, or one more.
      if (word.patterns !== undefined || word.exitCode !== undefined) return word.text;
      // Where the first operand ends the options, this is a file.
      if (this.#operands.length > 0) this.#texts.push(word);
      const problem = this.#option(word);
      if (problem !== undefined) return problem;
    }
    return {
      options: this.#options,
      operands: this.#operands,
      files: this.#files,
      texts: this.#texts,
      shifted: this.#shifted,
    };
  }

  #option({ value }: ShellWord): string | undefined {
    if (this.#numbers && /^-\d+$/u.test(value)) return undefined;
    if (this.#style === 'words') return this.#word(value);
    return value.startsWith('--') ? this.#long(value) : this.#short(value);
  }

  #word(word: string): string | undefined {
    const spec = this.#specs.get(word);
    if (spec !== undefined) return this.#whole(word, spec);
    const { name = '', number = '' } = /^(?<name>-\D+)(?<number>\d+)$/u.exec(word)?.groups ?? {};
    const attached = this.#specs.get(name);
    if (attached?.kind !== 'number') return word;
    return this.#add(name, attached, { text: number, value: number });
  }

  #long(word: string): string | undefined {
    const [name = '', ...values] = word.split('=');
    const spec = this.#specs.get(name);
    if (spec === undefined) return name;
    if (values.length === 0) return this.#whole(name, spec);
    if (spec.arity === 'flag' || spec.arity === 'pair') return word;
    const attached = values.join('=');
    return this.#add(name, spec, { text: attached, value: attached });
  }

  #short(word: string): string | undefined {
    for (let at = 1; at < word.length; at += 1) {
      const name = `-${word[at] ?? ''}`;
      const spec = this.#specs.get(name);
      if (spec === undefined) return word;
      const rest = word.slice(at + 1);
      if (spec.arity === 'flag') {
        this.#options.push({ name });
        continue;
      }
      if (rest === '') return at > 1 && this.#style === 'alone' ? word : this.#whole(name, spec);
      if (this.#style === 'alone' || spec.arity === 'pair') return word;
      return this.#add(name, spec, { text: rest, value: rest });
    }
    return undefined;
  }

  /** An option without an attached value. */
  #whole(name: string, spec: OptionSpec): string | undefined {
    switch (spec.arity) {
      case 'flag':
      case 'optional':
        this.#options.push({ name });
        return undefined;
      case 'attached':
        return name;
      case 'pair': {
        const problem = this.#withNext(name, spec);
        return problem ?? this.#withNext(name, spec);
      }
      case 'next':
        if (this.#rest.length > 0) return this.#withNext(name, spec);
        this.#options.push({ name });
        return undefined;
      case 'value':
        return this.#withNext(name, spec);
      default:
        return spec.arity satisfies never;
    }
  }

  #withNext(name: string, spec: OptionSpec): string | undefined {
    const next = this.#rest.shift();
    if (next === undefined || next.patterns !== undefined || next.exitCode !== undefined)
      return name;
    // A value that looks like an option is one to a program that takes this option otherwise.
    if (next.value.startsWith('-') && !(spec.kind === 'number' && NUMBER.test(next.value)))
      return name;
    if (this.#operands.length === 0) this.#shifted = true;
    return this.#add(name, spec, next);
  }

  #add(name: string, { kind }: OptionSpec, value: ShellWord): string | undefined {
    if (kind === 'number' && !NUMBER.test(value.value)) return `${name} ${value.text}`;
    if (kind === 'char' && !CHAR.test(value.value)) return `${name} ${value.text}`;
    const isMoment = kind === 'moment' && /^@-?\d+$/u.test(value.value);
    if (value.value.startsWith('@') && !isMoment) return `${name} ${value.text}`;
    this.#options.push({ name, value });
    if (kind === 'file') this.#files.push(value);
    if (kind === 'text' || kind === 'moment') this.#texts.push(value);
    return undefined;
  }
}
