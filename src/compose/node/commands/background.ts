import { setTimeout as delay } from 'node:timers/promises';
import { DetachedRuns } from '../../../core/run/detached-runs.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { ended } from '../../../domain/lifetime/ended.ts';
import type { RunEnd } from '../../../domain/run.ts';
import { readOrder } from '../../../hosts/node/headless/background-order.ts';
import { OrderingWindow } from '../../../hosts/node/headless/ordering-window.ts';
import { EXIT } from '../../../hosts/node/headless/run-headless.ts';
import { type Engine, openEngine } from '../../engine.ts';
import { openTelemetry } from '../../telemetry/telemetry.ts';
import { type HeadlessHost, hostOf, oneLine } from '../headless-host.ts';
import { sourceOfOrder } from '../host-source.ts';
import type { CarryOut } from './command.ts';

/** Milliseconds between two looks whether the session is free, and the most that are waited for it. */
const LOOK_EVERY = 100;
const FREE_WITHIN = 60_000;

/**
 * Goes on with a run that a window hands over: that one gives the order first, and once more, as it is then, when its
 * run has stopped. A window that is gone before has closed, or died: its run is gone on with, too.
 */
export const carryOut: CarryOut = async (_given, program) => {
  const window = new OrderingWindow();
  let leave: (() => Promise<void>) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      const left = leave === undefined ? Promise.resolve() : leave();
      void left.finally(() => process.exit(EXIT.interrupted));
    });
  try {
    let order = readOrder((await window.line()) ?? '');
    const host = hostOf(
      sourceOfOrder(() => order),
      program,
    );
    leave = async () => host.dispose();
    const engine = await openEngine(host.engine);
    const telemetry = openTelemetry(engine, host.telemetry);
    leave = once(async () =>
      ended(
        async () => telemetry.dispose(),
        async () => engine.dispose(),
        async () => host.dispose(),
      ),
    );
    host.human.suspend = (sessionId) => engine.agent.runs.suspend(sessionId);
    const detached = new DetachedRuns(engine.store);
    window.say({ said: 'ready' });
    const again = await window.line();
    if (again !== undefined) order = readOrder(again);
    engine.permissions.takeYeses(order.sessionId, order.yeses);
    await takeOver(engine, host, detached, { id: order.sessionId, left: again === undefined });
    window.say({ said: 'begun' });
    window.close();
    return codeOf(await toItsEnd(engine, detached, order.sessionId));
  } catch (error) {
    window.say({ said: 'refused', why: oneLine(error) });
    throw error;
  } finally {
    window.close();
    await leave?.();
  }
};

/** Takes the session, and goes on with its run. @param session `left`: its window is gone, and may have been cut off */
async function takeOver(
  { agent, store, registry, names }: Engine,
  host: HeadlessHost,
  detached: DetachedRuns,
  { id, left }: { readonly id: string; readonly left: boolean },
): Promise<void> {
  const until = performance.now() + FREE_WITHIN;
  while (!(await detached.claim(id))) {
    if (performance.now() > until) throw taken();
    await delay(LOOK_EVERY);
  }
  try {
    if (left) {
      await agent.handoffs.reconcile();
      // That gave the session back.
      if (!(await detached.claim(id))) throw taken();
    }
    // Both may have been changed since the engine was opened.
    await registry.load();
    await agent.queue.refresh();
    const { found } = host.engine.model;
    const { instance } = names.addressOf(registry.optionsOf(id).model);
    if (found?.instances.includes(instance) === true) await found.look();
    const run = (await agent.handoffs.of(id))?.run;
    if (run === undefined) throw fault('not_found', told`There is nothing to go on with any more.`);
    await agent.handoffs.resume(run.id, {});
  } catch (error) {
    await store.leases.release(id);
    throw error;
  }
}

const taken = (): BelayError =>
  fault('busy', told`Another window works on this session; it was left to that one.`);

/** Follows the session until nothing works in it: its run, and what was queued behind. */
async function toItsEnd(
  { agent, store, registry }: Engine,
  detached: DetachedRuns,
  id: string,
): Promise<RunEnd | undefined> {
  let stopped = false;
  const hear = async (): Promise<void> => {
    // The mode that a person chooses meanwhile counts from the next call on.
    await registry.load();
    const wish = await detached.wished(id);
    if (wish === 'return') agent.runs.handOver(id);
    if (wish !== 'stop' || stopped) return;
    stopped = true;
    agent.runs.cancel(id);
  };
  const watching = store.watch(() => void hear().catch(() => undefined)); // the next look hears it
  try {
    for (;;) {
      await hear();
      const end = await agent.runs.settled(id);
      if (!agent.runs.isBusy(id)) return end;
      // The wish did not mean the run that was queued behind.
      if (stopped) await detached.hasStopped(id);
      stopped = false;
    }
  } finally {
    watching.dispose();
  }
}

function codeOf(end: RunEnd | undefined): number {
  if (end?.reason === 'done') return EXIT.done;
  return end?.reason === 'needs_human' ? EXIT.needsHuman : EXIT.error;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return async () => (done ??= work());
}
