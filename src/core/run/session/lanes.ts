import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Attachment, QueuedMessage } from '../../../domain/session/session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Log } from '../../ports/log.ts';
import type { Recorder, Write } from '../../ports/store/recorder.ts';
import type { RunRecords } from '../../ports/store/run-records.ts';
import type { EventBroker } from '../../session/event-broker.ts';

export interface LanePorts {
  readonly recorder: Recorder;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly broker: Pick<EventBroker, 'publish'>;
  readonly runs: Pick<RunRecords, 'queued'>;
  readonly log: Log;
  /** A session that is at work here: its lane is known best here. */
  readonly isBusy: (sessionId: string) => boolean;
}

/** Messages that wait for their session (C7): one lane each, in order, editable, on disk first. */
export class Lanes {
  readonly #ports: LanePorts;
  readonly #lanes = new Map<string, QueuedMessage[]>();
  /** Sessions whose messages wait whatever happens. */
  readonly #held = new Set<string>();
  /** Sessions whose messages wait for the user, as far as this process knows. */
  readonly #paused = new Set<string>();
  /** Messages that are being added or removed at this moment. */
  readonly #unsettled = new Set<string>();

  /** `queued`: what earlier processes left on disk. */
  constructor(ports: LanePorts, queued: readonly QueuedMessage[]) {
    this.#ports = ports;
    for (const message of queued.toSorted((left, right) => left.position - right.position)) {
      const lane = this.#lane(message.sessionId);
      if (!lane.some((known) => known.id === message.id)) lane.push(message);
    }
  }

  list(sessionId: string): readonly QueuedMessage[] {
    return this.#lanes.get(sessionId) ?? [];
  }

  /** Puts a message at the end, or at the front, of its lane. Resolves when it is on disk. */
  async add(
    sessionId: string,
    text: string,
    attachments: readonly Attachment[],
    mode: QueuedMessage['mode'],
    place: 'first' | 'last' = 'last',
  ): Promise<QueuedMessage> {
    const lane = this.#lane(sessionId);
    const edge = place === 'first' ? lane.at(0) : lane.at(-1);
    const step = place === 'first' ? -1 : 1;
    const queued: QueuedMessage = {
      id: this.#ports.ids.next('queued'),
      sessionId,
      position: edge === undefined ? 0 : edge.position + step,
      text,
      attachments,
      mode,
      createdAt: this.#ports.clock.now(),
    };
    if (place === 'first') lane.unshift(queued);
    else lane.push(queued);
    this.#unsettled.add(queued.id);
    try {
      await this.#ports.recorder.commit([{ kind: 'queued', queued }]);
    } catch (error) {
      const now = this.#lane(sessionId);
      const index = now.indexOf(queued);
      if (index >= 0) now.splice(index, 1);
      throw error;
    } finally {
      this.#unsettled.delete(queued.id);
    }
    this.#changed(sessionId);
    return queued;
  }

  async edit(id: string, text: string): Promise<void> {
    const { lane, message } = this.#find(id);
    const edited = { ...message, text };
    await this.#ports.recorder.commit([{ kind: 'queued', queued: edited }]);
    // The lane may have moved on while the edit was written.
    const now = lane.findIndex((waiting) => waiting.id === id);
    if (now === -1) throw gone();
    lane[now] = edited;
    this.#changed(message.sessionId);
  }

  async remove(id: string): Promise<void> {
    const { lane, message } = this.#find(id);
    const index = lane.indexOf(message);
    lane.splice(index, 1);
    this.#unsettled.add(id);
    try {
      await this.#ports.recorder.commit([{ kind: 'dequeued', id }]);
    } catch (error) {
      this.#lane(message.sessionId).splice(index, 0, message);
      throw error;
    } finally {
      this.#unsettled.delete(id);
    }
    this.#changed(message.sessionId);
  }

  /** Moves a message to a place among the waiting ones, 0 first. */
  async move(id: string, index: number): Promise<void> {
    const { lane, message } = this.#find(id);
    const others = lane.filter((waiting) => waiting !== message);
    others.splice(Math.max(0, Math.min(index, others.length)), 0, message);
    const placed = others.map((waiting, position) =>
      waiting.position === position ? waiting : { ...waiting, position },
    );
    const writes = placed
      .filter((waiting) => !lane.includes(waiting))
      .map((queued): Write => ({ kind: 'queued', queued }));
    if (writes.length > 0) await this.#ports.recorder.commit(writes);
    // The lane may have moved on meanwhile: who left it stays away, who came stays at the end.
    const now = this.list(message.sessionId);
    const waits = (id: string): boolean => now.some((waiting) => waiting.id === id);
    const came = now.filter((waiting) => !placed.some(({ id }) => id === waiting.id));
    this.#lanes.set(message.sessionId, [...placed.filter(({ id }) => waits(id)), ...came]);
    this.#changed(message.sessionId);
  }

