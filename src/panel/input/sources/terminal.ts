import * as l10n from '@vscode/l10n';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import { tokensOfCharacters, type MentionSource } from '../source.ts';
import { oneThing } from './one-thing.ts';

/** The last command of a terminal, as far as the editor tells. */
export interface TerminalCommand {
  readonly terminal: string;
  readonly command: string;
  /** Without control codes; the middle of a long one is left out. */
  readonly output: string;
  /** `undefined`: it has not ended, or nobody knows. */
  readonly exitCode: number | undefined;
  readonly isRunning: boolean;
}

/** Characters of a command in its row. */
const SHOWN = 60;

/** Output of the last command in the terminal in front. */
export function terminalSource(
  last: () => TerminalCommand | undefined,
  reader: Pick<MentionReader, 'bySource'>,
  show: () => Promise<void>,
): MentionSource {
  return oneThing({
    id: 'terminal',
    label: 'terminal',
    icon: 'terminal',
    words: 'command output shell',
    detail: () => {
      const command = last();
      return command === undefined
        ? undefined
        : l10n.t('Output of “{0}”', command.command.slice(0, SHOWN));
    },
    take: (sessionId) =>
      reader.bySource(
        'terminal',
        async () => ({ content: [{ type: 'text', text: textOf(last()) }] }),
        sessionId,
      ),
    weigh: async () => tokensOfCharacters(last()?.output.length ?? 0),
    open: show,
  });
}

function textOf(command: TerminalCommand | undefined): string {
  if (command === undefined) return 'No command ran in a terminal with shell integration.';
  const { exitCode, isRunning } = command;
  const end = isRunning
    ? 'still runs'
    : exitCode === undefined
      ? 'has ended'
      : `exit code ${exitCode}`;
  return `Last command of the terminal “${command.terminal}”: ${command.command} (${end})\n${command.output}`;
}
