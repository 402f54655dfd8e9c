import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { throwIfAborted } from '../../../core/abort.ts';
import type { LineCounts, TextSearchRequest, TextSearchResult } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { EXCLUDED_FILES, EXCLUDED_FOLDERS } from './excluded.ts';
import { compare } from './file-names.ts';
import { MatchCollector } from './match-collector.ts';
import type { SearchRules } from './search-rules.ts';

/** The same rules as the plain scan's: no configuration, hidden files, .gitignore also without a repository. */
const RULES = ['--no-config', '--hidden', '--no-require-git', '--no-ignore-dot', '--no-messages'];

/** Larger files are generated or data; ripgrep's own notation. The plain scan has the same limit. */
export const LARGEST_SEARCHED = 20 * 1024 * 1024;

/** Every file that a search looks at, in batches, in no order. */
export async function* ripgrepFiles(
  program: string,
  root: string,
  rules: SearchRules,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const args = [...RULES, '--files', '--null', ...exclusions(), '--', root];
  const running = start(program, args, { root, rules, signal });
  try {
    for await (const files of pieces(running.output, '\0', signal))
      yield files.filter((file) => rules.ignored.ruleFor(file, false) === undefined);
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
  const args = ['--json', `--context=${request.context}`, ...textArguments(request)];
  const running = start(program, args, { root: request.root, rules, signal });
  const collector = new MatchCollector(request, rules.ignored);
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
  const args = ['--count', '--with-filename', '--null', ...textArguments(request)];
  const running = start(program, args, { root: request.root, rules, signal });
  const files: { readonly path: string; readonly lines: number }[] = [];
  try {
    // Names may hold line feeds: between two NULs there is the number of one file and the name of the next.
    let name: string | undefined;
    for await (const parts of pieces(running.output, '\0', signal)) {
      for (const part of parts) {
        const end = name === undefined ? -1 : part.indexOf('\n');
        if (name !== undefined) files.push({ path: name, lines: Number(part.slice(0, end)) });
        name = part.slice(end + 1);
      }
    }
    if (files.length === 0) await running.succeeded(request, signal);
  } finally {
    running.stop();
  }
  const visible = files
    .filter(({ path: file }) => rules.ignored.ruleFor(file, false) === undefined)
    .toSorted((left, right) => compare(left.path, right.path));
  return {
    files: visible.slice(0, request.limit),
    complete: visible.length <= request.limit,
  };
}

function textArguments(request: TextSearchRequest): string[] {
  return [
    ...RULES,
    '--crlf',
    `--max-filesize=${LARGEST_SEARCHED}`,
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(request.regex ? [] : ['--fixed-strings']),
    ...(request.include ?? []).map((glob) => `--glob=${glob.replace(/^!+/u, '')}`),
    ...(request.exclude ?? []).map((glob) => `--glob=!${glob.replace(/^!+/u, '')}`),
    ...exclusions(),
    `--regexp=${request.pattern}`,
    '--',
    request.root,
  ];
}

/** A later glob wins: these come after those of the request. */
function exclusions(): string[] {
  return [...EXCLUDED_FOLDERS, ...EXCLUDED_FILES].map((glob) => `--glob=!${glob}`);
}

/** A ripgrep at work. */
interface Running {
  readonly output: Readable;
  /**
   * Resolves when it has ended well, with or without matches.
   * @throws BelayError `invalid` with what it says about the pattern; AbortError
   */
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
      // 0: found, 1: nothing found, 2: an error; unreadable files alone are no reason to fail.
      if (code === 2) throw searchFailure(request, await errors);
    },
    stop: () => {
      signal.removeEventListener('abort', kill);
      kill();
    },
  };
}

/**
 * What a process prints, cut at a separator, in batches as it arrives.
 * @throws AbortError when the signal has fired
 */
async function* pieces(
  output: Readable,
  separator: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of output) {
    throwIfAborted(signal);
    const found = (rest + decoder.decode(chunk as Buffer, { stream: true })).split(separator);
    rest = found.pop() ?? '';
    yield found;
  }
  throwIfAborted(signal);
  if (rest !== '') yield [rest];
}

async function collectErrors(child: ChildProcess): Promise<string> {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (text.length < 2000) text += chunk.toString();
  });
  await once(child, 'close').catch(() => undefined);
  return text;
}

function searchFailure({ pattern, regex }: TextSearchRequest, errors: string): BelayError {
  const message = regex
    ? `${JSON.stringify(pattern)} is not a regular expression that the search understands (Rust syntax): ${errors.trim().slice(0, 400)}. Escape special characters, or search with "regex": false.`
    : `The search failed: ${errors.trim().slice(0, 400)}`;
  return new BelayError({ code: 'invalid', message });
}