  /** Takes the first message that may start a run; the caller records that it left the queue. */
  takeNext(sessionId: string): QueuedMessage | undefined {
    if (this.#held.has(sessionId) || this.#paused.has(sessionId)) return undefined;
    const taken = this.#lanes.get(sessionId)?.shift();
    if (taken !== undefined) this.#changed(sessionId);
    return taken;
  }

  /** Takes all messages meant for the running run; the caller records that they left the queue. */
  takeSteering(sessionId: string): readonly QueuedMessage[] {
    const lane = this.#lanes.get(sessionId) ?? [];
    const steering = lane.filter((message) => message.mode === 'steer');
    if (steering.length === 0) return [];
    this.#lanes.set(
      sessionId,
      lane.filter((message) => message.mode !== 'steer'),
    );
    this.#changed(sessionId);
    return steering;
  }

  /** The run is over: messages that were meant for it wait like the others. */
  async endSteering(sessionId: string): Promise<void> {
    for (const message of this.list(sessionId).filter(({ mode }) => mode === 'steer')) {
      const queued: QueuedMessage = { ...message, mode: 'queue' };
      await this.#ports.recorder.commit([{ kind: 'queued', queued }]);
      // The lane may have moved on while this was written.
      const lane = this.#lane(sessionId);
      const index = lane.indexOf(message);
      if (index >= 0) lane[index] = queued;
    }
    this.#changed(sessionId);
  }

  /** Puts messages back, in front, that could not be started or recorded. */
  putBack(...queued: readonly QueuedMessage[]): void {
    for (const message of queued.toReversed()) this.#lane(message.sessionId).unshift(message);
    for (const sessionId of new Set(queued.map((message) => message.sessionId)))
      this.#changed(sessionId);
  }

  /** Another window has written: takes over what is queued in sessions that are not at work here. Never rejects. */
  async refresh(): Promise<void> {
    const { runs, log, isBusy } = this.#ports;
    try {
      const stored = Map.groupBy(await runs.queued(), ({ sessionId }) => sessionId);
      for (const sessionId of new Set([...this.waiting(), ...stored.keys()]))
        if (isBusy(sessionId)) this.#takeFollowUps(sessionId, stored.get(sessionId) ?? []);
        else this.#takeOver(sessionId, stored.get(sessionId) ?? []);
    } catch (error) {
      log.warn('The queues could not be read again.', { reason: String(error) });
    }
  }

  /** A session at work is known best here; only what came back into it by itself is new. */
  #takeFollowUps(sessionId: string, stored: readonly QueuedMessage[]): void {
    const known = new Set(this.list(sessionId).map(({ id }) => id));
    const come = stored.filter(({ id, origin }) => origin === 'followup' && !known.has(id));
    if (come.length === 0) return;
    this.#lane(sessionId).push(...come);
    this.#changed(sessionId);
  }

  #takeOver(sessionId: string, stored: readonly QueuedMessage[]): void {
    const now = this.list(sessionId);
    // A message that is being written at this moment is known better here.
    const coming = now.filter(({ id }) => this.#unsettled.has(id));
    const next = [...stored.filter(({ id }) => !this.#unsettled.has(id)), ...coming];
    if (JSON.stringify(now) === JSON.stringify(next)) return;
    this.#lanes.set(sessionId, next);
    this.#changed(sessionId);
  }

  /** The sessions in which something waits. */
  waiting(): readonly string[] {
    return [...this.#lanes].flatMap(([sessionId, lane]) => (lane.length > 0 ? [sessionId] : []));
  }

  /** While a lane is held nothing of it starts a run. */
  hold(sessionId: string, held: boolean): void {
    if (held) this.#held.add(sessionId);
    else this.#held.delete(sessionId);
  }

  /** While a lane is paused it waits for the user: after a stop, a restore or an import. */
  pause(sessionId: string, paused: boolean): void {
    if (paused) this.#paused.add(sessionId);
    else this.#paused.delete(sessionId);
  }

  forget(sessionId: string): void {
    this.#held.delete(sessionId);
    this.#lanes.delete(sessionId);
  }

  #changed(sessionId: string): void {
    const queued = this.list(sessionId);
    this.#ports.broker.publish(sessionId, '', { type: 'session.queue', queued });
  }

  #lane(sessionId: string): QueuedMessage[] {
    let lane = this.#lanes.get(sessionId);
    if (lane === undefined) {
      lane = [];
      this.#lanes.set(sessionId, lane);
    }
    return lane;
  }

  #find(id: string): { lane: QueuedMessage[]; message: QueuedMessage } {
    for (const lane of this.#lanes.values()) {
      const message = lane.find((waiting) => waiting.id === id);
      if (message !== undefined) return { lane, message };
    }
    throw gone();
  }
}

function gone(): BelayError {
  return fault(
    'not_found',
    told`This message is no longer queued: it was sent or removed. Its text is in the conversation if it was sent.`,
  );
}
