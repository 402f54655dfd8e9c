import { isAbsolutePath, normalizePath, parentOf } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { type Risk, createRisk } from '../risks.ts';
import { findChangeProblem } from './changed-below.ts';
import type { PathUse } from './finding.ts';
import { expandGlob } from './shell/expand-glob.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import { type Problem, findPlaceProblem } from './place-problem.ts';
import { SecretScan } from './secret-scan.ts';
import type { ShellWord } from './shell/shell-word.ts';
import { isStandardStream } from './standard-streams.ts';

export interface JudgedUses {
  readonly problems: readonly Problem[];
  readonly paths: readonly JudgedPath[];
}

/** Files of the system outside the workspace that hold no secret. */
const PUBLIC_FILES = new Set(['/etc/os-release', '/usr/lib/os-release', '/etc/lsb-release']);

/** Judges the paths of a command. */
export class PathUses {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #keepsStreams: boolean;
  readonly #scan: SecretScan;

  /** @param keepsStreams whether the names of the standard streams mean no other files; see `keepsStandardStreams` */
  constructor(parts: CommandJudgeParts, roots: readonly string[], keepsStreams: boolean) {
    this.#parts = parts;
    this.#roots = roots;
    this.#keepsStreams = keepsStreams;
    this.#scan = new SecretScan(parts, roots);
  }

  /** True for a standard stream and for `/dev/null`. */
  isHarmlessStream(path: string, access: 'read' | 'write'): boolean {
    return path === '/dev/null' || (this.#keepsStreams && isStandardStream(path, access));
  }

  async judge(uses: readonly PathUse[], folder: string): Promise<JudgedUses> {
    const problems: Problem[] = [];
    const paths: JudgedPath[] = [];
    for (const use of uses) {
      const found = await this.#expand(use.word, folder);
      if ('code' in found) {
        problems.push({ verdict: 'ask', risk: found });
        continue;
      }
      const access = use.as === 'write' ? 'write' : 'read';
      for (const path of found) {
        // A file that is moved or copied is not only opened.
        const isOpened = use.below === undefined && use.fresh === undefined;
        if (isOpened && this.isHarmlessStream(path, access)) continue;
        const judged = await this.#judgeOne(path, use, folder);
        paths.push(...judged.paths);
        problems.push(...judged.problems);
      }
    }
    return { problems, paths };
  }

  async #judgeOne(path: string, use: PathUse, folder: string): Promise<JudgedUses> {
    const access = use.as === 'write' ? 'write' : 'read';
    const judged = await this.#parts.guard.judge({ path, access }, this.#roots);
    const problem = findPlaceProblem(judged, use.word.text);
    const because = (risk: Risk | undefined): JudgedUses => ({
      problems: risk === undefined ? [] : [{ verdict: 'ask', risk }],
      paths: [judged],
    });
    switch (use.as) {
      case 'text': {
        // Only what is there could be read if it were taken for a file after all.
        if (problem === undefined || !(await this.#exists(judged.real)))
          return { problems: [], paths: [] };
        return because(problem.risk);
      }
      case 'names':
        return judged.place === 'secret' && judged.outside !== true
          ? because(undefined)
          : { problems: problem === undefined ? [] : [problem], paths: [judged] };
      case 'content':
        if (judged.place === 'outside' && PUBLIC_FILES.has(judged.real)) return because(undefined);
        if (problem !== undefined) return { problems: [problem], paths: [judged] };
        if (use.below === undefined) return because(undefined);
        return because(await this.#scan.findProblem(judged.real, use.below));
      case 'write':
        if (problem !== undefined) return { problems: [problem], paths: [judged] };
        return because(
          await findChangeProblem(
            {
              parts: this.#parts,
              roots: this.#roots,
              scan: this.#scan,
              findPaths: (word) => this.findPaths(word, folder),
            },
            use,
            judged,
          ),
        );
      default:
        return use.as satisfies never;
    }
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#parts.files.stat(path).catch(() => undefined)) !== undefined;
  }

  /** Finds the files that a word stands for; a risk if they are not known. */
  async #expand(word: ShellWord, folder: string): Promise<readonly string[] | Risk> {
    if (word.patterns === undefined) return this.findPaths(word, folder);
    const words = new Set<string>();
    // Some shells leave braces as they are, and others patterns that match nothing.
    if (word.text.includes('{')) words.add(word.value);
    for (const pattern of word.patterns) {
      const matches = await expandGlob(this.#parts.files, pattern, folder);
      if (matches === undefined) return createRisk('too-many-files', word.text);
      for (const match of matches) words.add(match);
      if (matches.length === 0) words.add(word.value);
    }
    const paths: string[] = [];
    for (const value of words) {
      if (value.startsWith('-')) return createRisk('option-name', value);
      paths.push(...(await this.findPaths({ text: word.text, value }, folder)));
    }
    return paths;
  }

  /** Returns the absolute paths that a word may mean: lexically, and as the system follows `..` behind a link. */
  async findPaths({ value, home }: ShellWord, folder: string): Promise<readonly string[]> {
    const base = home === true ? (this.#parts.home ?? '') : folder;
    const rest = home === true ? value.slice(1) : value;
    // Without a known home folder it is judged as one outside of everything.
    const path = home === true || !isAbsolutePath(rest) ? `${base}/${rest}` : rest;
    const lexical = normalizePath(path);
    if (!/(?:^|\/)\.\.(?:\/|$)/u.test(path)) return [lexical];
    const physical = await this.#followLinks(path);
    return physical === lexical ? [lexical] : [lexical, physical];
  }

  async #followLinks(path: string): Promise<string> {
    let at = '/';
    for (const component of path.split('/')) {
      if (component === '' || component === '.') continue;
      if (component === '..') at = parentOf(await this.#parts.files.realpath(at));
      else at = at.endsWith('/') ? `${at}${component}` : `${at}/${component}`;
    }
    return at;
  }
}
