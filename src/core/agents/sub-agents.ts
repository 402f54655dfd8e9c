import { fault, tells } from '../../domain/failure.ts';
import { inEnglish, told } from '../../domain/text/told.ts';
import { abortError } from '../../domain/lifetime/abort.ts';
import { NO_PERSONA } from '../../domain/persona.ts';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';
import type { RunEnd } from '../../domain/run.ts';
import type { Session } from '../../domain/session/session.ts';
import { type Rights, delegatedRights } from '../permissions/delegation.ts';
import { strangerIn } from '../permissions/stranger-text.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { RunRecords } from '../ports/store/run-records.ts';
import type { Recorder } from '../ports/store/recorder.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Agent } from '../run/agent.ts';
import { isOver } from '../run/child-runs.ts';
import { leavesCallsOpen, stopReasonOf } from '../run/run-end.ts';
import type { EventBroker } from '../session/event-broker.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { ToolContext } from '../tool-call/tool-call.ts';
import type { Worktree, Worktrees } from '../ports/commands/worktrees.ts';
import type { Values } from '../ports/store/values.ts';
import {
  CHILD_KEY,
  type Child,
  type ChildKind,
  DELIVERED_PREFIX,
  childOfKey,
  childValue,
} from './child.ts';
import { ChildProgress } from './child-progress.ts';
import { type Delivered, type DeliveryPorts, deliverChanges } from './deliver-changes.ts';
import { type ChildReport, lastWords, missingText } from './child-report.ts';
import type { Children } from './children.ts';

/** Parts for sub-agents that change files. */
export interface Writing extends DeliveryPorts {
  readonly worktrees: Worktrees;
  readonly runs: Pick<RunRecords, 'run'>;
  readonly log: Pick<Log, 'warn'>;
}

export interface SubAgentPorts {
  readonly values: Values;
  /** Absent: none changes files. */
  readonly writing?: () => Writing;
  readonly agent: Pick<Agent, 'runs' | 'children' | 'hold'>;
  readonly sessions: SessionRegistry;
  readonly children: Children;
  readonly transcripts: Transcripts;
  readonly recorder: Recorder;
  readonly broker: Pick<EventBroker, 'listen'>;
  readonly ids: Ids;
  /** The rights of a session of the person that delegates. */
  readonly rights: (sessionId: string, roots: readonly string[]) => Rights;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The model of a sub-agent (B2). @param model of the session that delegates */
  readonly model: (model: string) => string;
}

/** A task for a sub-agent. */
export interface Order {
  /** A few words, for people. */
  readonly title: string;
  /** All that the sub-agent is told. */
  readonly task: string;
  readonly kind: ChildKind;
}

/** Ids of calls that can be the id of a session. */
const USABLE_ID = /^[\w-]{1,100}$/u;

/** Delegates tasks (B13): a child is a session of its own below its parent, with fewer rights. */
export class SubAgents {
  readonly #ports: SubAgentPorts;

  constructor(ports: SubAgentPorts) {
    this.#ports = ports;
  }

