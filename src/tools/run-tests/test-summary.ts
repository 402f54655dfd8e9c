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

/** Reads one runner's output; `undefined`: it is not that runner's. */
type Reader = (output: string) => TestSummary | undefined;

/** The first reader that recognizes the output wins; those with the clearest marks come first. */
const READERS: readonly Reader[] = [pytest, cargo, vitest, jest, mocha, tap, nodeSpec];

/** Counts and failures of a run, whichever runner printed it; `undefined` when none is recognized. */
export function readSummary(output: string): TestSummary | undefined {
  const events = goJson(output);
  if (events !== undefined) return events;
  const text = withShortLines(output);
  for (const read of READERS) {
    const summary = read(text);
    if (summary !== undefined) return summary;
  }
  return undefined;
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

function pytest(output: string): TestSummary | undefined {
  const end =
    /^=+ (?<counts>[^=\n]*\b(?:passed|failed|errors?|skipped|no tests ran)\b[^=\n]*) in [\d.]+s/mu.exec(
      output,
    ) ??
    /^(?<counts>(?:\d+ (?:passed|failed|errors?|skipped|deselected|warnings?|xfailed)(?:, )?)+) in [\d.]+s/mu.exec(
      output,
    );
  const counts = end?.groups?.['counts'];
  if (counts === undefined) return undefined;
  const blocks = pytestBlocks(output);
  const failures = firstOf(
    output.matchAll(
      /^(?:FAILED|ERROR) (?<path>[^\s:]+)(?:::(?<name>\S+))?(?: - (?<message>.*))?$/gmu,
    ),
  ).map(({ groups = {} }): TestFailure => {
    const path = groups['path'] ?? '';
    const name = groups['name'] ?? path;
    const short = name.split('::').at(-1) ?? name;
    // The block of the test names the line at which it failed.
    const { text: block = '' } = blocks.find(({ title }) => title.includes(short)) ?? {};
    const places = block.matchAll(new RegExp(`^${escaped(path)}:(\\d+):`, 'gmu'));
    const line = [...places].at(-1)?.[1];
    const message = errorLines(block) || (groups['message'] ?? '');
    return { name, path, ...(line === undefined ? {} : { line: Number(line) }), message };
  });
  return {
    passed: numberBefore(counts, 'passed'),
    failed: numberBefore(counts, 'failed') + numberBefore(counts, 'errors?'),
    skipped: numberBefore(counts, 'skipped'),
    failures,
  };
}

interface PytestBlock {
  readonly title: string;
  readonly text: string;
}

/** The text of each failure, below a title between underscores. */
function pytestBlocks(output: string): readonly PytestBlock[] {
  const titles = firstOf(output.matchAll(/^_+ (?<title>.*[^\n_ ].*) _+$/gmu));
  return titles.map(({ 0: head, groups = {}, index }, at) => {
    const text = output.slice(index + head.length, titles[at + 1]?.index);
    return { title: groups['title'] ?? '', text: upTo(text, /^_{3,}|^=+/mu) };
  });
}

/** The lines that pytest marks with E. */
function errorLines(block: string): string {
  const lines = block.split('\n').filter((line) => /^E\s/u.test(line));
  return lines
    .slice(0, MESSAGE_LINES)
    .map((line) => line.slice(1).trim())
    .join('\n');
}

function cargo(output: string): TestSummary | undefined {
  const ends = [
    ...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gmu),
  ];
  if (ends.length === 0) return undefined;
  const sum = (index: number): number => ends.reduce((all, end) => all + Number(end[index]), 0);
  const failures = firstOf(output.matchAll(/^---- (?<name>\S+) stdout ----$/gmu)).map(
    ({ 0: head, groups = {}, index }) => {
      const block = output.slice(index + head.length + 1);
      return failure(
        groups['name'] ?? '',
        upTo(block, /^(?:---- |failures:)/mu),
        /panicked at (?<path>[^\s:]+):(?<line>\d+)/u,
      );
    },
  );
  return { passed: sum(1), failed: sum(2), skipped: sum(3), failures };
}

function vitest(output: string): TestSummary | undefined {
  const end =
    /^[ \t]*Tests[ \t]+(?<counts>\d+ (?:failed|passed|skipped|todo).*?)\(\d+\)[ \t\r]*$/mu.exec(
      output,
    );
  const counts = end?.groups?.['counts'];
  if (counts === undefined) return undefined;
  const failures = firstOf(output.matchAll(/^[ \t]*FAIL[ \t]+(?<path>\S+) > (?<name>.+)$/gmu)).map(
    ({ 0: head, groups = {}, index }) => {
      const block = upTo(output.slice(index + head.length), /^[ \t]*(?:FAIL\s|⎯{5})/mu);
      const path = groups['path'] ?? '';
      const found = failure(groups['name'] ?? '', block, /❯ (?<path>[^\s:]+):(?<line>\d+):\d+/u);
      return { path, ...found };
    },
  );
  return {
    passed: numberBefore(counts, 'passed'),
    failed: numberBefore(counts, 'failed'),
    skipped: numberBefore(counts, 'skipped'),
    failures,
  };
}

