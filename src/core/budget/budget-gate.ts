import type { Amounts, Cap, CapUse } from '../../domain/budget.ts';
import { type Failure, failureOf } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { isAbortError } from '../../domain/lifetime/abort.ts';
import { type CacheTtl, costOf } from '../model-call/cost.ts';
import type { ModelCallContext, ModelRequest } from '../model-call/model-call.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Admission, PersonRecords, PlannedRequest } from '../ports/store/person.ts';
import type { UsageRecord } from '../ports/store/recorder.ts';
import { capsOf } from './caps.ts';

/** The reason why a request is not sent. */
export type BudgetStop =
  | { readonly kind: 'cap'; readonly cap: CapUse; readonly needed: Amounts }
  /** The person's database says nothing. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  /** A cap in money, and a model whose price nobody knows. */
  | { readonly kind: 'unpriced'; readonly model: string; readonly cap: Cap };

/**
 * `again`: checks once more; `without`: the run goes on without the caps that cannot be checked; `more`: raises the
 * cap by this amount for the run, in the cap's unit. Settings stay as they are.
 */
export type BudgetAnswer = 'again' | 'without' | 'stop' | { readonly more: number };

/** Who is told of budgets, and decides. */
export interface BudgetPerson {
  /** The failure that stands in the run's end. */
  failure(stop: BudgetStop): Failure;
  /** Of a cap that is nearly used up. */
  warning(near: CapUse): string;
  /** Asks what is to become of a run; rejects with AbortError when the signal fires. */
  ask(stop: BudgetStop, context: ModelCallContext, signal: AbortSignal): Promise<BudgetAnswer>;
}

export interface BudgetPorts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  readonly records: PersonRecords;
  readonly person: BudgetPerson;
  readonly modelOf: (model: string) => ModelInfo;
  readonly cacheTtl: () => CacheTtl;
  /** The session and the run whose budget a call uses: those at the top of what was delegated. */
  readonly payer: (call: Payer) => Payer;
}

/** A session and its run. */
export type Payer = Pick<ModelCallContext, 'sessionId' | 'runId'>;

/** Milliseconds between two looks while others have the rest reserved. */
const WAIT_MS = 200;
/** Milliseconds after which a paused run looks by itself: the cap was raised elsewhere, or its time is over. */
const LOOK_MS = 2000;
/** Tokens of a short answer. */
const SHORT_ANSWER = 500;
/** Characters of a token, in requests whose tokens nobody counted. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Lets a request out when the caps allow it, whoever else of the person works at the same time (A2). A run over a cap
 * pauses there; a request beside runs is refused.
 */
export class BudgetGate {
  readonly #ports: BudgetPorts;
  readonly #settling = new Set<Promise<void>>();
  /** Keys whose reservation goes with their usage. */
  readonly #settled = new Set<string>();
  readonly #reserved = new Map<string, ModelCallContext>();
  /** Runs that go on without the caps that cannot be checked, by the person's word. */
  readonly #waived = new Map<string, BudgetStop['kind']>();
  /** Amounts that the user added to caps, by run and cap. */
  readonly #extra = new Map<string, number>();
  #told = false;

  constructor(ports: BudgetPorts) {
    this.#ports = ports;
  }

  /** Resolves when the request may be sent; with a failure when it may not. Rejects with AbortError. */
  async admit(
    key: string,
    request: ModelRequest,
    context: ModelCallContext,
  ): Promise<Failure | undefined> {
    for (;;) {
      const stop = await this.#look(key, request, context);
      if (stop === undefined) return undefined;
      // The person is asked by who waits for a child, once for all of them.
      const isChild = this.#ports.payer(context).sessionId !== context.sessionId;
      if (context.purpose !== 'turn' || isChild) return this.#ports.person.failure(stop);
      const { answer, admitted } = await this.#pause(stop, key, request, context);
      if (admitted) return undefined;
      if (answer === 'stop') return this.#ports.person.failure(stop);
      if (answer === 'without') this.#waived.set(context.runId, stop.kind);
      if (typeof answer === 'object' && stop.kind === 'cap') {
        const raised = extraKey(context, stop.cap);
        this.#extra.set(raised, (this.#extra.get(raised) ?? 0) + answer.more);
      }
    }
  }