  /**
   * Does a task in a child session, or goes on with the one that a crash left, and reports when it has ended. Rejects
   * with AbortError when the signal fires; the child stops with it.
   */
  async work(order: Order, context: ToolContext): Promise<ChildReport> {
    const { agent, transcripts, broker } = this.#ports;
    const { sessionId, runId, callId, signal, emit } = context;
    const known = await this.#ports.children.ofCall(sessionId, runId, callId);
    const child = known ?? (await this.#create(order, context));
    const options = { ...child.options, mode: child.rights.mode, persona: NO_PERSONA };
    await this.#ports.sessions.setOptions(child.id, options, 'elsewhere');
    const stop = (): void => {
      if (leavesCallsOpen(signal)) agent.runs.of(child.id)?.abort.abort(stopReasonOf(signal));
      else agent.runs.cancel(child.id);
    };
    const progress = new ChildProgress(broker, child, emit);
    emit({ type: 'agent.child.started', callId, childId: child.id, title: child.title });
    signal.addEventListener('abort', stop, { once: true });
    let end: RunEnd | undefined;
    try {
      const running = agent.children.run(child.id, order.task + missingText(child.worktree));
      // It may have been stopped while the child was made.
      if (signal.aborted) stop();
      end = await running;
    } finally {
      signal.removeEventListener('abort', stop);
      progress.dispose();
      const reason = end?.reason ?? 'failure';
      emit({ type: 'agent.child.ended', callId, childId: child.id, reason });
    }
    const stopped = 'The sub-agent was stopped with its run.';
    if (signal.aborted && leavesCallsOpen(signal)) throw abortError(stopped);
    if (end.reason === 'needs_human') return this.#leave(context);
    const delivered = await this.#deliver(child, end, context);
    this.#ports.children.forget(child.id);
    if (signal.aborted) throw abortError(stopped);
    const [words, session, stranger] = await Promise.all([
      lastWords(transcripts, child.id),
      transcripts.session(child.id),
      strangerIn(transcripts, child.id),
    ]);
    const changed = delivered === undefined ? {} : { delivered };
    return { child, end, words, session, stranger, ...changed };
  }

  /**
   * Brings a child's changes into the workspace before its call ends. A child that was stopped brings none. The working
   * copy stays as long as it holds work that did not arrive.
   */
  async #deliver(
    { id, worktree }: Child,
    end: RunEnd,
    context: ToolContext,
  ): Promise<Delivered | undefined> {
    const { writing, values } = this.#ports;
    const { roots, signal } = context;
    const [root] = roots;
    if (worktree === undefined || writing === undefined || root === undefined) return undefined;
    await context.refuseReplaced?.([root]);
    const { worktrees, log, ...ports } = writing();
    const isStopped = end.reason === 'canceled';
    const known = new Set((await values.list(DELIVERED_PREFIX, id)).map(({ key }) => key));
    const isKnown = ({ path }: { readonly path: string }): boolean =>
      known.has(DELIVERED_PREFIX + path);
    // Nobody waits for a run that was stopped, so its signal does not end this.
    const until = isStopped ? new AbortController().signal : signal;
    const { changes, left } = await worktrees.changes(worktree, until);
    const before = changes.filter(isKnown).map(({ path }) => path);
    const fresh = changes.filter((change) => !isKnown(change));
    const why = told`the sub-agent was stopped`;
    const delivered = isStopped
      ? { arrived: [], left: fresh.map(({ path }) => ({ path, why })) }
      : await deliverChanges(fresh, { ...context, root }, ports, async (path) =>
          values.set(DELIVERED_PREFIX + path, true, id),
        );
    const arrived = [...before, ...delivered.arrived];
    const skipped = [...delivered.left, ...left];
    if (skipped.length === 0) {
      await worktrees.remove(worktree);
      return { arrived, left: skipped };
    }
    // Nobody reads the report of a run that was stopped.
    log.warn('Work of a sub-agent was not taken over.', {
      files: skipped.slice(0, 100).map((one) => `${one.path}: ${inEnglish(one.why)}`),
    });
    if (isStopped)
      context.emit({
        type: 'warning',
        ...tells(
          told`The sub-agent was stopped. Its changes are not in the workspace; they are in ${worktree.folder}.`,
        ),
      });
    return { arrived, left: skipped, copy: worktree.folder };
  }