function jest(output: string): TestSummary | undefined {
  const counts = /^Tests:\s+(?<counts>.*\btotal)$/mu.exec(output)?.groups?.['counts'];
  if (counts === undefined) return undefined;
  const failures = firstOf(output.matchAll(/^[ \t]*● (?<name>.+)$/gmu))
    .filter(({ groups = {} }) => groups['name']?.endsWith('Console') !== true)
    .map(({ 0: head, groups = {}, index }) =>
      failure(
        groups['name'] ?? '',
        upTo(output.slice(index + head.length), /^[ \t]*●|^Test Suites:/mu),
        IN_STACK,
      ),
    );
  const names = new Map(failures.map((one) => [one.name, one])); // the summary repeats them
  return {
    passed: numberBefore(counts, 'passed'),
    failed: numberBefore(counts, 'failed'),
    skipped: numberBefore(counts, 'skipped') + numberBefore(counts, 'todo'),
    failures: [...names.values()],
  };
}

function mocha(output: string): TestSummary | undefined {
  const passed = /^[ \t]+(\d+) passing\b/mu.exec(output);
  if (passed === null) return undefined;
  const after = output.slice(passed.index);
  const blocks = after.split(/^ {2}\d+\) /mu, MOST_FAILURES + 1).slice(1);
  const failures = blocks.map((block) => {
    // Titles are indented deeper and deeper; the last one ends with a colon.
    const lines = block.split('\n');
    const titles = lines.slice(0, lines.findIndex((line) => line.endsWith(':')) + 1);
    const name = titles
      .map((line) => line.trim())
      .join(' › ')
      .replace(/:$/u, '');
    return failure(name, lines.slice(titles.length).join('\n'), IN_STACK);
  });
  return {
    passed: Number(passed[1]),
    failed: numberBefore(after, 'failing'),
    skipped: numberBefore(after, 'pending'),
    failures,
  };
}

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
      const place = /(?<![^\s'"()])(?<path>(?!node:)[^\s'"()]+?):(?<line>\d+):\d+/u;
      failures.push({
        ...failure((groups['name'] ?? '').trim(), own, place),
        message: shortened(text),
      });
    }
  }
  return { ...counted, failures };
}

/** The default reporter of `node --test`. */
function nodeSpec(output: string): TestSummary | undefined {
  const passed = /^ℹ pass (\d+)/mu.exec(output);
  if (passed === null) return undefined;
  const listed = output.slice(output.search(/^✖ failing tests:/mu) >>> 0);
  const failures = firstOf(
    listed.matchAll(
      /^test at (?<path>\S+?):(?<line>\d+):\d+\n✖ (?<name>.+?)(?: \([\d.]+ms\))?\n(?<rest>[\s\S]*?)(?=\n\ntest at|$(?![\s\S]))/gmu,
    ),
  ).map(({ groups = {} }): TestFailure => ({
    path: groups['path'] ?? '',
    line: Number(groups['line']),
    // The assertion rather than the beginning of its test, where the stack tells it.
    ...failure(
      groups['name'] ?? '',
      upTo(groups['rest'] ?? '', /^ {4}generatedMessage:/mu),
      /(?<=\(file:\/\/)(?<path>[^\s()]+?):(?<line>\d+):\d+\)/u,
    ),
  }));
  const count = (what: string): number =>
    Number(new RegExp(`^ℹ ${what} (\\d+)`, 'mu').exec(output)?.[1] ?? 0);
  return {
    passed: Number(passed[1]),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
    failures,
  };
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

/** A place in a line of a stack. */
const IN_STACK =
  /(?<![^\s()])(?:file:\/\/)?(?<path>(?!node:|file:)[^\s()]+?):(?<line>\d+):\d+(?<=\bat .*)/u;

function firstOf(matches: Iterable<RegExpExecArray>): readonly RegExpExecArray[] {
  const first: RegExpExecArray[] = [];
  for (const match of matches) {
    first.push(match);
    if (first.length === MOST_FAILURES) break;
  }
  return first;
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

function numberBefore(text: string, word: string): number {
  return Number(new RegExp(`(?<!\\d)(\\d+) ${word}\\b`, 'u').exec(text)?.[1] ?? 0);
}

export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
