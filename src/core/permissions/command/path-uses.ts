import { isTold, told, type Told } from '../../../domain/text/told.ts';
import { isAbsolutePath, normalizePath, parentOf } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { changedBelow } from './changed-below.ts';
import type { PathUse } from './finding.ts';
import { expandGlob } from './shell/expand-glob.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import { searchBelow } from './search-below.ts';
import type { ShellWord } from './shell/shell-word.ts';
import { isStandardStream } from './standard-streams.ts';

export interface Problem {
  readonly verdict: 'ask' | 'refuse';
  readonly reason: Told;
}

export interface JudgedUses {
  readonly problems: readonly Problem[];
  readonly paths: readonly JudgedPath[];
}

/** Judges the paths of a command, in each of the folders that it may be in. */
export class PathUses {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #keepsStreams: boolean;

  /** @param keepsStreams whether the names of the standard streams mean no other files; see `keepsStandardStreams` */
  constructor(parts: CommandJudgeParts, roots: readonly string[], keepsStreams: boolean) {
    this.#parts = parts;
    this.#roots = roots;
    this.#keepsStreams = keepsStreams;
  }

  /** True for a standard stream, which is as harmless as `/dev/null`. */
  isHarmlessStream(path: string, access: 'read' | 'write'): boolean {
    return this.#keepsStreams && isStandardStream(path, access);
  }

  async judge(uses: readonly PathUse[], folders: ReadonlySet<string>): Promise<JudgedUses> {
    const problems: Problem[] = [];
    const paths: JudgedPath[] = [];
    for (const use of uses) {
      const found = await this.#expanded(use.word, folders);
      if (isTold(found)) {
        problems.push({ verdict: 'ask', reason: found });
        continue;
      }
      const access = use.as === 'write' ? 'write' : 'read';
      for (const path of found) {
        if (this.isHarmlessStream(path, access)) continue;
        const judged = await this.#one(path, use, folders);
        paths.push(...judged.paths);
        problems.push(...judged.problems);
      }
    }
    return { problems, paths };
  }

  async #one(path: string, use: PathUse, folders: ReadonlySet<string>): Promise<JudgedUses> {
    const access = use.as === 'write' ? 'write' : 'read';
    const judged = await this.#parts.guard.judge({ path, access }, this.#roots);
    const problem = problemOfPath(judged, use.word.text);
    const because = (reason: Told | undefined): JudgedUses => ({
      problems: reason === undefined ? [] : [{ verdict: 'ask', reason }],
      paths: [judged],
    });
    switch (use.as) {
      case 'text': {
        // Only what is there could be read if it were taken for a file after all.
        if (problem === undefined || !(await this.#exists(judged.real)))
          return { problems: [], paths: [] };
        return because(told`${use.word.text} is the name of a file, too: ${problem.reason}`);
      }
      case 'names':
        return judged.place === 'secret' && judged.outside !== true
          ? because(undefined)
          : { problems: problem === undefined ? [] : [problem], paths: [judged] };
      case 'content':
        if (problem !== undefined) return { problems: [problem], paths: [judged] };
        if (use.below === undefined) return because(undefined);
        return because(await searchBelow(this.#parts, judged.real, use.below, this.#roots));
      case 'write':
        if (problem !== undefined) return { problems: [problem], paths: [judged] };
        return because(
          await changedBelow(
            {
              parts: this.#parts,
              roots: this.#roots,
              pathsOf: (word, places) => this.pathsOf(word, places),
            },
            use,
            { judged, folders },
          ),
        );
      default:
        return use.as satisfies never;
    }
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#parts.files.stat(path).catch(() => undefined)) !== undefined;
  }

  /** The files that a word stands for; a text says why they cannot be told. */
  async #expanded(
    word: ShellWord,
    folders: ReadonlySet<string>,
  ): Promise<readonly string[] | Told> {
    if (word.glob === undefined) return this.pathsOf(word, folders);
    const paths = new Set<string>();
    for (const folder of folders) {
      const matches = await expandGlob(this.#parts.files, word.glob, folder);
      if (matches === undefined) return told`${word.text} stands for too many files to look at`;
      // The shell leaves a pattern as it is where it finds nothing.
      for (const match of matches.length > 0 ? matches : [word.value]) {
        if (match.startsWith('-'))
          return told`${word.text} stands for ${match}, which is an option`;
        if (word.split === true && /[\s*?[\\]/u.test(match))
          return told`${word.text} stands for ${match}, which the shell takes apart`;
        paths.add(isAbsolutePath(match) ? match : `${folder}/${match}`);
      }
    }
    return [...paths];
  }

  /** Absolute paths that a word may mean, also as the system follows `..` behind a link. */
  async pathsOf({ value, home }: ShellWord, folders: ReadonlySet<string>): Promise<string[]> {
    const bases = home === true ? [this.#parts.home ?? ''] : [...folders];
    const rest = home === true ? value.slice(1) : value;
    const paths = new Set<string>();
    for (const base of bases) {
      // Without a known home folder it is judged as one outside of everything.
      const path = home === true || !isAbsolutePath(rest) ? `${base}/${rest}` : rest;
      paths.add(normalizePath(path));
      if (/(?:^|\/)\.\.(?:\/|$)/u.test(path)) paths.add(await this.#physical(path));
    }
    return [...paths];
  }

  async #physical(path: string): Promise<string> {
    let at = '/';
    for (const component of path.split('/')) {
      if (component === '' || component === '.') continue;
      if (component === '..') at = parentOf(await this.#parts.files.realpath(at));
      else at = at.endsWith('/') ? `${at}${component}` : `${at}/${component}`;
    }
    return at;
  }
}

export function problemOfPath({ place, real, why }: JudgedPath, text: string): Problem | undefined {
  const name = text === real ? text : `${text} (${real})`;
  switch (place) {
    case 'inside':
      return undefined;
    case 'outside':
      return { verdict: 'ask', reason: told`${name} lies outside the workspace` };
    case 'forbidden':
      return {
        verdict: 'refuse',
        reason: told`${name} may not be used: ${why ?? told`it is protected`}`,
      };
    case 'config':
    case 'secret':
      return { verdict: 'ask', reason: told`${name}: ${why ?? told`it is protected`}` };
    default:
      return place satisfies never;
  }
}
