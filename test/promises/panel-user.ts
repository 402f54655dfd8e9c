import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { isRestorable, type RestorePreview } from '../../src/core/restore/agent-changes.ts';
import type { Level } from '../../src/domain/permissions/level.ts';
import type { Mode } from '../../src/domain/permissions/permission-mode.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import type { PanelReviewing } from '../../src/panel/services.ts';
import type { MessageAction, RequestParams } from '../../src/protocol/requests.ts';
import type {
  DecidedView,
  ReviewFileView,
  ReviewHunkView,
} from '../../src/protocol/review-view.ts';
import type { ApprovalView } from '../../src/protocol/view.ts';
import { type EnginePanel, openEnginePanel } from '../support/engine/engine-panel.ts';
import { inOrder, type Turn } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';
import { Mirror } from '../unit/panel/mirror.ts';
import { PanelDuring, createReviewing } from './panel-during.ts';
import type { RestoreWhat, User, World } from './user.ts';
import { eventually } from './waiting.ts';

/** The panel makes its list of pending changes at most this long after a change. */
const LIST_DELAY_MS = 300;

type Decision = 'keep' | 'undo';

/** A user whose panel has no screen: the panel's own requests and views, on the whole engine. */
export class PanelUser implements User {
  during!: PanelDuring;
  preview: Record<string, RestorePreview['outcome']> = {};
  input = '';
  undecided = 0;
  readonly #world: World;
  readonly #closing: (() => unknown)[] = [];
  #kit!: EnginePanel;
  #mirror!: Mirror;
  #also: readonly string[] = [];
  #dialog = Promise.resolve();

  private constructor(world: World) {
    this.#world = world;
  }

  static async open(world: World): Promise<PanelUser> {
    const user = new PanelUser(world);
    await user.#open();
    return user;
  }

