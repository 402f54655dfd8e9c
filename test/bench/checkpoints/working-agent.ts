import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { program, programLines, seeded } from './program-text.ts';

/** Bytes; what is larger is data, which nobody edits by hand. */
const LARGEST_SOURCE = 200_000;
/** Names of text files. */
const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css)$/u;

/** Changes files as an agent does; the same for the same seed and tree. */
export class WorkingAgent {
  readonly #root: string;
  readonly #random: () => number;
  readonly #files: string[];
  #made = 0;

  constructor(root: string, seed: number) {
    this.#root = root;
    this.#random = seeded(seed);
    this.#files = sourcesBelow(root).toSorted();
  }

  /** Replaces one to three places of one to twenty lines in each of some files; gives back those. */
  edit(count: number): readonly string[] {
    const chosen = new Set<string>();
    while (chosen.size < Math.min(count, this.#files.length)) chosen.add(this.#pick());
    for (const file of chosen) this.#editOne(file);
    return [...chosen];
  }

  /**
   * Three files edited, one made, one deleted; every tenth turn one renamed.
   * @returns bytes of all files that are new or not what they were
   */
  turn(number: number): number {
    const edited = this.edit(3);
    const made = path.join(this.#root, `made-${number % 7}`, `file-${(this.#made += 1)}.ts`);
    mkdirSync(path.dirname(made), { recursive: true });
    writeFileSync(made, program(1_000_000 + number));
    this.#take(this.#pickBeside(edited), (file) => rmSync(file));
    if (number % 10 === 0) {
      this.#take(this.#pickBeside(edited), (file) => {
        const renamed = file.replace(/(\.\w+)$/u, `-renamed-${number}$1`);
        renameSync(file, renamed);
        this.#files.push(renamed);
      });
    }
    this.#files.push(made);
    return [...edited, made].reduce((sum, file) => sum + statSync(file).size, 0);
  }

  #take(file: string, how: (file: string) => void): void {
    this.#files.splice(this.#files.indexOf(file), 1);
    how(file);
  }

  #pick(): string {
    const file = this.#files[Math.floor(this.#random() * this.#files.length)];
    if (file === undefined) throw new Error(`There is no source file below ${this.#root}.`);
    return file;
  }

  #pickBeside(taken: readonly string[]): string {
    for (;;) {
      const file = this.#pick();
      if (!taken.includes(file)) return file;
    }
  }

  #editOne(file: string): void {
    const lines = readFileSync(file, 'utf8').split('\n');
    const upTo = (most: number): number => 1 + Math.floor(this.#random() * most);
    for (let places = upTo(3); places > 0; places -= 1) {
      const start = Math.floor(this.#random() * lines.length);
      lines.splice(start, upTo(20), ...programLines(upTo(20), this.#random));
    }
    writeFileSync(file, lines.join('\n'));
  }
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '.git' ? [] : sourcesBelow(at);
    return SOURCE.test(entry.name) && statSync(at).size <= LARGEST_SOURCE ? [at] : [];
  });
}
