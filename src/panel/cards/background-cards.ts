import * as l10n from '@vscode/l10n';
import type { BackgroundCommand } from '../../core/background/background-command.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { type SessionChange, applySessionChange } from '../../protocol/changes.ts';
import type { SessionView } from '../../protocol/snapshot.ts';
import type { MessageView, ToolView } from '../../protocol/view.ts';

/** Between two pieces of output that are sent to the panel, in milliseconds. */
const INTERVAL = 150;
/** Characters of one piece; what a person could not read anyway is left out. */
const PIECE = 8192;

/** The panel's part of the background commands. */
export type PanelBackground = Pick<BackgroundCommands, 'list' | 'onChange'>;

/** Keeps the cards of commands in the background live, also after their calls have ended. */
export class BackgroundCards implements Disposable {
  readonly #clock: Clock;
  readonly #change: (sessionId: string, changes: readonly SessionChange[]) => void;
  readonly #listening: Disposable;
  readonly #waiting = new Map<BackgroundCommand, string>();
  #timer: Disposable | undefined;

  constructor(
    background: PanelBackground,
    clock: Clock,
    change: (sessionId: string, changes: readonly SessionChange[]) => void,
  ) {
    this.#clock = clock;
    this.#change = change;
    this.#listening = background.onChange((changed) => {
      const { command } = changed;
      if (changed.kind === 'output') this.#add(command, changed.text);
      else {
        this.#flush();
        change(command.origin.sessionId, [stateChange(command)]);
      }
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#timer?.dispose();
  }

  #add(command: BackgroundCommand, text: string): void {
    const before = this.#waiting.get(command) ?? '';
    this.#waiting.set(command, (before + text).slice(-PIECE));
    this.#timer ??= this.#clock.after(INTERVAL, () => this.#flush());
  }

  #flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    for (const [command, text] of this.#waiting) {
      const { sessionId, callId } = command.origin;
      this.#change(sessionId, [{ type: 'output', callId, text: cleanText(text) }]);
    }
    this.#waiting.clear();
  }
}

/** A session that was read, with what still runs of it; what does not is over, whatever was known then. */
export function withBackground(
  view: SessionView,
  background: PanelBackground | undefined,
): SessionView {
  const messages = settled(view.messages, background, view.id ?? '');
  const changes = (background?.list(view.id ?? '') ?? []).flatMap((command): SessionChange[] => [
    stateChange(command),
    ...(command.running
      ? [
          {
            type: 'tool',
            callId: command.origin.callId,
            set: { output: cleanText(command.printed.tail) },
          } as const,
        ]
      : []),
  ]);
  return changes.reduce(applySessionChange, { ...view, messages });
}

/** Messages that were read, with those of their commands that are over shown as such. */
export function settled(
  messages: readonly MessageView[],
  background: PanelBackground | undefined,
  sessionId: string,
): readonly MessageView[] {
  const running = new Set(
    (background?.list(sessionId) ?? [])
      .filter((command) => command.running)
      .map(({ origin }) => origin.id),
  );
  const isOver = (part: MessageView['parts'][number]): part is ToolView =>
    part.type === 'tool' && part.background?.running === true && !running.has(part.background.id);
  return messages.map((message) =>
    message.parts.some(isOver)
      ? {
          ...message,
          parts: message.parts.map((part) =>
            isOver(part)
              ? {
                  ...part,
                  note: l10n.t('ended'),
                  background: { id: part.background?.id ?? '', running: false },
                }
              : part,
          ),
        }
      : message,
  );
}

function stateChange(command: BackgroundCommand): SessionChange {
  const { origin, running, state } = command;
  const ended = state.kind === 'ended' ? state : undefined;
  return {
    type: 'tool',
    callId: origin.callId,
    set: {
      background: { id: origin.id, running },
      ...(ended === undefined ? {} : { note: endNote(ended.end, ended.stoppedBy) }),
    },
  };
}

function endNote(
  end: { readonly exitCode?: number; readonly signal?: string },
  stoppedBy: 'model' | 'person' | undefined,
): string {
  if (stoppedBy === 'person') return l10n.t('stopped by you');
  if (stoppedBy === 'model') return l10n.t('stopped');
  return (
    end.signal ??
    (end.exitCode === 0 ? l10n.t('ended') : l10n.t('exit code {0}', end.exitCode ?? '?'))
  );
}
