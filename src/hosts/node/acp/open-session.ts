import type { AgentContext, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import type { EventSubscription } from '../../../core/session/event-subscription.ts';
import type { UnknownDecision } from '../../../core/run/agent-service.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { RunEnd } from '../../../domain/run.ts';
import { messageOf } from './prompt.ts';
import { type AcpRoom, clientId } from './room.ts';
import { Updates, spoken } from './updates.ts';

type Prompt = Parameters<typeof messageOf>[0];

/** Messages that are orders to Belay. */
export const COMMANDS = [
  { name: 'continue', description: 'Go on with what was cut off or stopped' },
  { name: 'compact', description: 'Replace older messages by a summary in what is sent' },
];

const STOPS: Readonly<Partial<Record<RunEnd['reason'], StopReason>>> = {
  done: 'end_turn',
  canceled: 'cancelled',
  max_iterations: 'max_turn_requests',
};

/** A session that a client has before it: what happens in it goes there as updates. */
export class OpenSession {
  readonly room: AcpRoom;
  readonly id: string;
  readonly #client: Pick<AgentContext, 'notify'>;
  readonly #updates: Updates;
  readonly #events: EventSubscription;
  /** Runs that ended and were told, by their id. */
  readonly #ended = new Map<string, RunEnd>();
  readonly #waiting = new Map<string, (end: RunEnd | undefined) => void>();
  #lost = 0;
  #notice: string;

  /** @param notice told with the first answer; may be empty */
  constructor(room: AcpRoom, id: string, client: Pick<AgentContext, 'notify'>, notice: string) {
    this.room = room;
    this.id = id;
    this.#client = client;
    this.#notice = notice;
    this.#updates = new Updates(room.root);
    this.#events = room.broker.subscribe(undefined, id);
    void this.#follow();
  }

  get clientId(): string {
    return clientId(this.room, this.id);
  }

  /** Carries a prompt out; resolves when the client has all of it. Rejects with `BelayError`. */
  async prompt(prompt: Prompt): Promise<StopReason> {
    const { service } = this.room;
    if (service.runs.isBusy(this.id))
      throw fault('busy', told`This session is at work. Cancel it, or wait until it has answered.`);
    if (this.#notice !== '') await this.tell(spoken(`${this.#notice}\n\n`));
    this.#notice = '';
    const message = messageOf(prompt);
    const command = message.text.trim();
    if (command === '/compact' || command.startsWith('/compact ')) {
      await service.compaction.summarize(this.id, command.slice('/compact'.length).trim());
      await this.tell(spoken('The older messages are summed up.'));
      return 'end_turn';
    }
    const runId =
      command === '/continue' ? await this.#goOn() : (await service.send(this.id, message)).runId;
    const end = runId === undefined ? undefined : await this.#endOf(runId);
    // Until then it is at work, and takes no other prompt.
    await service.runs.settled(this.id);
    return this.#stopOf(end);
  }

  cancel(): void {
    this.room.service.runs.cancel(this.id);
  }

  async tell(update: SessionUpdate): Promise<void> {
    await this.#client
      .notify('session/update', { sessionId: this.clientId, update })
      .catch(() => undefined); // it is gone, which its connection tells
  }

  /** The client does not look at it any more: its run is left for another day. */
  close(): void {
    this.room.service.runs.suspend(this.id);
    this.leave();
  }

  leave(): void {
    this.#events.dispose();
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  async #goOn(): Promise<string | undefined> {
    const { service } = this.room;
    const handoff = await service.handoffs.of(this.id);
    if (handoff === undefined) return (await service.continueRun(this.id)).runId;
    if (!handoff.resumable && handoff.asksAgain !== true)
      throw fault('resume_unsafe', handoff.reason ?? told`What was cut off cannot go on.`);
    const decisions: Record<string, UnknownDecision> = {};
    for (const { callId } of handoff.unknown) decisions[callId] = 'let_model_check';
    await service.handoffs.resume(handoff.run.id, decisions);
    return handoff.run.id;
  }

  async #stopOf(end: RunEnd | undefined): Promise<StopReason> {
    if (end === undefined) return 'cancelled';
    const known = STOPS[end.reason];
    if (known !== undefined) return known;
    if (end.failure !== undefined) await this.tell(spoken(`\n\n${end.failure.message}`));
    return end.failure?.code === 'refusal' ? 'refusal' : 'end_turn';
  }

  async #endOf(runId: string): Promise<RunEnd | undefined> {
    return (
      this.#ended.get(runId) ??
      new Promise((resolve) => {
        this.#waiting.set(runId, resolve);
      })
    );
  }

  async #follow(): Promise<void> {
    for await (const event of this.#events) {
      if (this.#events.lost !== this.#lost) this.#updates.lost();
      this.#lost = this.#events.lost;
      for (const update of this.#updates.of(event)) await this.tell(update);
      if (!('end' in event)) continue;
      this.#ended.set(event.runId, event.end);
      this.#waiting.get(event.runId)?.(event.end);
      this.#waiting.delete(event.runId);
    }
  }
}