  /**
   * Removes working copies without changes of runs that were given up after a crash. One with changes stays, and so does
   * one that this database knows nothing of. Never rejects.
   * @param copies folders of the working copies that are on this machine
   */
  async settleLeft(roots: readonly string[], copies: readonly string[]): Promise<void> {
    const { writing, values, transcripts, agent } = this.#ports;
    if (writing === undefined) return;
    const { runs, worktrees, log } = writing();
    try {
      const sessions = await transcripts.sessions();
      for (const { id } of sessions.filter(({ type }) => type === 'task')) {
        const child = (await values.get(CHILD_KEY, id)) as unknown as Child | undefined;
        if (child?.worktree === undefined || !copies.includes(child.worktree.top)) continue;
        const { worktree, charged } = child;
        const root = worktree.of + worktree.folder.slice(worktree.top.length);
        if (!roots.includes(root)) continue;
        await agent
          .hold(charged.sessionId, async () => {
            const run = await runs.run(charged.runId);
            if (run === undefined || !isOver(run)) return;
            const { changes, left } = await worktrees.changes(
              worktree,
              new AbortController().signal,
            );
            if (changes.length + left.length === 0) await worktrees.remove(worktree);
          })
          .catch((reason: unknown) =>
            log.warn('A working copy is left.', { top: worktree.top, reason: String(reason) }),
          );
      }
    } catch (error) {
      log.warn('Working copies that a crash left could not be checked.', { reason: String(error) });
    }
  }

  /** The child waits for a person who is not there: so does its parent, with the call open. */
  async #leave({ sessionId, signal }: ToolContext): Promise<never> {
    this.#ports.agent.runs.suspend(sessionId);
    await untilAborted(new Promise<never>(() => undefined), signal);
    throw abortError('A sub-agent waits for a human.');
  }

  /** One transaction: the session, whose it is, and which call it works for. */
  async #create(order: Order, context: ToolContext): Promise<Child> {
    const { recorder, sessions, children } = this.#ports;
    const { sessionId: parentId, runId, callId } = context;
    const parent = children.get(parentId);
    const { model, thinking } = sessions.optionsOf(parentId);
    const now = this.#ports.now();
    const id = await this.#idFor(callId);
    const worktree = order.kind === 'write' ? await this.#worktree(id, context) : undefined;
    const rights = this.#rightsFor(order, context, parent);
    const child: Child = {
      id,
      parentId,
      runId,
      callId,
      charged: parent?.charged ?? { sessionId: parentId, runId },
      kind: order.kind,
      title: order.title,
      rights: worktree === undefined ? rights : { ...rights, roots: [worktree.folder] },
      ...(worktree === undefined ? {} : { worktree }),
      options: { model: this.#ports.model(model), thinking },
    };
    const session: Session = {
      id: child.id,
      parentId,
      type: 'task',
      title: order.title,
      model: child.options.model,
      messageCount: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      createdAt: now,
      updatedAt: now,
    };
    await recorder.commit([
      { kind: 'session', session },
      { kind: 'value', sessionId: child.id, key: CHILD_KEY, value: childValue(child) },
      { kind: 'value', sessionId: parentId, key: childOfKey(runId, callId), value: child.id },
    ]);
    children.add(child);
    return child;
  }

  async #worktree(id: string, { roots: [root], signal }: ToolContext): Promise<Worktree> {
    const made =
      root === undefined
        ? undefined
        : await this.#ports.writing?.().worktrees.create(root, id.slice(-12), signal);
    if (made !== undefined) return made;
    throw fault(
      'tool',
      told`A sub-agent changes files in a git worktree, and this workspace is no git repository. Make the changes yourself.`,
    );
  }

  #rightsFor(
    { kind }: Order,
    { sessionId, roots }: ToolContext,
    parent: Child | undefined,
  ): Rights {
    const own = parent?.rights ?? this.#ports.rights(sessionId, roots);
    return delegatedRights(own, kind === 'research' ? { mode: 'read' } : {});
  }

  /** The id of the call, unless another session has it: some servers count their calls from 0 in each answer. */
  async #idFor(callId: string): Promise<string> {
    const isFree =
      USABLE_ID.test(callId) && (await this.#ports.transcripts.session(callId)) === undefined;
    return isFree ? callId : this.#ports.ids.next('session');
  }
}