  async #open(): Promise<void> {
    const { model, files, after, mode = 'edit', settings, trusted = true } = this.#world;
    const folder =
      after?.folder ?? realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-promise-')));
    const attended = { reviewed: true, decides: true, unattended: false } as const;
    const level = (): Level => (trusted ? 'owner' : 'guest');
    const restore = (action: MessageAction | 'redo', sessionId: string, messageId = '') => {
      this.#dialog = this.#goBack(action, sessionId, messageId);
      return this.#dialog;
    };
    this.#kit = await openEnginePanel(
      {
        script: inOrder(...model),
        ...(files === undefined ? {} : { files }),
        after: { folder },
        settings: { 'permissions.mode': mode, ...settings },
        host: { ...attended, trusted: () => trusted, level, ...this.#snapshots(folder) },
      },
      { restore },
      undefined,
      (test) => this.#reviewing(test),
    );
    await this.#kit.test.engine.agent.handoffs.reconcile();
    const panel = this.#kit.panel();
    this.#mirror = new Mirror(panel);
    this.during = new PanelDuring(this.#mirror);
    await this.#mirror.ready();
    await eventually('the panel is shown', () => this.#mirror.snapshots > 0);
    await this.#mirror.request('setMode', { sessionId: null, mode });
    this.#closing.push(() => panel.dispose());
  }

  get folder(): string {
    return this.#kit.test.folder;
  }

  get workspace(): string {
    return this.#kit.test.workspace;
  }

  get rules(): readonly unknown[] {
    return this.#kit.rules;
  }

  async send(text: string): Promise<void> {
    await this.begin(text);
    await this.rest();
  }

  async begin(text: string, how: RequestParams<'send'>['how'] = 'queue'): Promise<void> {
    const sessionId = this.#mirror.session.id;
    await this.#mirror.request('send', { sessionId, text, attachments: [], how });
    await eventually('the session is on screen', () => this.#mirror.session.id !== null);
  }

  queue(): readonly string[] {
    return this.#mirror.session.queue.map(({ text }) => text);
  }

  async editQueued(text: string, by: string): Promise<void> {
    await this.#mirror.request('editQueued', { id: this.#queued(text), text: by });
  }

  async removeQueued(text: string): Promise<void> {
    await this.#mirror.request('removeQueued', { id: this.#queued(text) });
  }

  async sendQueued(): Promise<void> {
    await this.#mirror.request('sendQueued', { sessionId: this.#session });
    await this.rest();
  }

  async rest(): Promise<void> {
    const { runs } = this.#kit.test.engine.agent;
    await eventually('the agent rests', () => {
      const { id, approvals, questions, run } = this.#mirror.session;
      const waits = approvals.length + questions.length > 0;
      return id !== null && (waits || (!runs.isBusy(id) && run.phase === 'idle'));
    });
  }

  async stop(): Promise<void> {
    await this.#mirror.request('stop', { sessionId: this.#session });
    await this.rest();
  }

  async resume(doubt: 'happened' | 'run_again' | 'let_model_check' = 'happened'): Promise<void> {
    await this.seesInterruptedRun();
    const { runId, unknown } = this.#mirror.session.handoff ?? assert.fail();
    const decisions = Object.fromEntries(unknown.map(({ callId }) => [callId, doubt]));
    await this.#mirror.request('resume', { runId, decisions });
    await this.rest();
  }

  async seesInterruptedRun(): Promise<void> {
    await eventually('a run can be resumed', () => this.#mirror.session.handoff !== null);
  }

  async newSession(): Promise<void> {
    await this.#mirror.request('newSession', {});
    await eventually('a new session is on screen', () => this.#mirror.session.id === null);
  }

  async rename(title: string): Promise<void> {
    await this.#mirror.request('renameSession', { sessionId: this.#session, title });
    await eventually('the title is shown', () => this.title() === title);
  }

  title(): string {
    return this.#mirror.session.title;
  }

  async openSession(firstMessage: string): Promise<void> {
    const { hits } = await this.#mirror.request('searchSessions', { query: firstMessage });
    await this.#show(hits[0]?.sessionId ?? assert.fail(`No session has ${firstMessage}`));
  }

  async chooseMode(mode: Mode): Promise<void> {
    await this.#mirror.request('setMode', { sessionId: this.#mirror.session.id, mode });
  }

  card(): ApprovalView {
    return this.#mirror.session.approvals[0] ?? assert.fail('No approval is pending.');
  }

  async allow(keep?: 'session' | 'project'): Promise<void> {
    await this.#answerCard(this.card(), keep === undefined ? {} : { keep });
  }

  async deny(reason?: string): Promise<void> {
    const said = reason === undefined ? {} : { reason };
    await this.#answerCard(this.card(), { allowed: false, ...said });
  }

  async allowOther(card: ApprovalView): Promise<void> {
    await this.#answerCard(card, {});
  }

  async answer(text: string): Promise<void> {
    const [question] = this.#mirror.session.questions;
    const questionId = question?.questionId ?? assert.fail('Nothing is asked.');
    await this.#mirror.request('answerQuestion', { questionId, text });
    await eventually('the answer is taken', () => this.#mirror.session.questions.length === 0);
    await this.rest();
  }

  async keepHunk(file: string, number: number): Promise<void> {
    await this.#decideHunk('keep', file, number);
  }

  async undoHunk(file: string, number: number): Promise<void> {
    await this.#decideHunk('undo', file, number);
  }

  async keepFile(file: string): Promise<DecidedView> {
    return this.#decide('keep', this.#fileSelection(file));
  }

  async undoFile(file: string): Promise<DecidedView> {
    return this.#decide('undo', this.#fileSelection(file));
  }

  async undoTurn(): Promise<DecidedView> {
    const { sessionId, messageId } = this.#review.groups.at(-1) ?? assert.fail();
    return this.#decide('undo', { of: 'request', sessionId, messageId });
  }

  async keepAll(): Promise<DecidedView> {
    return this.#decide('keep', { of: 'all' });
  }

  async undoAll(): Promise<DecidedView> {
    return this.#decide('undo', { of: 'all' });
  }

  async takeOver(): Promise<void> {
    assert.equal(this.decidesElsewhere, true);
    await this.#mirror.request('takeOverChanges', {});
  }

  get decidesElsewhere(): boolean {
    return this.#review.elsewhere;
  }

  async takeBack(id: string | null): Promise<void> {
    const { failed } = await this.#mirror.request('takeBackDecision', { id: id ?? '' });
    assert.deepEqual(failed, []);
  }

  async hunks(file: string, count: number): Promise<readonly ReviewHunkView[]> {
    const found = (): readonly ReviewHunkView[] => this.#find(file)?.hunks ?? [];
    await eventually(`${file} has ${count} hunks`, () => found().length === count);
    return found();
  }

  async seesPending(files: Readonly<Record<string, number>>): Promise<void> {
    const listed = (): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { name, count } of Object.values(this.#review.files))
        counts[name] = (counts[name] ?? 0) + count;
      return counts;
    };
    const same = (): boolean => isDeepStrictEqual(listed(), files);
    await eventually('the list is this', same).catch(() => undefined);
    // A list that is behind the last change may look the same.
    await delay(LIST_DELAY_MS);
    assert.deepEqual(listed(), files);
  }

  pendingFile(file: string): ReviewFileView {
    return this.#find(file) ?? assert.fail(`Nothing is pending in ${file}.`);
  }

  pendingRequests = (): readonly string[] => this.#review.groups.map(({ text }) => text);

  async save(file: string, text: string): Promise<void> {
    const at = path.join(this.workspace, file);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, text);
    // What the watcher of the editor tells.
    const watched = this.#kit.test.engine.reviews?.files;
    if (watched?.concerns(at) === true) await watched.inTurn(at, () => watched.fileChanged(at));
  }

  async saveInEditor(file: string, text: string): Promise<void> {
    await this.save(file, text);
    this.#kit.test.engine.reviews?.files.userEdits.noteEdit(path.join(this.workspace, file));
  }

  async text(file: string): Promise<string> {
    return readFile(path.join(this.workspace, file), 'utf8');
  }

  async exists(file: string): Promise<boolean> {
    return this.text(file).then(
      () => true,
      () => false,
    );
  }

  async restore(message: string, what: RestoreWhat, also: readonly string[] = []): Promise<void> {
    this.#also = also;
    await this.#messageAction(message, `restore_${what}`);
  }

  async redo(): Promise<void> {
    await this.#mirror.request('redoRestore', { sessionId: this.#session });
    await this.#dialog;
  }

  async fork(message: string): Promise<void> {
    await this.#messageAction(message, 'fork');
  }

  async sees(text: RegExp): Promise<void> {
    await eventually(String(text), () => text.test(this.conversation())).catch(() => undefined);
    assert.match(this.conversation(), text);
  }

  conversation(): string {
    const parts = this.#mirror.session.messages.flatMap((message) => message.parts);
    const said = parts.map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool' ? `${part.title} ${part.subject}: ${part.result?.text}` : '';
    });
    return said.filter((text) => text !== '').join('\n');
  }

  modelWasSent(): string {
    return this.#kit.test.server.requests.at(-1)?.text ?? '';
  }

  async restart(model: readonly Turn[]): Promise<User> {
    const lastSession = this.#mirror.session.id;
    await this.close();
    const next = await this.openWindow(model);
    if (lastSession !== null) await next.#show(lastSession);
    return next;
  }

  async openWindow(model: readonly Turn[]): Promise<PanelUser> {
    const { files: _files, ...world } = this.#world;
    return PanelUser.open({ ...world, model, after: this });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #queued(text: string): string {
    const found = this.#mirror.session.queue.find((one) => one.text === text);
    return found?.id ?? assert.fail(`${text} is not in the queue.`);
  }

  get #session(): string {
    return this.#mirror.session.id ?? assert.fail('No session is on screen.');
  }

  get #review() {
    return this.#mirror.snapshot?.review ?? assert.fail('The panel is not shown.');
  }

