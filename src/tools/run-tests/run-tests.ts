import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { FileLink } from '../../domain/message.ts';
import type { ShellResult } from '../../core/ports/commands/shell.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import {
  CARD_TAIL,
  describeFolder,
  endNotes,
  shownOutput,
  withNotes,
} from '../commands/command-text.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type TestsDisplay, runTestsFace } from './run-tests-face.ts';
import { OutputStream } from '../commands/output-stream.ts';
import { touchesOf } from '../searching/search-place.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';
import { type ProjectFiles, type TestCommand, PROJECT_FILES, testCommand } from './test-command.ts';
import { added, readSummary } from './test-summary.ts';
import { readJUnit } from './junit.ts';
import type { TestFailure, TestSummary } from './test-summary.ts';

/** Seconds that the deadline wrapper waits longer than the run's own limit. */
const MARGIN = 15;
/** Seconds a test run may take without a timeout of its own; more than a command, for suites are slow. */
const LIMIT = 600;
/** Bytes of a project file that are read. */
const PROJECT_FILE_BYTES = 1024 * 1024;
/** Bytes and number of the report files that are read. */
const REPORT_BYTES = 2 * 1024 * 1024;
const MOST_REPORTS = 500;
/** Failures that are told one by one. */
const MOST_FAILURES = 25;
/** Characters of the end of the output beside the failures. */
const OUTPUT_TAIL = 2500;

const schema = z.strictObject({
  files: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  name: z.optional(z.string().check(z.minLength(1), z.describe('only tests whose name matches'))),
  timeout: z.optional(z.number().check(z.gt(0), z.lte(86_400), z.describe('seconds'))),
});

/**
 * Runs the project's own test command and tells failures with their places. VS Code's test view
 * would not do: only the extension that owns tests sees their results.
 */
export function runTestsTool(parts: ToolParts): Tool {
  const seconds = (timeout: number | undefined): number => timeout ?? LIMIT;
  return defineTool(runTestsFace, {
    description:
      "Runs the project's tests (npm, pytest, go, cargo, maven, gradle, deno, make) and tells counts and what failed.",
    schema,
    sideEffects: true,
    level: 'user',
    module: 'terminal',
    permission: 'execute',
    rare: true,
    timeoutMs: ({ timeout }) => (seconds(timeout) + MARGIN) * 1000,
    touches: ({ files }, roots) =>
      files === undefined
        ? touchesOf('.', roots.slice(0, 1))
        : files.flatMap((file) => touchesOf(file, roots)),
    starts: async (input, roots) => {
      const { command, folder } = await commandOf(parts, input, { roots });
      return { lines: [{ command: command.command, cwd: folder }] };
    },
    preview: async (input, context) => {
      const { command, folder } = await commandOf(parts, input, context);
      return {
        title: l10n.t('Run the tests'),
        detail: command.command,
        ...describeFolder(folder, parts.commands.roots()),
      };
    },
    run: async (input, context) => {
      const { command, folder } = await commandOf(parts, input, context);
      return run(parts, { ...command, folder, seconds: seconds(input.timeout) }, context);
    },
  });
}

type Input = z.output<typeof schema>;

/** The command for what is asked for; the same at the question and at the run, or nothing is run. */
async function commandOf(
  parts: ToolParts,
  { files = [], name }: Input,
  { roots, preview }: Pick<ToolContext, 'roots' | 'preview'>,
): Promise<{ readonly command: TestCommand; readonly folder: string }> {
  const folder = absolutePath('.', roots);
  const project = await projectOf(parts, folder);
  for (const file of files) {
    if ((await parts.disk.files.stat(absolutePath(file, roots))) === undefined)
      throw fault('not_found', told`${file} does not exist. find_files finds test files by name.`);
  }
  const selection = { files, name };
  const command = testCommand(project, selection);
  if (command === undefined) {
    const message = told`Nothing in ${folder} says how its tests are run (there is no test script in package.json, no pytest, go.mod, Cargo.toml, pom.xml, build.gradle, deno.json or Makefile). Use run_command with the command that runs them.`;
    throw fault('not_found', message);
  }
  if (preview !== undefined && preview.detail !== command.command) {
    throw fault(
      'invalid',
      told`The project changed since the person allowed the test run; it was not run. Ask again.`,
    );
  }
  return { command, folder };
}

