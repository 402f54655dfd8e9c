import { reasonInWords } from '../../domain/failure.ts';
import * as l10n from '@vscode/l10n';
import type { RunEvent } from '../../domain/event.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Emit } from '../ports/events.ts';
import type { EventBroker } from '../session/event-broker.ts';
import type { Child } from './child.ts';

/** Arguments that say what a call is about. */
const SUBJECTS = ['path', 'pattern', 'query', 'command', 'symbol', 'title'];
/** Characters of them. */
const LONGEST = 80;

/** Tells on the card of the call what its child is doing. */
export class ChildProgress implements Disposable {
  readonly #listening: Disposable;
  readonly #child: Child;
  readonly #emit: Emit;
  #calls = 0;

  constructor(broker: Pick<EventBroker, 'listen'>, child: Child, emit: Emit) {
    this.#child = child;
    this.#emit = emit;
    this.#listening = broker.listen((event) => {
      if (event.sessionId !== child.id) return;
      const message = this.#said(event);
      if (message !== undefined) this.#tell(message);
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #said(event: RunEvent): string | undefined {
    switch (event.type) {
      case 'tool.pending':
        this.#calls += 1;
        return `${event.name} ${subjectOf(event.input)}`.trim();
      case 'agent_run.waiting':
        return l10n.t('waits for your answer');
      case 'model.request':
        return l10n.t('thinks');
      case 'model.waiting':
        return reasonInWords(event);
      default:
        return undefined;
    }
  }

  #tell(message: string): void {
    const { callId } = this.#child;
    const said = this.#calls === 0 ? message : l10n.t('Step {0}: {1}', this.#calls, message);
    this.#emit({ type: 'tool.progress', callId, message: said });
  }
}

function subjectOf(input: JsonObject): string {
  const [subject] = SUBJECTS.flatMap((key) => {
    const value = input[key];
    return typeof value === 'string' ? [value] : [];
  });
  return (subject ?? '').replaceAll(/\s+/gu, ' ').slice(0, LONGEST);
}
