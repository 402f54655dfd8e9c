import { told } from '../../domain/text/told.ts';
import type { BackgroundCommand } from '../../core/background/background-command.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import { endText } from '../../core/background/end-text.ts';
import { type BelayError, fault } from '../../domain/failure.ts';
import { CARD_TAIL, shownOutput, withNotes } from './command-text.ts';
import type { DisplayedOutput } from '../define-tool.ts';
import type { BackgroundDisplay } from './background-display.ts';

/** Seconds that a start, or an input, waits for what the command says to it. */
export const START_WAIT = 10;

/** A background command's output since the last look, and its state; the model knows now. */
export async function backgroundOutput(
  commands: BackgroundCommands,
  command: BackgroundCommand,
  now: number,
): Promise<DisplayedOutput<BackgroundDisplay>> {
  const { output, total, state } = await command.report();
  if (state.kind === 'ended') commands.told(command);
  const { id } = command.origin;
  const text = withNotes(await shownOutput(output, total), [standing(command, state, now)]);
  return {
    content: [
      { type: 'text', text: total === 0 ? text.replace('[no output]', '[no new output]') : text },
    ],
    isError: state.kind === 'ended' && state.stoppedBy === undefined && state.end.exitCode !== 0,
    display: await backgroundDisplay(command, id),
  };
}

function standing(
  { origin: { id } }: BackgroundCommand,
  state: Awaited<ReturnType<BackgroundCommand['report']>>['state'],
  now: number,
): string {
  if (state.kind === 'ended') return `[${id} ${endText(state)}]`;
  if (state.waitsFor === undefined)
    return `[${id} is running (${new Date(now).toISOString().slice(11, 19)}): background_command reads, writes to and stops it]`;
  const what =
    state.waitsFor === 'input' ? 'input' : `an answer to ${JSON.stringify(state.waitsFor)}`;
  return `[${id} waits for ${what}: give it with background_command {"action": "write", "id": "${id}", "input": "…"}]`;
}

/** The card: live while it runs. */
async function backgroundDisplay(
  command: BackgroundCommand,
  id: string,
): Promise<BackgroundDisplay> {
  const { origin, state } = command;
  const { tail, total } = command.printed;
  const end = state.kind === 'ended' ? state.end : {};
  return {
    kind: 'background',
    id,
    command: origin.command,
    cwd: origin.cwd,
    running: state.kind === 'running',
    ...end,
    tail: (await shownOutput(tail, total)).slice(-CARD_TAIL),
    total,
  };
}

export function noBackground(): BelayError {
  return fault(
    'tool',
    told`Commands cannot go on in the background here. Run it without background, with a timeout.`,
  );
}
