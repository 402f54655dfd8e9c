import * as l10n from '@vscode/l10n';
import type { CenterSection } from '../src/protocol/center/view.ts';
import type { PanelCommand } from '../src/protocol/requests.ts';
import { MODE_FACES } from './modes.ts';
import type { Panel } from './panel.ts';

/** A command that is written instead of a message. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Words behind its name are for it. */
  readonly takesWords?: boolean;
  readonly run: (panel: Panel, rest: string) => void;
}

/** The session on screen; a sentence where there is none yet. */
function withSession(panel: Panel, run: (sessionId: string) => void): void {
  const sessionId = panel.store.session.id.peek();
  if (sessionId === null)
    panel.host.refuse(l10n.t('There is no conversation yet: send a message first.'));
  else run(sessionId);
}

const runCommand =
  (command: PanelCommand) =>
  (panel: Panel): void =>
    panel.host.do('runCommand', { command });

const center =
  (section: CenterSection) =>
  (panel: Panel): void =>
    panel.host.do('openCenter', { section });

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'compact',
    description: l10n.t('Sums up older messages; say to how many tokens (20k), and what to keep'),
    icon: 'fold',
    takesWords: true,
    run: (panel, rest) =>
      withSession(panel, (sessionId) =>
        panel.host.do('compact', rest === '' ? { sessionId } : { sessionId, instruction: rest }),
      ),
  },
  {
    name: 'stop',
    description: l10n.t('Stops this run; queued messages are kept'),
    icon: 'debug-stop',
    run: (panel) => panel.run.stop(),
  },
  {
    name: 'new',
    description: l10n.t('Begins a new session'),
    icon: 'add',
    run: (panel) => panel.host.do('newSession', {}),
  },
  {
    name: 'sessions',
    description: l10n.t('Shows all sessions'),
    icon: 'history',
    run: (panel) => {
      panel.page.value = 'sessions';
    },
  },
  {
    name: 'model',
    description: l10n.t('Chooses the model of this session; with a part of its name at once'),
    icon: 'sparkle',
    takesWords: true,
    run: chooseModel,
  },
  {
    name: 'mode',
    description: l10n.t(
      'Chooses how much is asked: {0}',
      MODE_FACES.map(({ value }) => value).join(', '),
    ),
    icon: 'shield',
    takesWords: true,
    run: chooseMode,
  },
  {
    name: 'persona',
    description: l10n.t('Chooses the persona of this session'),
    icon: 'person',
    run: runCommand('choosePersona'),
  },
  {
    name: 'review',
    description: l10n.t('Goes to the pending changes'),
    icon: 'diff',
    run: (panel) => panel.review.goThere(),
  },
  {
    name: 'journal',
    description: l10n.t('Shows the journal of this session, to read and edit'),
    icon: 'notebook',
    run: (panel) =>
      withSession(panel, () => {
        panel.dock.open.value = 'journal';
      }),
  },
  {
    name: 'restore',
    description: l10n.t('Takes files and conversation back to before a message'),
    icon: 'discard',
    run: runCommand('restore'),
  },
  {
    name: 'export',
    description: l10n.t('Saves this session to a file'),
    icon: 'export',
    run: (panel) =>
      withSession(panel, (sessionId) => panel.host.do('exportSession', { sessionId })),
  },
  {
    name: 'tools',
    description: l10n.t('Shows the tools, on and off'),
    icon: 'tools',
    run: center('tools'),
  },
  {
    name: 'memory',
    description: l10n.t('Shows what is remembered'),
    icon: 'bookmark',
    run: center('memory'),
  },
  { name: 'mcp', description: l10n.t('Shows the MCP servers'), icon: 'server', run: center('mcp') },
  {
    name: 'providers',
    description: l10n.t('Shows the providers of models'),
    icon: 'cloud',
    run: center('models'),
  },
  {
    name: 'rules',
    description: l10n.t('Shows and tests your permission rules'),
    icon: 'law',
    run: center('rules'),
  },
  {
    name: 'settings',
    description: l10n.t('Opens the settings of Belay'),
    icon: 'settings-gear',
    run: (panel) => panel.host.do('openSettings', { query: '' }),
  },
  {
    name: 'log',
    description: l10n.t('Shows the log'),
    icon: 'output',
    run: runCommand('showLog'),
  },
  {
    name: 'help',
    description: l10n.t('Opens the walkthrough'),
    icon: 'question',
    run: runCommand('openWalkthrough'),
  },
];

function chooseModel(panel: Panel, words: string): void {
  const wanted = words.toLowerCase();
  const models = panel.store.models.peek();
  const exact = models.filter(({ id }) => id.toLowerCase() === wanted);
  const fitting = models.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted));
  const [found, ...others] = exact.length > 0 ? exact : fitting;
  if (words === '' || others.length > 0) runCommand('chooseModel')(panel);
  else if (found === undefined) panel.host.refuse(l10n.t('No model is called “{0}”.', words));
  else panel.host.do('setModel', { sessionId: panel.store.session.id.peek(), model: found.id });
}

function chooseMode(panel: Panel, words: string): void {
  const found = MODE_FACES.find(({ value }) => value === words.toLowerCase());
  if (found !== undefined)
    panel.host.do('setMode', { sessionId: panel.store.session.id.peek(), mode: found.value });
  else if (words === '') runCommand('chooseMode')(panel);
  else panel.host.refuse(l10n.t('There is no mode “{0}”.', words));
}

/** The command that a text is, if it is one: `/compact keep the API`. */
export function slashCommand(
  text: string,
): { readonly command: SlashCommand; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  const command = SLASH_COMMANDS.find((known) => known.name === name);
  if (command === undefined || (rest !== '' && command.takesWords !== true)) return undefined;
  return { command, rest: rest.trim() };
}

/** A word behind `/` that is no command of the panel; the host may know it. `undefined`: the text begins with none. */
export function unknownCommand(text: string): string | undefined {
  if (slashCommand(text) !== undefined) return undefined;
  return /^\/([\p{L}\p{N}_.:-]+)(?=\s|$)/u.exec(text.trim())?.[1];
}

/** Commands whose names begin as what was typed, and then those that have it within. */
export function commandsFor(query: string): readonly SlashCommand[] {
  if (/\s/u.test(query)) return [];
  const typed = query.toLowerCase();
  const begin = SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed));
  const within = SLASH_COMMANDS.filter(
    ({ name }) => !name.startsWith(typed) && name.includes(typed),
  );
  return [...begin, ...within];
}

/** A command of the panel with words behind it: nothing is left to complete. */
export function isCommandWithWords(query: string): boolean {
  return /\s/u.test(query) && slashCommand(`/${query}`) !== undefined;
}
