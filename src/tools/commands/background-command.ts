import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { BackgroundCommand } from '../../core/background/background-command.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import { visibleCommand } from '../../core/permissions/command/visible-command.ts';
import { endText } from '../../core/background/end-text.ts';
import { fault } from '../../domain/failure.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { backgroundOutput, noBackground, START_WAIT } from './background-text.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type BackgroundListDisplay, backgroundCommandFace } from './background-command-face.ts';
import type { BackgroundDisplay } from './background-display.ts';
import type { ToolParts } from '../tool-parts.ts';

/** Seconds a call may wait for new output. */
const LONGEST_WAIT = 600;
/** Seconds beside the wait in which a command is stopped and reported. */
const MARGIN = 15;

const schema = z.strictObject({
  action: z.enum(['read', 'write', 'stop', 'list']),
  id: z.optional(z.string().check(z.describe('from run_command; not for list'))),
  input: z.optional(
    z.string().check(z.describe('a line to write; "\\u0003" interrupts, "\\u0004" ends its input')),
  ),
  wait: z.optional(
    z
      .number()
      .check(z.gte(0), z.lte(LONGEST_WAIT), z.describe('read: seconds to wait for new output')),
  ),
});

type Input = z.output<typeof schema>;

export function backgroundCommandTool(parts: ToolParts): Tool {
  return defineTool(backgroundCommandFace, {
    description:
      'Reads, writes to, stops or lists commands that run in the background. Reading gives what was printed since the last look, and the exit code.',
    schema,
    sideEffects: true,
    level: 'user',
    module: 'terminal',
    permission: 'execute',
    // Input to a shell is a command; looking and stopping need no yes.
    permissionFor: ({ action }) => (action === 'write' ? 'execute' : 'none'),
    // For rules that deny or ask: what the program makes of it cannot be told, so no yes to it is kept.
    commands: ({ action, input = '' }, roots) =>
      action === 'write' ? [{ command: input, cwd: roots[0] ?? '/', isInput: true }] : [],
    rare: true,
    available: () => parts.commands.background !== undefined,
    timeoutMs: ({ wait = START_WAIT }) => (wait + MARGIN) * 1000,
    preview: ({ id = '', input = '' }, { sessionId }) => {
      const { command, cwd } = commandsOf(parts).find(sessionId, id).origin;
      return Promise.resolve({
        title: l10n.t('Write to a background command'),
        detail: visibleCommand(input),
        where: l10n.t('To “{0}”, which runs in {1}.', visibleCommand(command), cwd),
      });
    },
    run: (input, context) => act(parts, commandsOf(parts), input, context),
  });
}

function commandsOf({ commands: { background } }: ToolParts): BackgroundCommands {
  if (background === undefined) throw noBackground();
  return background;
}

async function act(
  { clock }: ToolParts,
  commands: BackgroundCommands,
  { action, id, input, wait }: Input,
  { sessionId, signal }: ToolContext,
): Promise<DisplayedOutput<BackgroundDisplay | BackgroundListDisplay>> {
  if (action === 'list') return listed(commands, sessionId);
  const command = commands.find(sessionId, given('id', id, action));
  switch (action) {
    case 'read':
      if (wait !== undefined && !command.hasUnread) await command.settle(wait * 1000, signal);
      break;
    case 'write':
      await command.write(given('input', input, action));
      await command.settle((wait ?? START_WAIT) * 1000, signal);
      break;
    case 'stop':
      await command.stop('model');
      break;
    default:
      action satisfies never;
  }
  return backgroundOutput(commands, command, clock.now());
}

function given(name: string, value: string | undefined, action: string): string {
  if (value !== undefined) return value;
  throw fault('invalid', told`${action} needs "${name}". Give it, or use list to see what runs.`);
}

function listed(
  commands: BackgroundCommands,
  sessionId: string,
): DisplayedOutput<BackgroundDisplay | BackgroundListDisplay> {
  const all = commands.list(sessionId);
  const lines = all.map(
    (command: BackgroundCommand) =>
      `${command.origin.id} ${endText(command.state)}: ${command.origin.command} (in ${command.origin.cwd}${command.hasUnread ? ', has new output' : ''})`,
  );
  return {
    content: [
      {
        type: 'text',
        text:
          lines.length === 0
            ? 'Nothing was started in the background in this window.'
            : lines.join('\n'),
      },
    ],
    display: {
      kind: 'background_list',
      running: all.filter(({ running }) => running).length,
      count: all.length,
    },
  };
}
