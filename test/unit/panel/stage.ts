import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { EventBroker } from '../../../src/core/session/event-broker.ts';
import { partsOf } from '../../../src/core/run/opening.ts';
import type { Turn } from '../../../src/core/run/run-turns.ts';
import type { AgentService, Handoff, SessionOptions } from '../../../src/core/run/agent-service.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import type { HumanQuestion } from '../../../src/core/ports/person/human.ts';
import type { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import { fault, BelayError } from '../../../src/domain/failure.ts';
import type { Message, Part } from '../../../src/domain/message.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import type { DetachedState, Run } from '../../../src/domain/run.ts';
import type {
  Attachment,
  Compaction,
  QueuedMessage,
  Session,
} from '../../../src/domain/session/session.ts';
import type { LastRestore } from '../../../src/core/restore/restore-values.ts';
import { Journals } from '../../../src/core/session/journals.ts';
import { MapValues } from '../../support/map-values.ts';
import type { FollowUp } from '../../../src/domain/session/followup.ts';
import type { TodoItem } from '../../../src/domain/session/todo.ts';
import { PanelHost } from '../../../src/panel/panel-host.ts';
import { SharedPanel } from '../../../src/panel/shared-panel.ts';
import type { PanelLater, PanelReviewing, PanelServices } from '../../../src/panel/services.ts';
import type { SavedView } from '../../../src/protocol/view.ts';
import { noEvents } from '../../support/memory-recorder.ts';
import { add } from './mirror.ts';
import { stageEditor } from './stage-editor.ts';
import { type StageInput, stageCode, stageInput } from './stage-input.ts';
import { NO_EVIDENCE, OPTIONS, SHARES, stageLog } from './stage-defaults.ts';
import { stageMemory } from './stage-memory.ts';
import { MODELS } from './stage-models.ts';
import { stageProviders } from './stage-providers.ts';
import { rulesSection } from './stage-rules.ts';
import { stageTranscripts } from './stage-transcripts.ts';
import { stagedBackground } from './staged-background.ts';

/**
 * A panel host on a stage: the session store is a few arrays, the agent does what the test says by
 * publishing events. What is tested is the panel; the engine behind it has its own tests.
 */
export class Stage {
  readonly clock: Clock;
  readonly broker: EventBroker;
  readonly services: PanelServices;
  readonly shared: SharedPanel;
  readonly panel: PanelHost;
  readonly sessions = new Map<string, Session>();
  /** Sessions that the list leaves out. */
  readonly hidden = new Set<string>();
  readonly messages = new Map<string, Message[]>();
  readonly compactions = new Map<string, Compaction[]>();
  readonly todos = new Map<string, readonly TodoItem[]>();
  readonly journals: Journals;
  /** The program that draws diagrams. */
  diagramCode = '';
  waitingFollowUps: readonly FollowUp[] = [];
  readonly followUps: PanelServices['records']['followUps'] = {
    of: async (id) => this.waitingFollowUps.filter(({ sessionId }) => sessionId === id),
    cancel: async (id) => {
      const found = this.waitingFollowUps.find((one) => one.id === id);
      if (found === undefined)
        throw fault('not_found', told`This follow-up does not wait any more.`);
      this.#keepFollowUps(this.waitingFollowUps.filter((one) => one !== found));
      return found;
    },
    change: async (id, prompt, dueAt) =>
      this.#keepFollowUps(
        this.waitingFollowUps.map((one) => (one.id === id ? { ...one, prompt, dueAt } : one)),
      ),
  };
  readonly queue: QueuedMessage[] = [];
  restored: LastRestore | undefined;
  readonly handoffs = new Map<string, Handoff>();
  readonly runs: Run[] = [];
  readonly busy = new Set<string>();
  /** Sessions in the background, put there before the panel is made. */
  readonly detached = new Map<string, DetachedState>();
  /** Sessions that wait for their turn. */
  readonly turns = new Map<string, Turn>();
  readonly approvals: ApprovalQuestion[] = [];
  readonly questions: HumanQuestion[] = [];
  /** Calls of the agent and the editor, as text, in order. */
  readonly calls: string[] = [];
  readonly sent: (readonly Attachment[])[] = [];
  /** Files that answers may name; the others are not there. */
  there: ReadonlySet<string> = new Set();
  /** Sources of the input's list. */
  input: StageInput = {};
  readonly logged: string[] = [];
  readonly saved = new Map<string, SavedView>();
  lastSession: string | undefined;
  changesUnfolded = false;
  shares = SHARES;
  /** What is on record about pending changes: nothing, as it stands. */
  evidence: PanelReviewing['evidence'] = NO_EVIDENCE;
  /** Pending changes; absent: nothing is reviewed. */
  reviews: Reviews | undefined;
  /** Reading them waits for this. */
  reviewsRead: Promise<void> = Promise.resolve();
  roots: readonly string[] = ['/work/sample'];
  hasKey = true;
  limits: Partial<PanelServices['setup']> = {};
  trusted = true;
  hasWorkspace = true;
  models: readonly ModelInfo[] = MODELS;
  rules: readonly unknown[] = [];
  workspaceRules: readonly unknown[] = [];
  options = OPTIONS;
  /** The next call of the agent fails with this. */
  failure: BelayError | undefined;
  reading: Promise<void> = Promise.resolve();
  readonly #optionsOf = new Map<string, Required<SessionOptions>>();
  readonly #deskListeners = new Set<() => void>();
  readonly #listListeners = new Set<() => void>();
  readonly #setupListeners = new Set<() => void>();
  #ids = 0;

  constructor(clock: Clock, prepare: (stage: Stage) => void = () => undefined) {
    this.clock = clock;
    this.broker = new EventBroker(clock, stageLog(this.logged), noEvents);
    this.journals = new Journals(new MapValues(), this.broker);
    prepare(this);
    this.services = this.#services();
    this.shared = new SharedPanel(this.services);
    this.panel = new PanelHost(this.services, { shared: this.shared });
  }

  id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }

  #keepFollowUps(followUps: readonly FollowUp[]): void {
    const sessionId = this.waitingFollowUps[0]?.sessionId ?? '';
    this.waitingFollowUps = followUps;
    this.publish(sessionId, { type: 'session.followups', followUps });
  }

  /** An event of a session's run. */
  publish(sessionId: string, ...events: RunEventBody[]): void {
    for (const event of events) this.broker.publish(sessionId, `run-of-${sessionId}`, event);
  }

  addSession(session: Partial<Session> & { readonly id: string }): Session {
    const now = this.clock.now();
    const added: Session = {
      type: 'main',
      title: `Session ${session.id}`,
      messageCount: this.messages.get(session.id)?.length ?? 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      createdAt: now,
      updatedAt: now,
      ...session,
    };
    this.sessions.set(added.id, added);
    this.listChanged();
    return added;
  }

  /** A stored message; it gets the next place in its session. */
  store(
    sessionId: string,
    role: Message['role'],
    parts: readonly Part[],
    more: Partial<Message> = {},
  ): Message {
    const messages = this.messages.get(sessionId) ?? [];
    this.messages.set(sessionId, messages);
    const message: Message = {
      id: this.id('message'),
      sessionId,
      seq: messages.length + 1,
      role,
      parts,
      createdAt: this.clock.now(),
      ...more,
    };
    messages.push(message);
    return message;
  }

  ask(
    question: Partial<ApprovalQuestion> & { readonly sessionId: string; readonly callId: string },
  ): void {
    this.approvals.push({
      id: this.id('question'),
      runId: `run-of-${question.sessionId}`,
      tool: 'run_command',
      title: 'Run a command',
      detail: 'npm test',
      hash: 'hash-of-what-was-shown',
      ...question,
    });
    this.deskChanged();
  }

  deskChanged(): void {
    for (const listener of this.#deskListeners) listener();
  }

  listChanged(): void {
    for (const listener of this.#listListeners) listener();
  }

  setupChanged(): void {
    for (const listener of this.#setupListeners) listener();
  }

  #services(): PanelServices {
    return {
      ...(this.detached.size === 0 ? {} : { others: stagedBackground(this.detached, this.calls) }),
      agent: this.#service(),
      broker: this.broker,
      records: {
        transcripts: stageTranscripts(this),
        runs: {
          runs: async ({ sessionId, states }) =>
            this.runs.filter(
              (run) =>
                (sessionId === undefined || run.sessionId === sessionId) &&
                (states === undefined || states.includes(run.state)),
            ),
        },
        blobs: {
          attachment: async () => Promise.resolve(undefined),
          result: async (_sessionId, resultId, offset, length) => ({
            text: `whole of ${resultId}`.repeat(100_000).slice(offset, offset + length),
            total: 100_000 * `whole of ${resultId}`.length,
          }),
        },
        todos: {
          read: async (id) => this.todos.get(id) ?? [],
          writeByPerson: async (id, items) => {
            this.todos.set(id, items);
            this.broker.publish(id, '', { type: 'session.todo', items });
          },
        },
        journals: this.journals,
        followUps: this.followUps,
        redo: { last: async () => this.restored },
      },
      sessions: {
        list: async () => [...this.sessions.values()].filter(({ id }) => !this.hidden.has(id)),
        refresh: async () => this.listChanged(),
        hide: (ids, hidden) => {
          for (const id of ids) this.hidden[hidden ? 'add' : 'delete'](id);
          this.listChanged();
        },
        onChange: (listener) => add(this.#listListeners, listener),
      },
      desk: {
        approvals: () => this.approvals,
        questions: () => this.questions,
        onChange: (listener) => add(this.#deskListeners, listener),
        answerApproval: (answer) => this.#answerApproval(answer),
        answerQuestion: (id, text, hash) => {
          this.#take(this.questions, id);
          this.calls.push(`answer ${id} ${text}${hash === undefined ? '' : ` ${hash}`}`);
          this.deskChanged();
        },
      },
      later: {
        editor: stageEditor(this.calls),
        rules: rulesSection(this),
        providers: stageProviders(this),
        input: stageInput(this),
        code: stageCode(this),
        ...this.#reviewing(),
      },
      setup: {
        hasKey: () => this.hasKey,
        trusted: () => this.trusted,
        hasWorkspace: () => this.hasWorkspace,
        models: () => this.models,
        choice: { demo: 'demo' },
        ...this.limits,
        defaults: () => this.options,
        onChange: (listener) => add(this.#setupListeners, listener),
      },
      memory: stageMemory(this),
      clock: this.clock,
      log: stageLog(this.logged),
    };
  }

  #service(): AgentService {
    const call = async <Value>(name: string, value: Value): Promise<Value> => {
      this.calls.push(name);
      const { failure } = this;
      this.failure = undefined;
      if (failure !== undefined) throw failure;
      return value;
    };
    return {
      sessions: {
        create: async (options) => {
          const id = this.id('session');
          this.#optionsOf.set(id, { ...this.options, ...options });
          return call('createSession', this.addSession({ id, title: 'New' }));
        },
        forChannel: async () => assert.fail('the panel asks by id'),
        setOptions: async (id, options) => {
          this.#optionsOf.set(id, { ...(this.#optionsOf.get(id) ?? this.options), ...options });
          await call(`setOptions ${JSON.stringify(options)}`, undefined);
        },
        optionsOf: (id) => this.#optionsOf.get(id) ?? this.options,
        isHeld: async () => false,
        rename: async (id, title) => {
          const session = this.sessions.get(id);
          if (session !== undefined) this.sessions.set(id, { ...session, title });
          await call(`rename ${id} ${title}`, undefined);
          this.publish(id, { type: 'session.titled', title });
          this.listChanged();
        },
      },
      queue: {
        list: (id) => this.queue.filter((queued) => queued.sessionId === id),
        edit: async (id, text) => {
          const at = this.queue.findIndex((queued) => queued.id === id);
          const queued = this.queue[at];
          if (queued !== undefined) this.queue[at] = { ...queued, text };
          await call(`editQueued ${id} ${text}`, undefined);
        },
        remove: async (id) => {
          this.#take(this.queue, id);
          await call(`removeQueued ${id}`, undefined);
        },
        move: async (id, index) => {
          const at = this.queue.findIndex((queued) => queued.id === id);
          this.queue.splice(index, 0, ...this.queue.splice(at, 1));
          await call(`moveQueued ${id} ${index}`, undefined);
        },
      },
      runs: {
        isBusy: (id) => this.busy.has(id),
        isAnyBusy: () => this.busy.size > 0,
        turns: { of: (id) => this.turns.get(id) },
        settled: async () => undefined,
        cancel: (id) => {
          this.calls.push(`cancel ${id}`);
          this.publish(id, { type: 'agent_run.stopping' });
        },
        retryNow: (id) => this.calls.push(`retryNow ${id}`) > 0,
      },
      handoffs: {
        of: async (id) => this.handoffs.get(id),
        resume: (runId, decisions) =>
          call(`resume ${runId} ${JSON.stringify(decisions)}`, undefined),
        discard: (runId) => call(`discard ${runId}`, undefined),
      },
      removal: {
        setAside: (id) => call(`setAside ${id}`, undefined),
        bringBack: (id) => void this.calls.push(`bringBack ${id}`),
        delete: async (id) => {
          await call(`delete ${id}`, undefined);
          this.sessions.delete(id);
          this.listChanged();
        },
      },
      send: async (id, { text, attachments = [], how = 'queue' }) => {
        this.sent.push(attachments);
        await call(`send ${how} ${text}`, undefined);
        if (!this.busy.has(id)) {
          const parts = partsOf(text, attachments);
          const message = this.store(id, 'user', parts, { origin: 'person' });
          this.publish(id, { type: 'message.added', message });
          return { runId: `run-of-${id}` };
        }
        const queuedId = this.id('queued');
        this.queue.push({
          id: queuedId,
          sessionId: id,
          position: this.queue.length,
          text,
          attachments,
          mode: how === 'steer' ? 'steer' : 'queue',
          createdAt: this.clock.now(),
        });
        return { queuedId };
      },
      sendQueued: (id) => call(`sendQueued ${id}`, undefined),
      continueRun: (id) => call(`continue ${id}`, { runId: `run-of-${id}` }),
      compaction: {
        summarize: (id) => call(`summarize ${id}`, undefined),
        shares: (id) => call(`windowShares ${id}`, this.shares),
        undo: async (id, compactionId) => {
          const known = this.compactions.get(id) ?? [];
          this.compactions.set(
            id,
            known.map((one) => (one.id === compactionId ? { ...one, undone: true } : one)),
          );
          await call(`undoCompaction ${compactionId}`, undefined);
        },
      },
      dispose: async () => undefined,
    };
  }

  #reviewing(): Pick<PanelLater, 'reviewing'> {
    const { reviews } = this;
    if (reviews === undefined) return {};
    const reviewing: PanelReviewing = {
      reviews,
      undoDuring: async (id) => void this.calls.push(`undoDuring ${id}`),
      evidence: this.evidence,
      roots: () => this.roots,
      open: async ({ review, hunk }) =>
        void this.calls.push(`open ${review.path} ${hunk?.id ?? ''}`.trim()),
      comment: async ({ review, hunk }, text) => {
        this.calls.push(`comment ${review.path} ${hunk?.id ?? ''} ${text}`);
        if (this.failure !== undefined) throw this.failure;
      },
      openDiff: async ({ review }) => void this.calls.push(`openDiff ${review.path}`),
      openApproval: async ({ id }) => void this.calls.push(`openApproval ${id}`),
      openAll: async (files) =>
        void this.calls.push(`openAll ${files.map(({ path }) => path).join()}`),
    };
    return { reviewing: async () => this.reviewsRead.then(() => reviewing) };
  }

  #answerApproval(answer: ApprovalAnswer): void {
    const question = this.approvals.find((one) => one.id === answer.questionId);
    if (question !== undefined && question.hash !== answer.hash) {
      throw new BelayError({ code: 'invalid', message: 'What was shown has changed.' });
    }
    this.#take(this.approvals, answer.questionId);
    this.calls.push(
      `${answer.allowed ? 'allow' : 'deny'} ${answer.questionId} ${answer.reason ?? ''}`.trim(),
    );
    this.deskChanged();
  }

  #take(list: { readonly id: string }[], id: string): void {
    const at = list.findIndex((one) => one.id === id);
    if (at === -1) throw new BelayError({ code: 'not_found', message: 'It is gone.' });
    list.splice(at, 1);
  }
}
