import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { fault, tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import {
  type FollowUp,
  FOLLOWUP_LENGTH,
  LATEST,
  MOST_IN_A_ROW,
  SOONEST,
} from '../../domain/session/followup.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { FollowUpRecords } from '../ports/store/followups.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { EventBroker } from './event-broker.ts';

/** Milliseconds between two looks: another window may have scheduled one, or closed; the machine may have slept. */
const LOOK_MS = 15_000;

export interface FollowUpPorts {
  readonly records: FollowUpRecords;
  readonly transcripts: Pick<Transcripts, 'messages'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly broker: Pick<EventBroker, 'publish'>;
  readonly log: Log;
  /** Workspace Trust: without it none is sent. */
  readonly trusted: () => boolean;
  /** Else nothing is sent from here. */
  readonly staysOpen: boolean;
}

/** Prompts that come back into their sessions (A15): once, in one window, into the queue of the session. */
export class FollowUps {
  readonly #ports: FollowUpPorts;
  /** Those that the person was told about: they wait for trust. */
  readonly #held = new Set<string>();
  #wake: (() => Promise<void>) | undefined;
  #timer: Disposable | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(ports: FollowUpPorts) {
    this.#ports = ports;
  }

  /** From now on those that are due are sent. @param wake starts what has come into queues */
  start(wake: () => Promise<void>): Disposable {
    if (!this.#ports.staysOpen) return { dispose: () => undefined };
    this.#wake = wake;
    this.#look();
    const looking = this.#ports.clock.every(LOOK_MS, () => this.#look());
    return {
      dispose: () => {
        this.#wake = undefined;
        looking.dispose();
        this.#timer?.dispose();
      },
    };
  }

  async all(): Promise<readonly FollowUp[]> {
    return this.#ports.records.all();
  }

  async of(sessionId: string): Promise<readonly FollowUp[]> {
    return (await this.all()).filter((one) => one.sessionId === sessionId);
  }

  /** Rejects with `invalid`, and nothing is scheduled, beyond the bounds of time and number. */
  async schedule(sessionId: string, prompt: string, dueAt: number): Promise<FollowUp> {
    const { clock, ids, records } = this.#ports;
    const text = this.#checked(prompt, dueAt);
    await this.#refuseChain(sessionId);
    const createdAt = clock.now();
    const followUp = { id: ids.next('followup'), sessionId, prompt: text, dueAt, createdAt };
    await records.add(followUp);
    await this.#changed(sessionId);
    return followUp;
  }

  /** Changes one that waits. Rejects with `not_found` when it was sent or cancelled meanwhile. */
  async change(id: string, prompt: string, dueAt: number): Promise<void> {
    const found = await this.#find(id);
    const to = { prompt: this.#checked(prompt, dueAt), dueAt };
    if (!(await this.#ports.records.change(id, to))) throw gone();
    await this.#changed(found.sessionId);
  }

  /** Gives the one that was cancelled; rejects with `not_found`. */
  async cancel(id: string): Promise<FollowUp> {
    const found = await this.#find(id);
    if (!(await this.#ports.records.remove(id))) throw gone();
    await this.#changed(found.sessionId);
    return found;
  }

  #checked(prompt: string, dueAt: number): string {
    const text = cleanText(prompt).trim();
    if (text === '' || text.length > FOLLOWUP_LENGTH)
      throw fault('invalid', told`The prompt needs 1 to ${FOLLOWUP_LENGTH} characters.`);
    const ahead = dueAt - this.#ports.clock.now();
    // A moment passes between a choice and this.
    if (!(ahead >= SOONEST - 5000 && ahead <= LATEST))
      throw fault(
        'invalid',
        told`The time must be at least a minute and at most 30 days ahead. Nothing was changed.`,
      );
    return text;
  }

  /** Follow-ups that schedule the next one end where nobody has said a word for long. */
  async #refuseChain(sessionId: string): Promise<void> {
    const messages = await this.#ports.transcripts.messages({ sessionId });
    const last = messages.findLastIndex(({ origin }) => origin === 'person');
    const many = messages.slice(last + 1).filter(({ origin }) => origin === 'followup').length;
    if (many < MOST_IN_A_ROW) return;
    throw fault(
      'invalid',
      told`${many} follow-ups have followed each other without a word of the person, which is the most. Nothing was scheduled: say what is left to do, and let the person go on.`,
    );
  }

  async #find(id: string): Promise<FollowUp> {
    const found = (await this.all()).find((one) => one.id === id);
    if (found === undefined) throw gone();
    return found;
  }

  async #changed(sessionId: string): Promise<void> {
    await this.#publish(sessionId);
    this.#look();
  }

  /** Sends what is due, one look after the other; what is due before the next look gets a timer of its own. */
  #look(): void {
    this.#looking = this.#lookAfter(this.#looking);
  }

  async #lookAfter(before: Promise<void>): Promise<void> {
    await before;
    if (this.#wake === undefined) return;
    this.#timer?.dispose();
    try {
      const ms = await this.#fireDue(this.#wake);
      if (ms < LOOK_MS) this.#timer = this.#ports.clock.after(ms, () => this.#look());
    } catch (error) {
      this.#ports.log.error('Follow-ups could not be sent yet; they are kept.', error);
    }
  }

  /** Gives the milliseconds until the next one is due. */
  async #fireDue(wake: () => Promise<void>): Promise<number> {
    const { clock, records, trusted } = this.#ports;
    const all = await records.all();
    const now = clock.now();
    const due = all.filter(({ dueAt }) => dueAt <= now);
    if (trusted()) {
      for (const { id, sessionId } of due) {
        if (!(await records.fire(id, now))) continue;
        this.#held.delete(id);
        await this.#publish(sessionId);
      }
    } else this.#hold(due);
    await wake();
    const ahead = all.find(({ dueAt }) => dueAt > now);
    return ahead === undefined ? Infinity : Math.max(1, ahead.dueAt - now);
  }

  async #publish(sessionId: string): Promise<void> {
    const followUps = await this.of(sessionId);
    this.#ports.broker.publish(sessionId, '', { type: 'session.followups', followUps });
  }

  #hold(due: readonly FollowUp[]): void {
    for (const { id, sessionId } of due) {
      if (this.#held.has(id)) continue;
      this.#held.add(id);
      const words = tells(
        told`A follow-up is due and was not sent: this workspace is not trusted. It is kept, and sent once you trust the workspace; Belay: Show Follow-ups lets you cancel it.`,
      );
      this.#ports.log.warn(words.message, { followUp: id });
      this.#ports.broker.publish(sessionId, '', { type: 'warning', ...words });
    }
  }
}

const gone = () =>
  fault(
    'not_found',
    told`This follow-up does not wait any more: it was sent or cancelled. Nothing was changed.`,
  );
