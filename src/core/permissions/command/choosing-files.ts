import { isAbsolutePath, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { type Risk, createRisk } from '../risks.ts';
import type { ChoosingFile } from './finding.ts';
import type { CommandJudgeParts } from './judge-parts.ts';

/** Files with which version managers choose any program, by a path that the project names. */
const MANAGERS: readonly ChoosingFile[] = [
  { name: '.tool-versions', when: /(?:^|\s)path:/mu },
  { name: 'mise.toml', when: /path/u },
  { name: '.mise.toml', when: /path/u },
];
/** Larger files are treated as if they chose. */
const MAX_BYTES = 1_000_000;

/** Finds files of the project because of which a name stands for another program. */
export class ChoosingFiles {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #answers = new Map<string, Promise<boolean>>();

  constructor(parts: CommandJudgeParts, roots: readonly string[]) {
    this.#parts = parts;
    this.#roots = roots;
  }

  /** @param files the files that choose this program only */
  async find(
    program: string,
    files: readonly ChoosingFile[],
    folder: string,
  ): Promise<Risk | undefined> {
    const own = await this.#findOwnProgram(program, folder);
    if (own !== undefined) return createRisk('runs-file', own);
    for (let at = folder; ; at = resolvePath(at, '..')) {
      for (const file of [...MANAGERS, ...files]) {
        const path = `${at === '/' ? '' : at}/${file.name}`;
        if (await this.#chooses(path, file)) return createRisk('chosen-program', path);
      }
      if (at === '/' || resolvePath(at, '..') === at) return undefined;
    }
  }

  /** Returns the path of a program that the search path finds below the workspace. */
  async #findOwnProgram(program: string, folder: string): Promise<string | undefined> {
    for (const entry of this.#parts.searchPath ?? []) {
      const place = resolvePath(folder, entry);
      const isOwn = this.#roots.some((root) => pathBelow(root, place) !== undefined);
      if (!isOwn && isAbsolutePath(entry)) continue;
      const path = `${place}/${program}`;
      const stat = await this.#parts.files.stat(path).catch(() => undefined);
      if (stat?.type === 'file') return path;
    }
    return undefined;
  }

  #chooses(path: string, { when }: ChoosingFile): Promise<boolean> {
    const key = `${path}\0${when?.source ?? ''}`;
    const known = this.#answers.get(key) ?? this.#readChoice(path, when);
    this.#answers.set(key, known);
    return known;
  }

  async #readChoice(path: string, when: RegExp | undefined): Promise<boolean> {
    const { files } = this.#parts;
    if ((await files.stat(path).catch(() => undefined)) === undefined) return false;
    if (when === undefined) return true;
    const bytes = await files.read(path, MAX_BYTES).catch(() => undefined);
    return bytes === undefined || when.test(new TextDecoder().decode(bytes));
  }
}
