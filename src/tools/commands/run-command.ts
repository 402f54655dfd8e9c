import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ShellResult } from '../../core/ports/commands/shell.ts';
import { isAbortError } from '../../domain/lifetime/abort.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { backgroundOutput, noBackground, START_WAIT } from './background-text.ts';
import { CARD_TAIL, describeFolder, endNotes, shownOutput, withNotes } from './command-text.ts';
import { visibleCommand } from '../../core/permissions/command/visible-command.ts';
import { type DisplayedOutput, type ToolDefinition, defineTool } from '../define-tool.ts';
import { type CommandTests, type RunCommandDisplay, runCommandFace } from './run-command-face.ts';
import { type CutOutput, OutputRecord } from './output-record.ts';
import { OutputStream } from './output-stream.ts';
import { renamed } from '../other-spellings.ts';
import { testsIn } from '../run-tests/test-line.ts';
import { readSummary } from '../run-tests/test-summary.ts';
import { searchPlaces, touchesOf } from '../searching/search-place.ts';
import type { ToolParts } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

/** Seconds that the deadline wrapper waits longer than the command's own limit: it ends the command and reports. */
const MARGIN = 15;
/** Characters of partial output that a canceled call tells the model. */
const CANCELED_TAIL = 2000;
/** Characters of a cut output that its frame and notes take. */
const FRAME = 1500;

const schema = z.strictObject({
  command: z.string().check(z.minLength(1)),
  cwd: z.optional(z.string().check(z.describe('folder; default: the workspace'))),
  timeout: z.optional(
    z.number().check(z.gt(0), z.lte(86_400), z.describe('seconds; give more for builds and tests')),
  ),
  background: z.optional(
    z.boolean().check(z.describe('for servers and watchers: goes on; see background_command')),
  ),
});

/** With the sandbox on (A5); without it nobody pays for the argument. */
const sandboxSchema = z.extend(schema, {
  writes: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          'the command changes files of the workspace, or needs .git, secrets or the home folder',
        ),
      ),
  ),
  unsandboxed: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.describe('only when the sandbox made it fail: why it must run outside; a person decides'),
      ),
  ),
});

/** The argument for the sandbox is there while the sandbox is on. */
export function runCommandTool(parts: ToolParts): Tool {
  const definition = commandDefinition(parts);
  const plain = defineTool(runCommandFace, { ...definition, schema });
  const sandboxed = defineTool(runCommandFace, definition);
  const now = (): Tool => (parts.settings('terminal.sandbox') === 'on' ? sandboxed : plain);
  return {
    ...sandboxed,
    get inputSchema() {
      return now().inputSchema;
    },
    check: (input) => now().check(input),
  };
}

function commandDefinition(
  parts: ToolParts,
): ToolDefinition<typeof sandboxSchema, RunCommandDisplay> {
  const seconds = (timeout: number | undefined): number =>
    timeout ?? parts.settings('advanced.toolTimeoutSeconds');
  return {
    description:
      'Runs a shell command and gives its output and exit code. It gets no input: use flags that do not ask. Its processes end with it. To read, search or edit files use the other tools.',
    schema: sandboxSchema,
    accept: (input) =>
      withoutNotes(
        renamed(input, {
          cmd: 'command',
          workdir: 'cwd',
          directory: 'cwd',
          run_in_background: 'background',
          is_background: 'background',
        }),
      ),
    sideEffects: true,
    level: 'user',
    module: 'terminal',
    permission: 'execute',
    timeoutMs: ({ timeout }) => (seconds(timeout) + MARGIN) * 1000,
    touches: ({ cwd = '.' }, roots) => touchesOf(cwd, roots),
    commands: ({ command, cwd = '.' }, roots) =>
      touchesOf(cwd, roots).map(({ path }) => ({ command, cwd: path })),
    exception: ({ unsandboxed }) =>
      unsandboxed === undefined
        ? undefined
        : told`It would run OUTSIDE THE SANDBOX, with all that you may do. The agent's reason: ${unsandboxed}`,
    canRunReadOnly: ({ writes = false, background = false, unsandboxed }) =>
      !writes && !background && unsandboxed === undefined,
    preview: async ({ command, cwd = '.', background = false, unsandboxed }, context) => ({
      title: titleOf(background, unsandboxed !== undefined),
      detail: visibleCommand(command),
      ...describeFolder(await folderOf(parts, cwd, context), parts.commands.roots()),
    }),
    run: async ({ command, cwd = '.', timeout, background = false, unsandboxed }, context) => {
      const folder = await folderOf(parts, cwd, context);
      const shown = shownPath(folder, context.roots);
      const live = new OutputStream(parts.clock, context.emit, context.callId);
      const order = { command, folder, shown, live, unsandboxed: unsandboxed !== undefined };
      try {
        return background
          ? await startInBackground(parts, { ...order, timeout }, context)
          : await runToTheEnd(parts, { ...order, timeout: seconds(timeout) }, context);
      } finally {
        live.dispose();
      }
    },
  };
}

