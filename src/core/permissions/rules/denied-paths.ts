import type { KnownRule } from '../../../domain/permissions/permission-rule.ts';
import type { LeftOut } from '../../ports/files/left-out.ts';
import type { Search } from '../../ports/files/search.ts';
import type { IgnoredPaths, IgnoreRule } from '../../ports/files/ignored.ts';
import { resolvePath } from '../../../domain/paths.ts';
import { pathFits } from './path-pattern.ts';

export interface DeniedPathsParts {
  /** Asked first. */
  readonly others: IgnoredPaths;
  /** Rules in force for all sessions. */
  readonly rules: () => Promise<readonly KnownRule[]>;
  readonly roots: () => readonly string[];
  readonly home?: string;
}

type Denies = (path: string) => IgnoreRule | undefined;

/** Paths that rules deny to be read, as `.belayignore` does, for walks through folders. */
export class DeniedPaths implements IgnoredPaths {
  readonly #parts: DeniedPathsParts;

  constructor(parts: DeniedPathsParts) {
    this.#parts = parts;
  }

  async ruleFor(path: string): Promise<IgnoreRule | undefined> {
    return (await this.#parts.others.ruleFor(path)) ?? (await this.now())(path);
  }

  async ruleForAny(paths: readonly string[]): Promise<IgnoreRule | undefined> {
    const ignored = await this.#parts.others.ruleForAny(paths);
    if (ignored !== undefined) return ignored;
    const denies = await this.now();
    for (const path of paths) {
      const rule = denies(path);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  /** The present denials, for many paths at once. */
  async now(): Promise<Denies> {
    const { rules, roots, home } = this.#parts;
    const place = { roots: roots(), ...(home === undefined ? {} : { home }) };
    const denied = (await rules()).filter(
      ({ rule }) =>
        rule.effect === 'deny' &&
        rule.off !== true &&
        rule.access !== 'write' &&
        rule.tool === undefined &&
        rule.path !== undefined,
    );
    return (path) => {
      const found = denied.find(({ rule }) => pathFits(rule.path ?? '', path, place, 'wide'));
      return found?.rule.path === undefined
        ? undefined
        : { file: found.source, pattern: found.rule.path };
    };
  }
}

/** A search that finds nothing in what rules deny. */
export function searchWithout(search: Search, denied: Pick<DeniedPaths, 'now'>): Search {
  const shown = async <One>(
    found: readonly One[],
    root: string,
    pathOf: (one: One) => string,
  ): Promise<One[]> => {
    const denies = await denied.now();
    return found.filter((one) => denies(resolvePath(root, pathOf(one))) === undefined);
  };
  const withoutExamples = async <Result extends { readonly leftOut?: LeftOut }>(
    found: Promise<Result>,
    root: string,
  ): Promise<Result> => {
    const result = await found;
    const { leftOut } = result;
    if (leftOut === undefined) return result;
    const examples = await shown(leftOut.examples, root, (path) => path);
    return { ...result, leftOut: { ...leftOut, examples } };
  };
  return {
    text: async (request, signal) => {
      const result = await withoutExamples(search.text(request, signal), request.root);
      return { ...result, matches: await shown(result.matches, request.root, ({ path }) => path) };
    },
    counts: async (request, signal) => {
      const result = await withoutExamples(search.counts(request, signal), request.root);
      return { ...result, files: await shown(result.files, request.root, ({ path }) => path) };
    },
    files: async (request, signal) => {
      const result = await withoutExamples(search.files(request, signal), request.root);
      return { ...result, paths: await shown(result.paths, request.root, (path) => path) };
    },
  };
}
