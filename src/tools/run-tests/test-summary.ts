export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  readonly name: string;
  /** As the runner printed it. */
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  /** The expectation, at most some lines. */
  readonly message: string;
}

/** Characters of a line that are looked at: expressions try many ways within one, and the output is anybody's. */
const LONGEST_LINE = 600;
/** Failures that are read of one run; each goes through a part of the output, and nobody reads more. */
const MOST_FAILURES = 200;

/** Lines of a failure that are kept: the assertion, not the stack. */
const MESSAGE_LINES = 6;

/**
 * Reads counts and failures of Go's JSON and of TAP. Of other runners it reads only the counts in their last lines: the
 * end of the output says the rest. `undefined`: there are no counts.
 */
export function readSummary(output: string): TestSummary | undefined {
  const events = goJson(output);
  if (events !== undefined) return events;
  const text = withShortLines(output);
  return tap(text) ?? readCounts(text);
}

/** Lines with which pytest, cargo, Jest, Vitest, Mocha and Node sum up. */
const SUM_LINES =
  /^(?:(?:=+ )?\d+ \w+(?:, \d+ \w+)* in [\d.]+s.*|test result: .*|[ \t]*Tests:?[ \t]+\d.*|[ \t]+\d+ (?:passing|failing|pending)\b.*|ℹ (?:pass|fail|cancelled|skipped|todo) \d+)$/gmu;

const COUNTS = {
  passed: /(?<!\d)(\d+) pass(?:ed|ing)\b|\bpass (\d+)/gu,
  failed: /(?<!\d)(\d+) (?:fail(?:ed|ing)|errors?)\b|\b(?:fail|cancelled) (\d+)/gu,
  skipped: /(?<!\d)(\d+) (?:skipped|pending|todo|ignored)\b|\b(?:skipped|todo) (\d+)/gu,
} as const;

function readCounts(output: string): TestSummary | undefined {
  const lines = output.match(SUM_LINES)?.join('\n');
  if (lines === undefined) return undefined;
  const sum = (pattern: RegExp): number =>
    [...lines.matchAll(pattern)].reduce(
      (all, [, before, after]) => all + Number(before ?? after),
      0,
    );
  const { passed, failed, skipped } = COUNTS;
  return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped), failures: [] };
}

function goJson(output: string): TestSummary | undefined {
  const counts = { pass: 0, fail: 0, skip: 0 };
  const printed = new Map<string, string[]>();
  const failures: TestFailure[] = [];
  let events = 0;
  for (const line of output.split('\n')) {
    if (!line.startsWith('{"')) continue;
    const event = eventIn(line);
    if (event?.Action === undefined || event.Package === undefined) continue;
    events += 1;
    if (event.Test === undefined) continue;
    const key = `${event.Package} ${event.Test}`;
    if (event.Action === 'output') {
      const lines = printed.get(key) ?? [];
      printed.set(key, lines);
      lines.push(event.Output ?? '');
    }
    if (event.Action !== 'pass' && event.Action !== 'fail' && event.Action !== 'skip') continue;
    counts[event.Action] += 1;
    const told = printed.get(key) ?? [];
    printed.delete(key);
    if (event.Action !== 'fail' || failures.length === MOST_FAILURES) continue;
    const text = told.filter((one) => !/^\s*(?:===|---)/u.test(one)).join('');
    const place = /(?<![\w./-])(?<path>[\w./-]+\.go):(?<line>\d+)/u;
    failures.push(failure(event.Test, withShortLines(text), place));
  }
  if (events === 0) return undefined;
  return { passed: counts.pass, failed: counts.fail, skipped: counts.skip, failures };
}

interface GoEvent {
  readonly Action?: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

function eventIn(line: string): GoEvent | undefined {
  try {
    return JSON.parse(line) as GoEvent;
  } catch {
    return undefined;
  }
}

/** Places in what TAP says of a failure, the surest first: the assertion in the stack, the test, anything else. */
const PLACES = [
  /(?<=\(file:\/\/)(?<path>[^\s()]+?):(?<line>\d+):\d+\)/u,
  /(?<=^[ \t]*location: ')(?<path>[^'\n]+?):(?<line>\d+):\d+'/mu,
  /(?<![^\s'"()])(?<path>(?!node:)[^\s'"()]+?):(?<line>\d+):\d+/u,
] as const;

/** Test Anything Protocol. */
function tap(output: string): TestSummary | undefined {
  if (!/^TAP version \d+|^1\.\.\d+$/mu.test(output)) return undefined;
  const results = [
    ...output.matchAll(
      /^[ \t]*(?<not>not )?ok\b[ \t]*\d*[ \t]*(?:- )?(?<name>[^#\n]*)(?<directive>#.*)?$/gmu,
    ),
  ];
  if (results.length === 0) return undefined;
  const counted = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  for (const { 0: head, groups = {}, index } of results) {
    const block = /^\n[ \t]*---\n(?<body>[\s\S]*?)\n[ \t]*\.\.\.(?=\n|$)/u.exec(
      output.slice(index + head.length, index + head.length + 4000),
    );
    const own = block?.groups?.['body'] ?? '';
    // A suite says only what its tests have said.
    if (/type: '?suite|failureType: '?subtestsFailed/u.test(own)) continue;
    if (/#\s*(?:skip|todo)/iu.test(groups['directive'] ?? '')) counted.skipped += 1;
    else if (groups['not'] === undefined) counted.passed += 1;
    else {
      counted.failed += 1;
      const text =
        /^error: (?:\|-?\n)?(?<error>[\s\S]*?)\n[ \t]*(?:code|name|stack|expected):/u.exec(
          own.slice(Math.max(0, own.indexOf('error: '))),
        )?.groups?.['error'] ?? own;
      const place = PLACES.find((pattern) => pattern.test(own)) ?? /(?!)/u;
      failures.push({
        ...failure((groups['name'] ?? '').trim(), own, place),
        message: shortened(text),
      });
    }
  }
  return { ...counted, failures };
}

/** Several runs as one. */
export function added(summaries: readonly TestSummary[]): TestSummary | undefined {
  if (summaries.length === 0) return undefined;
  const sum = (of: (summary: TestSummary) => number): number =>
    summaries.reduce((all, one) => all + of(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: summaries.flatMap(({ failures }) => failures),
  };
}

export function failure(name: string, text: string, place: RegExp): TestFailure {
  const found = place.exec(text)?.groups;
  const path = found?.['path'];
  return {
    name,
    ...(path === undefined ? {} : { path: plainPath(path, text), line: Number(found?.['line']) }),
    message: shortened(text),
  };
}

/** Addresses of files write some characters as numbers. */
function plainPath(path: string, text: string): string {
  if (!text.includes(`file://${path}`)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Without the stack. */
export function shortened(text: string): string {
  const lines = upTo(text, /^stack backtrace:/mu)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at\s|^❯\s|^note: run with/u.test(line));
  return lines.slice(0, MESSAGE_LINES).join('\n').slice(0, 600);
}

function withShortLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.slice(0, LONGEST_LINE))
    .join('\n');
}

export function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at === -1 ? text : text.slice(0, at);
}

export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
