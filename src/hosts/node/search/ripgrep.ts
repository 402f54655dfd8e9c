import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { throwIfAborted } from '../../../core/abort.ts';
import type { TextMatch, TextSearchRequest, TextSearchResult } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { commandEnvironment } from '../command-environment.ts';
import type { BelayIgnoreRules } from './belay-ignore.ts';
import { EXCLUDED_FILES, EXCLUDED_FOLDERS } from './excluded.ts';
import { compare } from './file-names.ts';
import { shownLine } from './matched-line.ts';

/** The same rules as the plain scan's: no configuration, hidden files, .gitignore also without a repository. */
const RULES = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-dot',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-messages',
];

/** Larger files are generated or data; ripgrep's own notation. The plain scan has the same limit. */
export const LARGEST_SEARCHED = 20 * 1024 * 1024;

/** Every file that a search looks at, in batches, in no order. */
export async function* ripgrepFiles(
  program: string,
  root: string,
  ignored: BelayIgnoreRules,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const args = [...RULES, '--files', '--null', ...exclusions(), '--', root];
  const child = start(program, args, root);
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of child.stdout ?? []) {
      throwIfAborted(signal);
      const pieces = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\0');
      rest = pieces.pop() ?? '';
      yield pieces.filter((file) => ignored.ruleFor(file, false) === undefined);
    }
    throwIfAborted(signal);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

export async function ripgrepText(
  program: string,
  request: TextSearchRequest,
  ignored: BelayIgnoreRules,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  throwIfAborted(signal);
  const child = start(program, textArguments(request), request.root);
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const errors = collectErrors(child);
  const exited = once(child, 'exit');
  const collector = new MatchCollector(request, ignored);
  try {
    for await (const line of createInterface({
      input: child.stdout ?? process.stdin,
      crlfDelay: Infinity,
    })) {
      collector.take(line);
      if (collector.full) {
        stop();
        break;
      }
    }
    const [code] = (await exited) as [number | null];
    throwIfAborted(signal);
    // 0: found, 1: nothing found, 2: an error; unreadable files alone are no reason to fail.
    if (code === 2 && collector.count === 0) throw searchFailure(request, await errors);
    return collector.result();
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function textArguments(request: TextSearchRequest): string[] {
  return [
    ...RULES,
    '--json',
    '--crlf',
    `--max-filesize=${LARGEST_SEARCHED}`,
    `--context=${request.context}`,
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

/** Globs with a slash begin at the folder that ripgrep runs in; a file's own folder has to do for a file. */
function start(program: string, args: readonly string[], root: string): ChildProcess {
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  const cwd = isFolder ? root : path.dirname(root);
  const child = spawn(program, args, {
    cwd,
    env: commandEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.on('error', () => undefined); // `exit` or the end of the output tells
  return child;
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

interface Text {
  readonly text?: string;
  /** Base64, when it is not UTF-8. */
  readonly bytes?: string;
}

/** One message of `rg --json`. */
interface Report {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Puts matches and the lines around them together. */
class MatchCollector {
  readonly #limit: number;
  readonly #context: number;
  readonly #ignored: BelayIgnoreRules;
  readonly #matches: {
    path: string;
    line: number;
    text: string;
    before: string[];
    after: string[];
  }[] = [];
  #before: { readonly line: number; readonly text: string }[] = [];
  /** The file that is reported is one that the person keeps back. */
  #hidden = false;
  full = false;

  constructor({ limit, context }: TextSearchRequest, ignored: BelayIgnoreRules) {
    this.#limit = limit;
    this.#context = context;
    this.#ignored = ignored;
  }

  get count(): number {
    return this.#matches.length;
  }

  take(line: string): void {
    const { type, data } = JSON.parse(line) as Report;
    if (type === 'begin' || type === 'end') this.#before = [];
    if (type === 'begin')
      this.#hidden = this.#ignored.ruleFor(textOf(data.path), false) !== undefined;
    if (this.#hidden || (type !== 'match' && type !== 'context')) return;
    const number = data.line_number ?? 0;
    const text = textOf(data.lines);
    if (type === 'match' && this.#matches.length >= this.#limit) {
      this.full = true;
      return;
    }
    // Columns of ripgrep are bytes; for lines of plain ASCII, the long ones, they are characters.
    const first = data.submatches?.[0];
    const shown = shownLine(text, first?.start, first?.end);
    const path = textOf(data.path);
    for (const match of this.#matches.slice(-this.#context - 1)) {
      if (match.path === path && number > match.line && number - match.line <= this.#context)
        match.after.push(shown);
    }
    if (type === 'match') {
      const before = this.#before
        .filter((earlier) => number - earlier.line <= this.#context)
        .map((earlier) => earlier.text);
      this.#matches.push({ path, line: number, text: shown, before, after: [] });
    }
    this.#before.push({ line: number, text: shown });
    if (this.#before.length > this.#context) this.#before.shift();
  }

  result(): TextSearchResult {
    const matches: TextMatch[] = this.#matches.toSorted(
      (left, right) => compare(left.path, right.path) || left.line - right.line,
    );
    return { matches, complete: !this.full };
  }
}

function textOf(value: Text | undefined): string {
  return value?.text ?? new TextDecoder().decode(Buffer.from(value?.bytes ?? '', 'base64'));
}