  /** Counts a call that is on record in its workspace; an open one keeps the rest of its reservation. Never rejects. */
  settle(record: UsageRecord, recorded: Promise<void>): void {
    const { details } = record;
    if (details === undefined) return;
    const isOver = details.open !== true;
    if (isOver) this.#settled.add(details.key);
    const settling = this.#count(record, recorded)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#settling.delete(settling);
        if (!isOver) return;
        this.#settled.delete(details.key);
        this.#reserved.delete(details.key);
      });
    this.#settling.add(settling);
  }

  async #count(record: UsageRecord, recorded: Promise<void>): Promise<void> {
    const { records, settings, person } = this.#ports;
    const context = this.#reserved.get(record.details?.key ?? '');
    await recorded;
    const near = await records.settle(record, context === undefined ? [] : capsOf(settings));
    for (const use of near) context?.emit({ type: 'warning', message: person.warning(use) });
  }

  /** The call has ended; without usage its reservation goes. */
  release(key: string): void {
    if (!this.#reserved.has(key) || this.#settled.has(key)) return;
    this.#reserved.delete(key);
    const releasing = this.#ports.records
      .release(key)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => this.#settling.delete(releasing));
    this.#settling.add(releasing);
  }

  /** Waits for the rest that others have reserved; gives the reason when the request may not be sent. */
  async #look(
    key: string,
    request: ModelRequest,
    context: ModelCallContext,
  ): Promise<BudgetStop | undefined> {
    const { modelOf, clock, records } = this.#ports;
    const model = modelOf(request.model);
    const waived = this.#waived.get(this.#ports.payer(context).runId);
    const caps = this.#capsFor(context).filter(
      ({ unit }) => waived !== 'unpriced' || unit !== 'cost',
    );
    if (caps.length === 0 || model.offline === true || waived === 'unchecked') return undefined;
    const money = caps.find(({ unit }) => unit === 'cost');
    if (money !== undefined && model.prices === undefined)
      return { kind: 'unpriced', model: model.name, cap: money };
    const planned = this.#planned(key, request, context, model);
    for (;;) {
      await Promise.all(this.#settling);
      let admission: Admission;
      try {
        admission = await records.reserve(planned, caps);
      } catch (error) {
        return { kind: 'unchecked', reason: failureOf(error).message };
      }
      if (admission.kind === 'refused')
        return { kind: 'cap', cap: admission.cap, needed: planned.least };
      if (admission.kind === 'admitted') {
        this.#reserved.set(key, context);
        return undefined;
      }
      await clock.sleep(WAIT_MS, context.signal);
    }
  }

  /** The caps of the settings, with what the user added for this run. */
  #capsFor(context: ModelCallContext): readonly Cap[] {
    const payer = this.#ports.payer(context);
    return capsOf(this.#ports.settings).map((cap) => ({
      ...cap,
      limit: cap.limit + (this.#extra.get(extraKey(payer, cap)) ?? 0),
    }));
  }

  /** Asks the person, and looks again and again meanwhile: what changes elsewhere counts as an answer. */
  async #pause(
    stop: BudgetStop,
    key: string,
    request: ModelRequest,
    context: ModelCallContext,
  ): Promise<{ readonly answer?: BudgetAnswer; readonly admitted: boolean }> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, context.signal]);
    const asking = this.#ports.person.ask(stop, context, signal);
    asking.catch(() => undefined);
    try {
      for (;;) {
        const answer = await Promise.race([
          asking,
          this.#ports.clock.sleep(LOOK_MS, signal).then(() => undefined),
        ]);
        if (answer !== undefined) return { answer, admitted: false };
        if ((await this.#look(key, request, context)) === undefined) return { admitted: true };
      }
    } finally {
      over.abort();
      await asking.catch((error: unknown) => {
        if (!isAbortError(error)) throw error;
      });
    }
  }

  #planned(
    key: string,
    request: ModelRequest,
    context: ModelCallContext,
    model: ModelInfo,
  ): PlannedRequest {
    const { sessionId, runId } = this.#ports.payer(context);
    const { estimatedTokens } = context;
    const input = estimatedTokens ?? roughly(request);
    const longest = request.maxOutputTokens ?? model.maxOutputTokens;
    const ttl = this.#ports.cacheTtl();
    const amounts = (outputTokens: number, cached: boolean): Amounts => {
      const [inputTokens, cacheWriteTokens] = cached ? [0, input] : [input, 0];
      const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens };
      const cost = model.prices === undefined ? 0 : costOf(usage, model.prices, ttl);
      return { tokens: input + outputTokens, cost };
    };
    const [plain, written] = [amounts(longest, false), amounts(longest, true)];
    return {
      key,
      sessionId,
      runId,
      // Writing to the prompt cache costs more at most providers.
      most: plain.cost > written.cost ? plain : written,
      least: amounts(Math.min(SHORT_ANSWER, longest), false),
    };
  }

  /** A fault of the person's database: the usage is on record in the workspace and is taken over later. */
  #tell(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#ports.log.warn('The usage over all workspaces could not be counted; it will be, later.', {
      reason: failureOf(error).message,
    });
  }
}

const extraKey = ({ runId }: Pick<Payer, 'runId'>, { period, unit }: Cap): string =>
  `${runId} ${period} ${unit}`;

/** Tokens of a request by its length. */
function roughly({ system, messages, tools }: ModelRequest): number {
  const characters = JSON.stringify([system, messages.map(({ parts }) => parts), tools]).length;
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
