import * as z from 'zod/mini';
import { BelayError } from '../domain/failure.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ShellResult } from '../core/ports.ts';
import { isAbortError } from '../core/abort.ts';
import { cleanText } from '../core/tool-call/text-hygiene.ts';
import type { Tool, ToolContext } from '../core/tool-call/tool-call.ts';
import { defineTool } from './define-tool.ts';
import { OutputStream } from './output-stream.ts';
import { renamed } from './other-spellings.ts';
import { searchPlaces, touchesOf } from './search-place.ts';
import type { ToolParts } from './tool-parts.ts';
import { shownPath } from './workspace-path.ts';

/** Seconds that the deadline wrapper waits longer than the command's own limit: it ends the command and reports. */
const MARGIN = 15;
/** Characters of output that the card shows. */
const CARD_TAIL = 4000;
/** Characters of partial output that a canceled call tells the model. */
const CANCELED_TAIL = 2000;
/** Share of unreadable characters from which output counts as binary. */
const BINARY_SHARE = 0.1;

const schema = z.strictObject({
  command: z.string().check(z.minLength(1)),
  cwd: z.optional(z.string().check(z.describe('folder; default: the workspace'))),
  timeout: z.optional(
    z.number().check(z.gt(0), z.lte(86_400), z.describe('seconds; give more for builds and tests')),
  ),
});

export function runCommandTool(parts: ToolParts): Tool {
  const seconds = (timeout: number | undefined): number =>
    timeout ?? parts.settings('tools.timeout');
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command and gives its output and exit code. It gets no input: use flags that do not ask. Its processes end with it. To read, search or edit files use the other tools.',
    schema,
    accept: (input) =>
      withoutNotes(renamed(input, { cmd: 'command', workdir: 'cwd', directory: 'cwd' })),
    sideEffects: true,
    level: 'user',
    module: 'terminal',
    permission: 'execute',
    timeoutMs: ({ timeout }) => (seconds(timeout) + MARGIN) * 1000,
    touches: ({ cwd = '.' }, roots) => touchesOf(cwd, roots),
    preview: async ({ command, cwd = '.' }, context) => ({
      title: 'Run a command',
      detail: `${command}\n\nin ${await folderOf(parts, cwd, context)}`,
    }),
    run: async ({ command, cwd = '.', timeout }, context) => {
      const folder = await folderOf(parts, cwd, context);
      const live = new OutputStream(parts.clock, context.emit, context.callId);
      let seen = '';
      try {
        const result = await parts.shell.run({
          command,
          cwd: folder,
          timeoutMs: seconds(timeout) * 1000,
          signal: context.signal,
          onOutput: (text) => {
            seen = (seen + text).slice(-CANCELED_TAIL);
            live.add(text);
          },
          onStarted: (process) => context.recordProcess(process),
        });
        return commandOutput(command, shownPath(folder, context.roots), result, seconds(timeout));
      } catch (thrown) {
        if (!isAbortError(thrown)) throw thrown;
        const output =
          seen.trim() === '' ? 'It had printed nothing.' : `Its output so far ended with:\n${seen}`;
        throw new BelayError(
          {
            code: 'canceled',
            message: `The command was stopped and may have done part of its work. ${output}`,
          },
          { cause: thrown },
        );
      } finally {
        live.dispose();
      }
    },
  });
}

/** The real path: a command's folder is part of what was asked about. */
async function folderOf(parts: ToolParts, cwd: string, context: ToolContext): Promise<string> {
  const [place] = await searchPlaces(parts, cwd, context, 'folder');
  return place?.real ?? cwd;
}

/** Some models say in passing what a command is for. */
function withoutNotes(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'description'));
}

function commandOutput(command: string, cwd: string, result: ShellResult, limit: number) {
  const output = isBinary(result.output)
    ? `[binary output, ${result.total} characters, not shown]`
    : cleanText(withoutOverwritten(result.output));
  const notes = [ending(result, limit)];
  if (result.childrenStopped) notes.push('Processes that it had left running were stopped.');
  const text =
    output.trim() === ''
      ? `[no output]\n${notes.join(' ')}`
      : `${output.replace(/\n$/u, '')}\n${notes.join(' ')}`;
  return {
    content: [{ type: 'text' as const, text }],
    isError: result.exitCode !== 0 || result.timedOut,
    display: {
      kind: 'command' as const,
      command,
      cwd,
      ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
      ...(result.signal === undefined ? {} : { signal: result.signal }),
      timedOut: result.timedOut,
      tail: output.slice(-CARD_TAIL),
      total: result.total,
    },
  };
}

/** What a progress bar wrote over by returning to the beginning of its line is not shown by a terminal either. */
function withoutOverwritten(output: string): string {
  if (!output.includes('\r')) return output;
  const lines = output.split('\n').map((line) => {
    let end = line.length;
    while (line[end - 1] === '\r') end -= 1;
    return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
  });
  return lines.join('\n');
}

function ending({ exitCode, signal, timedOut }: ShellResult, limit: number): string {
  if (timedOut)
    return `[stopped after ${limit} s, its time limit: give a longer timeout if it needs one, and no input is ever available to it]`;
  if (signal !== undefined) return `[ended by ${signal}]`;
  return `[exit code ${exitCode ?? 'unknown'}]`;
}

function isBinary(output: string): boolean {
  const probe = output.slice(0, 4096);
  // oxlint-disable-next-line no-control-regex
  const unreadable = probe.match(/[\u0000-\u0006\u000e-\u001a\u001c-\u001f\ufffd]/gu)?.length ?? 0;
  return unreadable > probe.length * BINARY_SHARE;
}
