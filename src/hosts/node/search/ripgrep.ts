import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type {
  LineCounts,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports/files/search.ts';
import { getBracketReadings } from '../../../domain/glob/bracket-names.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { EXCLUDED_FOLDERS } from './ignore/excluded.ts';
import { compare } from './file-names.ts';
import { MatchCollector } from './match-collector.ts';
import { type SearchRules, isLeftOut, LARGEST_SEARCHED } from './search-rules.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';

/** The same rules as the plain scan's: no configuration, hidden files, .gitignore also without a repository. */
const RULES = ['--no-config', '--hidden', '--no-require-git', '--no-ignore-dot', '--no-messages'];

/** Every file that a search looks at, in batches, in no order. */
export async function* ripgrepFiles(
  program: string,
  root: string,
  rules: SearchRules,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const args = [...rulesOf(rules), '--files', '--null', ...exclusions(), '--', root];
  const running = start(program, args, { root, rules, signal });
  try {
    for await (const files of pieces(running.output, '\0', signal))
      yield files.filter((file) => !isLeftOut(file, root, rules));
  } finally {
    running.stop();
  }
}

export async function ripgrepText(
  program: string,
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  throwIfAborted(signal);
  // The most that one file may hold back in memory; its size is looked at only when something was found in it.
  const most = `--max-count=${request.limit + 1}`;
  const context = `--context=${request.context}`;
  const args = ['--json', most, context, ...textArguments(request, rules)];
  const running = start(program, args, { root: request.root, rules, signal });
  const collector = new MatchCollector(request, rules);
  try {
    for await (const lines of pieces(running.output, '\n', signal)) {
      for (const line of lines) collector.take(line);
      if (collector.full) break;
    }
    if (collector.count === 0) await running.succeeded(request, signal);
    return collector.result();
  } finally {
    running.stop();
  }
}

export async function ripgrepCounts(
  program: string,
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<LineCounts> {
  throwIfAborted(signal);
  const most = `--max-filesize=${LARGEST_SEARCHED}`;
  const args = ['--count', '--with-filename', '--null', most, ...textArguments(request, rules)];
  const running = start(program, args, { root: request.root, rules, signal });
  const found = new FirstFiles(request.limit);
  try {
    // Names may hold line feeds: between two NULs there is the number of one file and the name of the next.
    let name: string | undefined;
    for await (const parts of pieces(running.output, '\0', signal)) {
      for (const part of parts) {
        const end = name === undefined ? -1 : part.indexOf('\n');
        if (name !== undefined && !isLeftOut(name, request.root, rules))
          found.add({ path: name, lines: Number(part.slice(0, end)) });
        name = part.slice(end + 1);
      }
    }
    if (found.count === 0) await running.succeeded(request, signal);
    return found.result();
  } finally {
    running.stop();
  }
}

/** The first files in the order of the paths; never many more of them in memory. */
class FirstFiles {
  readonly #limit: number;
  #files: { readonly path: string; readonly lines: number }[] = [];
  count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(file: { readonly path: string; readonly lines: number }): void {
    this.count += 1;
    this.#files.push(file);
    if (this.#files.length > this.#limit * 2 + 1000) this.#files = this.#sorted();
  }

  result(): LineCounts {
    return { files: this.#sorted(), complete: this.count <= this.#limit };
  }

  #sorted(): { readonly path: string; readonly lines: number }[] {
    return this.#files
      .toSorted((left, right) => compare(left.path, right.path))
      .slice(0, this.#limit);
  }
}

const rulesOf = ({ searchesIgnored = false }: SearchRules): string[] =>
  searchesIgnored ? [...RULES, '--no-ignore'] : RULES;

function textArguments(request: TextSearchRequest, rules: SearchRules): string[] {
  return [
    ...rulesOf(rules),
    // It costs a little for each file, and only the end of a line is another one with it.
    ...(request.regex && request.pattern.includes('$') ? ['--crlf'] : []),
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(request.regex ? [] : ['--fixed-strings']),
    ...globsOf(request.include).map((glob) => `--glob=${glob}`),
    ...globsOf(request.exclude).map((glob) => `--glob=!${glob}`),
    ...exclusions(),
    `--regexp=${request.pattern}`,
    '--',
    request.root,
  ];
}

const globsOf = (globs: readonly string[] = []): readonly string[] =>
  globs.flatMap((glob) => getBracketReadings(glob.replace(/^!+/u, '')));

/** A later glob wins: these come after those of the request. */
function exclusions(): string[] {
  return EXCLUDED_FOLDERS.map((glob) => `--glob=!${glob}`);
}

interface Running {
  readonly output: Readable;
  /** Resolves when it ended well, matches or not; fails with `invalid` for its pattern. */
  succeeded(request: TextSearchRequest, signal: AbortSignal): Promise<void>;
  /** Ends it; does nothing once it has ended. */
  stop(): void;
}

function start(
  program: string,
  args: readonly string[],
  {
    root,
    rules,
    signal,
  }: { readonly root: string; readonly rules: SearchRules; readonly signal: AbortSignal },
): Running {
  // Globs with a slash begin at the folder that ripgrep runs in; a file's own folder has to do for a file.
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  const child = spawn(program, args, {
    cwd: isFolder ? root : path.dirname(root),
    env: rules.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.on('error', () => undefined); // `exit` or the end of the output tells
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const errors = collectErrors(child);
  const exited = once(child, 'exit');
  exited.catch(() => undefined); // it could not be started; asked for below
  return {
    output: child.stdout,
    succeeded: async (request, aborted) => {
      const [code] = (await exited) as [number | null];
      throwIfAborted(aborted);
      // 0: found, 1: nothing found, 2: an error. Of files that cannot be read it says nothing: no reason to fail.
      const said = code === 2 ? (await errors).trim() : '';
      if (said !== '') throw searchFailure(request, said);
    },
    stop: () => {
      signal.removeEventListener('abort', kill);
      kill();
    },
  };
}

/** A process's output, cut at a separator, in batches. Fails with an AbortError. */
async function* pieces(
  output: Readable,
  separator: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  const turn = new Turn();
  // A line may come in thousands of chunks.
  let rest: string[] = [];
  for await (const chunk of output) {
    throwIfAborted(signal);
    const [end = '', ...found] = decoder.decode(chunk as Buffer, { stream: true }).split(separator);
    rest.push(end);
    const begun = found.pop();
    if (begun === undefined) continue;
    yield [rest.join(''), ...found];
    rest = [begun];
    await turn.pass();
  }
  throwIfAborted(signal);
  if (rest.some((part) => part !== '')) yield [rest.join('')];
}

async function collectErrors(child: ChildProcess): Promise<string> {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (text.length < 2000) text += chunk.toString();
  });
  await once(child, 'close').catch(() => undefined);
  return text;
}

function searchFailure({ pattern, regex }: TextSearchRequest, output: string): BelayError {
  // Its advice names options that the tools do not have.
  if (/Consider enabling multiline/u.test(output))
    return fault(
      'invalid',
      told`The search goes line by line: a pattern with a line break is not supported.`,
    );
  if (/Consider enabling PCRE2/u.test(output))
    return fault(
      'invalid',
      told`Look-around and backreferences are not supported in ${JSON.stringify(pattern)}. Search for a simpler pattern.`,
    );
  const errors = output.replace(/\s*Consider enabling .*/su, '');
  const message = /error parsing glob/u.test(errors)
    ? told`A glob of "include" or "exclude" is not valid: ${errors.trim().slice(0, 400)}`
    : regex
      ? told`${JSON.stringify(pattern)} is not a regular expression that the search understands (Rust syntax): ${errors.trim().slice(0, 400)}. Escape special characters, or search with "regex": false.`
      : told`The search failed: ${errors.trim().slice(0, 400)}`;
  return fault('invalid', message);
}
