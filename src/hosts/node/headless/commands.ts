import type { OptionName, TextOption } from './options.ts';

/** A command: what comes behind `belay`. */
export interface Command {
  readonly text: string;
  readonly options: readonly OptionName[];
  /** Options that must be given. */
  readonly needs: readonly TextOption[];
  /** Only other parts of Belay call it: the help does not tell of it. */
  readonly hidden?: true;
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
  acp: {
    text: 'is an agent for editors that speak the Agent Client Protocol (Zed, JetBrains, Neovim), over standard input and output',
    options: HOST,
    needs: ['data'],
  },
  'serve-context': {
    text: 'is an MCP server over standard input and output: what the window of VS Code with this data folder shows, for other agents, read-only',
    options: HOST,
    needs: ['workspace', 'data'],
  },
  sessions: {
    text: 'lists the sessions of a data folder, the newest first: id, time, title',
    options: ['data', 'json'],
    needs: ['data'],
  },
  export: {
    text: 'writes a session with its pending changes, secrets masked, for belay import or Import Session in VS Code',
    options: ['workspace', 'data', 'session', 'to'],
    needs: ['workspace', 'data', 'to'],
  },
  import: {
    text: 'takes in a session and makes the changes pending that the files of the workspace have; with --apply also the others',
    options: ['workspace', 'data', 'from', 'apply', 'partial', 'json'],
    needs: ['workspace', 'data', 'from'],
  },
  patch: {
    text: 'writes what a session changed as a patch for git apply',
    options: ['workspace', 'data', 'session', 'to'],
    needs: ['workspace', 'data', 'to'],
  },
  background: {
    text: 'goes on with a run that a window of VS Code hands over, which gives it an order over standard input',
    options: [],
    needs: [],
    hidden: true,
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;
