import type { Panel } from './panel.ts';

/** A command that is written instead of a message. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly run: (panel: Panel, rest: string) => void;
}

/** The session on screen; a sentence where there is none yet. */
function withSession(panel: Panel, run: (sessionId: string) => void): void {
  const sessionId = panel.store.session.id.peek();
  if (sessionId === null) panel.host.refuse('There is no conversation yet: send a message first.');
  else run(sessionId);
}

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'compact',
    description: 'Sums up older messages; say to how many tokens (20k), and what to keep',
    run: (panel, rest) =>
      withSession(panel, (sessionId) =>
        panel.host.do('compact', rest === '' ? { sessionId } : { sessionId, instruction: rest }),
      ),
  },
  {
    name: 'new',
    description: 'Begins a new session',
    run: (panel) => panel.host.do('newSession', {}),
  },
  {
    name: 'sessions',
    description: 'Shows all sessions',
    run: (panel) => {
      panel.page.value = 'sessions';
    },
  },
  {
    name: 'export',
    description: 'Saves this session to a file',
    run: (panel) =>
      withSession(panel, (sessionId) => panel.host.do('exportSession', { sessionId })),
  },
  {
    name: 'rules',
    description: 'Shows and tests your permission rules',
    run: (panel) => panel.host.do('openCenter', { section: 'rules' }),
  },
  { name: 'log', description: 'Shows the log', run: (panel) => panel.host.do('showLog', {}) },
];

/** The command that a text is, if it is one: `/compact keep the API`. */
export function slashCommand(
  text: string,
): { readonly command: SlashCommand; readonly rest: string } | undefined {
  const [, name, rest] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  const command = SLASH_COMMANDS.find((known) => known.name === name);
  return command === undefined ? undefined : { command, rest: rest?.trim() ?? '' };
}

/** Commands that begin as the draft does; none when it is something else. */
export function suggestions(draft: string): readonly SlashCommand[] {
  const typed = /^\/([a-z]*)$/u.exec(draft)?.[1];
  if (typed === undefined) return [];
  return SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed));
}
