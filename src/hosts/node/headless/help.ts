import { type Command, type CommandName, COMMANDS } from './commands.ts';
import { type Option, type OptionName, OPTIONS } from './options.ts';

/** Characters of a line of the help. */
const WIDTH = 100;
/** Characters of the column of options. */
const COLUMN = 24;

const CLOSING = `The key is read from the variable that the setting model.keyVariable names, else from ANTHROPIC_API_KEY,
else, as a bearer token, from ANTHROPIC_AUTH_TOKEN; that of a provider NAME in the setting model.providers from
BELAY_KEY_NAME, else from the variable that is usual for it (OPENAI_API_KEY, say). Those for searching the web are
BELAY_KEY_BRAVE and BELAY_KEY_TAVILY.
Exit codes: 0 the turn ended well, 1 it ended with an error, 2 bad arguments, 3 it waits for a human,
130 it was interrupted; it can be resumed.
`;

/** The help of one command, or of all. */
export function helpText(command?: CommandName): string {
  if (command !== undefined) return `${usageOf(command)}\n\n${optionsOf(command)}\n${CLOSING}`;
  const commands = Object.entries<Command>(COMMANDS)
    .map(([name, { text, hidden }]) => (hidden === true ? '' : row(name, text)))
    .join('');
  return `Usage: belay [COMMAND] [options]

${commands}
belay help COMMAND tells the options of a command, belay --version which Belay this is. Those of run:

${optionsOf('run')}
${CLOSING}`;
}

/** The line that shows how a command is called. */
export function usageOf(command: CommandName): string {
  const needs = COMMANDS[command].needs.map((name) => ` ${spelled(name)}`).join('');
  return `Usage: belay ${command}${needs} [options]`;
}

function optionsOf(command: CommandName): string {
  const names: readonly OptionName[] = [...COMMANDS[command].options, 'help'];
  return names.map((name) => row(spelled(name), OPTIONS[name].text)).join('');
}

function spelled(name: OptionName): string {
  const { value }: Option = OPTIONS[name];
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function row(name: string, text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && COLUMN + line.length + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  const head = `  ${name}`;
  const first = head.length < COLUMN - 1 ? [] : [`${head}\n`];
  const rows = lines.map(
    (line, index) => `${(index === 0 && first.length === 0 ? head : '').padEnd(COLUMN)}${line}\n`,
  );
  return [...first, ...rows].join('');
}
