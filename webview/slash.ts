import * as l10n from '@vscode/l10n';
import type { SlashCommandRow } from '../src/domain/slash-command.ts';
import type { CenterSection } from '../src/protocol/center/view.ts';
import type { PanelCommand } from '../src/protocol/requests.ts';
import { MODE_FACES } from './modes.ts';
import type { Panel } from './panel.ts';

/** Reads the commands that the host put into the page. */
export function readSlashCommands(): readonly SlashCommandRow[] {
  const json = document.getElementById('commands')?.textContent ?? '[]';
  return JSON.parse(json) as readonly SlashCommandRow[];
}

/** Commands that the page runs itself; the host runs the others by the names of its commands. */
const RUN_HERE: Readonly<Record<string, (panel: Panel, words: string) => void>> = {
  compact: (panel, words) => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId === null)
      panel.host.refuse(l10n.t('There is no conversation yet: send a message first.'));
    else panel.host.do('compact', words === '' ? { sessionId } : { sessionId, instruction: words });
  },
  stop: (panel) => panel.run.stop(),
  sessions: (panel) => {
    panel.page.value = 'sessions';
  },
  model: chooseModel,
  mode: chooseMode,
};

/** @param words after the name of the command */
export function runSlashCommand(panel: Panel, row: SlashCommandRow, words: string): void {
  const run = RUN_HERE[row.name];
  if (run !== undefined) run(panel, words);
  else if (row.section === undefined)
    panel.host.do('runCommand', { command: row.command as PanelCommand });
  else panel.host.do('openCenter', { section: row.section as CenterSection });
}

function chooseModel(panel: Panel, words: string): void {
  const wanted = words.toLowerCase();
  const models = panel.store.models.peek();
  const exact = models.filter(({ id }) => id.toLowerCase() === wanted);
  const fitting = models.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted));
  const [found, ...others] = exact.length > 0 ? exact : fitting;
  if (words === '' || others.length > 0) panel.host.do('runCommand', { command: 'chooseModel' });
  else if (found === undefined) panel.host.refuse(l10n.t('No model is called “{0}”.', words));
  else panel.host.do('setModel', { sessionId: panel.store.session.id.peek(), model: found.id });
}

function chooseMode(panel: Panel, words: string): void {
  const found = MODE_FACES.find(({ value }) => value === words.toLowerCase());
  if (found !== undefined)
    panel.host.do('setMode', { sessionId: panel.store.session.id.peek(), mode: found.value });
  else if (words === '') panel.host.do('runCommand', { command: 'chooseMode' });
  else panel.host.refuse(l10n.t('There is no mode “{0}”.', words));
}

/** Finds the command that a text is: `/compact keep the API`. */
export function findSlashCommand(
  commands: readonly SlashCommandRow[],
  text: string,
): { readonly row: SlashCommandRow; readonly words: string } | undefined {
  const [, name, words = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  const row = commands.find((known) => known.name === name);
  if (row === undefined || (words !== '' && row.takesWords !== true)) return undefined;
  return { row, words: words.trim() };
}

/** A word after `/` that is no command of the panel; the host may know it. `undefined`: the text begins with none. */
export function findUnknownCommand(
  commands: readonly SlashCommandRow[],
  text: string,
): string | undefined {
  if (findSlashCommand(commands, text) !== undefined) return undefined;
  return /^\/([\p{L}\p{N}_.:-]+)(?=\s|$)/u.exec(text.trim())?.[1];
}

/** Lists commands whose names begin as what was typed, and then those that have it within. */
export function filterSlashCommands(
  commands: readonly SlashCommandRow[],
  query: string,
): readonly SlashCommandRow[] {
  const typed = query.toLowerCase();
  const fitting = commands.filter(({ name }) => name.includes(typed));
  return fitting.toSorted(
    (left, right) => Number(right.name.startsWith(typed)) - Number(left.name.startsWith(typed)),
  );
}