interface Order {
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  /** The folder as a person reads it. */
  readonly shown: string;
  readonly timeout: number;
  readonly live: OutputStream;
  /** A person has allowed it outside the sandbox. */
  readonly unsandboxed: boolean;
}

async function runToTheEnd(
  parts: ToolParts,
  { command, folder, shown, timeout, live, unsandboxed }: Order,
  context: ToolContext,
): Promise<DisplayedOutput<RunCommandDisplay>> {
  const record = new OutputRecord(parts.commands.spool, parts.ids, context.sessionId);
  let seen = '';
  try {
    const result = await parts.commands.shell.run({
      command,
      cwd: folder,
      unsandboxed,
      ...(context.readOnly === undefined ? {} : { readOnly: context.readOnly }),
      timeoutMs: timeout * 1000,
      signal: context.signal,
      onOutput: (text) => {
        seen = (seen + text).slice(-CANCELED_TAIL);
        live.add(text);
        return record.add(text);
      },
      onStarted: (process) => context.recordProcess(process),
    });
    const output = await shownOutput(result.output, result.total);
    const limit = parts.settings('advanced.maxToolResultChars') - FRAME;
    const cut = await record.close(output, result.total, Math.max(limit, FRAME));
    const tests = await testsShown(command, output);
    return commandOutput({ command, cwd: shown, output, limit: timeout, ...cut, tests }, result);
  } catch (thrown) {
    await record.discard();
    if (!isAbortError(thrown)) throw thrown;
    const stopped = told`The command was stopped and may have done part of its work.`;
    throw seen.trim() === ''
      ? fault('canceled', [stopped, told`It had printed nothing.`], { cause: thrown })
      : fault('canceled', [stopped, told`Its output so far ended with:`], {
          cause: thrown,
          lines: seen,
        });
  }
}

/** Starts it and waits until it has said something, so that a mistake shows at once. */
async function startInBackground(
  { commands: { background }, clock }: ToolParts,
  {
    command,
    folder,
    shown,
    timeout,
    live,
    unsandboxed,
  }: Omit<Order, 'timeout'> & { readonly timeout: number | undefined },
  { sessionId, runId, callId, messageId, signal, recordProcess }: ToolContext,
): Promise<DisplayedOutput<RunCommandDisplay>> {
  if (background === undefined) throw noBackground();
  const listening = background.onChange((change) => {
    if (change.kind === 'output' && change.command.origin.callId === callId) live.add(change.text);
  });
  try {
    const started = await background.start({
      sessionId,
      runId,
      callId,
      messageId,
      command,
      cwd: shown,
      folder,
      unsandboxed,
      signal,
      onStarted: recordProcess,
    });
    try {
      await started.settle(Math.min(timeout ?? START_WAIT, START_WAIT) * 1000, signal);
    } catch (thrown) {
      await started.stop('person'); // the run was stopped while it was being started
      throw thrown;
    }
    return await backgroundOutput(background, started, clock.now());
  } finally {
    listening.dispose();
  }
}

/** The real path: a command's folder is part of what was asked about. */
async function folderOf(parts: ToolParts, cwd: string, context: ToolContext): Promise<string> {
  const [place] = await searchPlaces(parts.disk, cwd, context, 'folder');
  return place?.real ?? cwd;
}

/** Some models say in passing what a command is for. */
function withoutNotes(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'description'));
}

interface Finished extends Partial<CutOutput> {
  readonly command: string;
  readonly cwd: string;
  readonly output: string;
  readonly limit: number;
  readonly tests: CommandTests;
}

/** Facts that the card keeps of a line that runs tests. */
async function testsShown(command: string, output: string): Promise<CommandTests> {
  const tests = await testsIn(command);
  if (tests === undefined) return {};
  const summary = readSummary(output);
  if (summary === undefined) return { tests };
  const { passed, failed, skipped } = summary;
  return { tests, passed, failed, skipped };
}

function commandOutput(
  { command, cwd, output, limit, text, cut, tests }: Finished,
  result: ShellResult,
): DisplayedOutput<RunCommandDisplay> {
  const notes = endNotes(result, output, limit);
  return {
    content: [{ type: 'text', text: withNotes(text ?? output, notes) }],
    isError: result.exitCode !== 0 || result.timedOut,
    ...(cut === undefined ? {} : { cut }),
    display: {
      kind: 'command',
      command,
      cwd,
      ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
      ...(result.signal === undefined ? {} : { signal: result.signal }),
      timedOut: result.timedOut,
      tail: output.slice(-CARD_TAIL),
      total: result.total,
      ...tests,
    },
  };
}

function titleOf(background: boolean, outside: boolean): string {
  if (background)
    return outside
      ? l10n.t('Run a command in the background, outside the sandbox')
      : l10n.t('Run a command in the background');
  return outside ? l10n.t('Run a command, outside the sandbox') : l10n.t('Run a command');
}