  async #show(sessionId: string): Promise<void> {
    await this.#mirror.request('openSession', { sessionId });
    await eventually('the session is on screen', () => this.#mirror.session.id === sessionId);
  }

  async #answerCard(
    { questionId, hash }: ApprovalView,
    answer: Partial<RequestParams<'answerApproval'>>,
  ): Promise<void> {
    await this.#mirror.request('answerApproval', { questionId, hash, allowed: true, ...answer });
    const waits = (): boolean =>
      this.#mirror.session.approvals.some((one) => one.questionId === questionId);
    await eventually('the answer is taken', () => !waits());
    await this.rest();
  }

  #find(file: string): ReviewFileView | undefined {
    return Object.values(this.#review.files).find(({ name }) => name === file);
  }

  #fileSelection(file: string): RequestParams<'decideChanges'>['selection'] {
    const { path: at, sessionId, messageId } = this.pendingFile(file);
    return { of: 'file', path: at, sessionId, messageId };
  }

  async #decideHunk(decision: Decision, file: string, number: number): Promise<void> {
    const { path: at, hunks } = this.pendingFile(file);
    const hunkId = hunks[number - 1]?.id ?? assert.fail(`${file} has no hunk ${number}.`);
    await this.#decide(decision, { of: 'hunk', path: at, hunkId });
  }

  async #decide(
    decision: Decision,
    selection: RequestParams<'decideChanges'>['selection'],
  ): Promise<DecidedView> {
    const { version } = this.#review;
    return this.#mirror.request('decideChanges', { decision, version, selection });
  }

  /** The parts of the review that only an editor has; dialogs are answered as the test wants. */
  #reviewing(test: EnginePanel['test']): PanelReviewing {
    return createReviewing(test, { during: () => this.during, closing: this.#closing });
  }

  #snapshots(at: string): { snapshots?: NodeWorkspaceSnapshots } {
    if (this.#world.checkpoints !== true) return {};
    const folder = path.join(at, 'checkpoints');
    const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');
    const parts = { folder, name: 'test', worker, without: [], environment: {} };
    const snapshots = new NodeWorkspaceSnapshots(parts);
    this.#closing.push(() => snapshots.dispose());
    return { snapshots };
  }

  async #messageAction(text: string, action: MessageAction): Promise<void> {
    const said = (parts: unknown): boolean => JSON.stringify(parts).includes(JSON.stringify(text));
    const message = this.#mirror.session.messages.find((one) => one.role === 'user' && said(one));
    const messageId = message?.id ?? assert.fail(`No message says ${text}.`);
    await this.#mirror.request('messageAction', { sessionId: this.#session, messageId, action });
    await this.#dialog;
  }

  /** The dialogs of a restore: what is safe is restored, and what `also` names. */
  async #goBack(action: MessageAction | 'redo', sessionId: string, id: string): Promise<void> {
    const { restore, redo, fork } = this.#kit.test.engine;
    if (action === 'redo') {
      const last = await redo.redoable(sessionId);
      await redo.redo(sessionId, last?.previews ?? []);
    } else if (action === 'fork') {
      const { sessionId: next } = await fork.fork(await fork.point(sessionId, id));
      return this.#show(next);
    } else {
      const target = await restore.target(sessionId, id);
      const previews = await restore.preview(target.records, target.checkpoint);
      this.preview = Object.fromEntries(previews.map((one) => [one.path, one.outcome]));
      const safe = previews.filter((one) => isRestorable(one) || this.#also.includes(one.path));
      this.undecided = await restore.countUndecided(safe);
      const what = action.replace('restore_', '') as RestoreWhat;
      const { asked } = await restore.restore({ target, what, previews: safe });
      this.input = asked?.text ?? '';
    }
    await this.newSession();
    await this.#show(sessionId);
  }

  async close(): Promise<void> {
    this.#mirror.detach();
    for (const close of this.#closing.splice(0).toReversed()) close();
    await this.#kit.test.close();
  }
}
