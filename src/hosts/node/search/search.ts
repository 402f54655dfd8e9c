import type {
  FileSearchRequest,
  FileSearchResult,
  LineCounts,
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports/files/search.ts';
import { commandEnvironment } from '../processes/command-environment.ts';
import { BelayIgnoreRules } from './ignore/belay-ignore.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { escapeExistingNames } from './literal-names.ts';
import type { leftOut } from './left-out.ts';
import type { SearchRules } from './search-rules.ts';

/** Searches with ripgrep, else plainly; loaded when first used. Follows ignore files, no links. */
export class NodeSearch implements Search {
  readonly #candidates: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #ripgrep: Promise<string | undefined> | undefined;

  /** `candidates`: places of ripgrep, before the PATH; neither: the plain scan. */
  constructor(
    candidates: readonly string[] = [],
    environment: NodeJS.ProcessEnv = commandEnvironment(process.env),
  ) {
    this.#candidates = candidates;
    this.#environment = environment;
  }

  async text(asked: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult> {
    const request = withNames(asked);
    const rules = await this.#rules(request.root, signal);
    const result = await this.#text(request, rules, signal);
    if (result.matches.length > 0) return result;
    return { ...result, ...(await leftOutOf(request, rules, signal)) };
  }

  async counts(asked: TextSearchRequest, signal: AbortSignal): Promise<LineCounts> {
    const request = withNames(asked);
    const rules = await this.#rules(request.root, signal);
    const result = await this.#counts(request, rules, signal);
    if (result.files.length > 0) return result;
    return { ...result, ...(await leftOutOf(request, rules, signal)) };
  }

  async files(asked: FileSearchRequest, signal: AbortSignal): Promise<FileSearchResult> {
    const request = { ...asked, pattern: escapeExistingNames(asked.root, asked.pattern) };
    const program = await this.#program();
    const rules = await this.#rules(request.root, signal);
    const { matchFiles } = await import('./file-names.ts');
    const onDisk =
      program === undefined
        ? (await import('./plain-search.ts')).plainFiles(request.root, rules, signal)
        : (await import('./ripgrep.ts')).ripgrepFiles(program, request.root, rules, signal);
    const result = await matchFiles(onDisk, request);
    const { countLeftOut } = request;
    if (countLeftOut === undefined) return result;
    if (countLeftOut === 'if_none_found' && result.paths.length > 0) return result;
    return { ...result, ...(await leftOutOf({ root: request.root }, rules, signal, 'names')) };
  }

  async #text(
    request: TextSearchRequest,
    rules: SearchRules,
    signal: AbortSignal,
  ): Promise<TextSearchResult> {
    const program = await this.#program();
    if (program === undefined)
      return (await import('./plain-search.ts')).plainText(request, rules, signal);
    return (await import('./ripgrep.ts')).ripgrepText(program, request, rules, signal);
  }

  async #counts(
    request: TextSearchRequest,
    rules: SearchRules,
    signal: AbortSignal,
  ): Promise<LineCounts> {
    const program = await this.#program();
    if (program === undefined)
      return (await import('./plain-search.ts')).plainCounts(request, rules, signal);
    return (await import('./ripgrep.ts')).ripgrepCounts(program, request, rules, signal);
  }

  /** Read anew for each search. */
  async #rules(root: string, signal: AbortSignal): Promise<SearchRules> {
    const rules = { ignored: new BelayIgnoreRules(), environment: this.#environment };
    const { isIgnoredByGit } = await import('./plain-search.ts');
    return { ...rules, searchesIgnored: await isIgnoredByGit(root, rules, signal) };
  }

  #program(): Promise<string | undefined> {
    // Windows has it in any spelling.
    const [, programs] = Object.entries(this.#environment).find(
      ([name]) => name.toUpperCase() === 'PATH',
    ) ?? [''];
    this.#ripgrep ??= findRipgrep(this.#candidates, programs);
    return this.#ripgrep;
  }
}

function withNames(request: TextSearchRequest): TextSearchRequest {
  const { root, include, exclude } = request;
  const withEscapes = (globs: readonly string[] | undefined): readonly string[] | undefined =>
    globs?.map((glob) => escapeExistingNames(root, glob.replace(/^!+/u, '')));
  return { ...request, include: withEscapes(include), exclude: withEscapes(exclude) };
}

/** "No match" is said together with what was not looked into. */
async function leftOutOf(
  request: Parameters<typeof leftOut>[0],
  rules: SearchRules,
  signal: AbortSignal,
  content: 'content' | 'names' = 'content',
): Promise<Pick<TextSearchResult, 'leftOut'>> {
  const { leftOut } = await import('./left-out.ts');
  const found = await leftOut(request, rules, signal, content);
  return found === undefined ? {} : { leftOut: found };
}
