import type { ShellWord } from './shell-word.ts';

/**
 * The options of a program that are known to be harmless, as a text of words:
 * `-a` and `--all` take no value, `-n:` and `--lines:` take one, `-f@` takes a file that is read,
 * `--color?` may have a value attached (`--color=always`). What is not in the text is not known.
 */
export type OptionText = string;

interface OptionSpec {
  readonly value: 'none' | 'text' | 'file' | 'attached';
}

export interface ReadArguments {
  /** Every option as it is called, with its value. */
  readonly options: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly operands: readonly ShellWord[];
  /** Values of options that are files. */
  readonly files: readonly ShellWord[];
}

const parsed = new Map<OptionText, ReadonlyMap<string, OptionSpec>>();

function specsOf(text: OptionText): ReadonlyMap<string, OptionSpec> {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const kinds = { ':': 'text', '@': 'file', '?': 'attached' } as const;
  const specs = new Map<string, OptionSpec>();
  for (const word of text.split(/\s+/u).filter((one) => one !== '')) {
    const mark = word.at(-1) as keyof typeof kinds;
    const value = kinds[mark];
    specs.set(value === undefined ? word : word.slice(0, -1), { value: value ?? 'none' });
  }
  parsed.set(text, specs);
  return specs;
}

/**
 * Takes the arguments apart as GNU programs do: options anywhere before `--`, short ones in clusters.
 * A text says which one is not known.
 */
export function readArguments(
  text: OptionText,
  words: readonly ShellWord[],
  { numbers = false }: { readonly numbers?: boolean } = {},
): ReadArguments | string {
  const reader = new ArgumentReader(specsOf(text), words, numbers);
  return reader.read();
}

class ArgumentReader {
  readonly #specs: ReadonlyMap<string, OptionSpec>;
  readonly #rest: ShellWord[];
  readonly #numbers: boolean;
  readonly #options: { name: string; value?: ShellWord }[] = [];
  readonly #operands: ShellWord[] = [];
  readonly #files: ShellWord[] = [];

  constructor(
    specs: ReadonlyMap<string, OptionSpec>,
    words: readonly ShellWord[],
    numbers: boolean,
  ) {
    this.#specs = specs;
    this.#rest = [...words];
    this.#numbers = numbers;
  }

  read(): ReadArguments | string {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      const { value } = word;
      if (value === '--') {
        this.#operands.push(...this.#rest);
        break;
      }
      if (value === '-' || !value.startsWith('-')) {
        this.#operands.push(word);
        continue;
      }
      const problem = value.startsWith('--') ? this.#long(value) : this.#short(value);
      if (problem !== undefined) return problem;
    }
    return { options: this.#options, operands: this.#operands, files: this.#files };
  }

  #long(word: string): string | undefined {
    const at = word.indexOf('=');
    const name = at < 0 ? word : word.slice(0, at);
    const attached = at < 0 ? undefined : word.slice(at + 1);
    const spec = this.#specs.get(name);
    if (spec === undefined) return name;
    if (spec.value === 'none') return attached === undefined ? this.#add(name) : word;
    if (attached !== undefined) return this.#add(name, { text: attached, value: attached }, spec);
    if (spec.value === 'attached') return this.#add(name);
    return this.#withNext(name, spec);
  }

  #short(word: string): string | undefined {
    if (this.#numbers && /^-\d+$/u.test(word)) return undefined;
    for (let at = 1; at < word.length; at += 1) {
      const name = `-${word[at] ?? ''}`;
      const spec = this.#specs.get(name);
      if (spec === undefined) return word;
      if (spec.value === 'none') {
        this.#add(name);
        continue;
      }
      const rest = word.slice(at + 1);
      if (rest !== '') return this.#add(name, { text: rest, value: rest }, spec);
      return spec.value === 'attached' ? this.#add(name) : this.#withNext(name, spec);
    }
    return undefined;
  }

  #withNext(name: string, spec: OptionSpec): string | undefined {
    const next = this.#rest.shift();
    // A value that looks like an option is one to a program that takes this option otherwise.
    if (next === undefined || next.glob !== undefined || next.value.startsWith('-')) return name;
    return this.#add(name, next, spec);
  }

  #add(name: string, value?: ShellWord, spec?: OptionSpec): undefined {
    this.#options.push(value === undefined ? { name } : { name, value });
    if (spec?.value === 'file' && value !== undefined) this.#files.push(value);
  }
}