async function projectOf({ disk: { files } }: ToolParts, folder: string): Promise<ProjectFiles> {
  const texts = new Map<string, string>();
  await Promise.all(
    PROJECT_FILES.map(async (name) => {
      const path = `${folder}/${name}`;
      if ((await files.stat(path))?.type !== 'file') return;
      const bytes = await files.read(path, PROJECT_FILE_BYTES).catch(() => new Uint8Array());
      texts.set(name, new TextDecoder().decode(bytes));
    }),
  );
  return { has: (name) => texts.has(name), text: (name) => texts.get(name) ?? '' };
}

interface TestRun extends TestCommand {
  readonly folder: string;
  readonly seconds: number;
}

async function run(
  parts: ToolParts,
  { command, runner, reports = [], folder, seconds }: TestRun,
  context: ToolContext,
): Promise<DisplayedOutput<TestsDisplay>> {
  const live = new OutputStream(parts.clock, context.emit, context.callId);
  const began = parts.clock.now();
  try {
    const result = await parts.commands.shell.run({
      command,
      cwd: folder,
      timeoutMs: seconds * 1000,
      signal: context.signal,
      onOutput: (text) => live.add(text),
      onStarted: (process) => context.recordProcess(process),
    });
    const output = await shownOutput(result.output, result.total);
    const written = await Promise.all(
      reports.map((at) => reported(parts, `${folder}/${at}`, began)),
    );
    const summary = added(written.flat()) ?? readSummary(output);
    return testOutput({ command, runner, folder, seconds, output, summary }, result, context);
  } finally {
    live.dispose();
  }
}

/** The JUnit files' word, if this run wrote them. */
async function reported(
  { disk: { files } }: ToolParts,
  folder: string,
  since: number,
): Promise<readonly TestSummary[]> {
  const entries = await files.list(folder).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith('.xml'));
  const summaries = await Promise.all(
    names.slice(0, MOST_REPORTS).map(async (name) => {
      const path = `${folder}/${name}`;
      const stat = await files.stat(path);
      // File times are coarse on some systems.
      if (stat === undefined || stat.modifiedAt < since - 2000) return undefined;
      const bytes = await files.read(path, REPORT_BYTES).catch(() => new Uint8Array());
      return readJUnit(new TextDecoder().decode(bytes));
    }),
  );
  return summaries.filter((summary) => summary !== undefined);
}

interface TestResult extends TestRun {
  readonly output: string;
  readonly summary: TestSummary | undefined;
}

function testOutput(
  { command, folder, seconds, output, summary }: TestResult,
  result: ShellResult,
  { roots }: ToolContext,
): DisplayedOutput<TestsDisplay> {
  const failures = (summary?.failures ?? []).map((one) => placed(one, folder, roots));
  const notes = endNotes(result, output, seconds);
  const head = summary === undefined ? undefined : counts(summary);
  const told = failures.slice(0, MOST_FAILURES).map((one) => failureText(one));
  const more = failures.length - told.length;
  const rest =
    failures.length === 0 && (summary === undefined || summary.failed > 0)
      ? output
      : result.exitCode === 0
        ? ''
        : `\nEnd of the output:\n${output.slice(-OUTPUT_TAIL)}`;
  const text = [
    ...(head === undefined ? ['No counts of tests were found in the output.'] : [head]),
    ...told,
    ...(more > 0 ? [`… and ${more} more failures.`] : []),
    rest,
  ].join('\n');
  const links = failures.flatMap(({ path, line }): FileLink[] =>
    path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }],
  );
  return {
    content: [{ type: 'text', text: withNotes(text, [...notes, `Ran: ${command}`]) }],
    isError: result.exitCode !== 0 || result.timedOut,
    files: links.slice(0, MOST_FAILURES),
    display: {
      kind: 'tests',
      command,
      ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
      ...(result.signal === undefined ? {} : { signal: result.signal }),
      timedOut: result.timedOut,
      ...(summary === undefined
        ? {}
        : { passed: summary.passed, failed: summary.failed, skipped: summary.skipped }),
      tail: output.slice(-CARD_TAIL),
    },
  };
}

function counts({ passed, failed, skipped }: TestSummary): string {
  return `${failed} failed, ${passed} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** The path as the workspace knows it, so that it can be opened and read. */
function placed(one: TestFailure, folder: string, roots: readonly string[]): TestFailure {
  if (one.path === undefined) return one;
  const plain = one.path.replace(/^file:\/\//u, '');
  const path = shownPath(plain.startsWith('/') ? plain : `${folder}/${plain}`, roots);
  return { ...one, path };
}

function failureText({ name, path, line, message }: TestFailure): string {
  const at = path === undefined ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
  const detail = message === '' ? '' : `\n  ${message.replaceAll('\n', '\n  ')}`;
  return `✖ ${name}${at}${detail}`;
}
