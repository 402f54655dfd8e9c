import type { OptionName, TextOption } from './options.ts';

/** A command: what comes behind `belay`. */
interface Command {
  readonly text: string;
  readonly options: readonly OptionName[];
  /** Options that must be given. */
  readonly needs: readonly TextOption[];
}

/** Options of every command that opens a host for an agent. */
const HOST = ['workspace', 'data', 'person', 'set', 'model-url'] as const;

/** All commands; each is carried out by a file of `compose/node/commands/`. */
export const COMMANDS = {
  run: {
    text: 'carries out one request, or goes on with one; the command without a name',
    options: [
      ...HOST,
      'prompt',
      'model',
      'permission',
      'thread',
      'resume',
      'accept-loss',
      'review',
      'patch',
      'export',
      'json',
      'serve-context',
    ],
    needs: ['workspace', 'data'],
  },
  'serve-context': {
    text: 'is an MCP server over standard input and output: what the window of VS Code with this data folder shows, for other agents, read-only',
    options: HOST,
    needs: ['workspace', 'data'],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;
