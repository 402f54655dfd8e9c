import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { checkForm } from '../../domain/mcp/form.ts';
import type { Json } from '../../domain/data/json.ts';
import type { RequestAnswer, TypedForm } from '../../domain/mcp/server-request.ts';
import type { PanelControl } from './panel-control.ts';
import { withoutSent } from '../../protocol/draft.ts';
import type { RequestHandlers } from '../../protocol/requests.ts';
import {
  appToOpen,
  loadBinary,
  loadResult,
  loadSummary,
  resourceToOpen,
} from '../session/load-content.ts';
import { openCallDiff } from '../cards/call-diff.ts';
import { codeHandlers } from './code-handlers.ts';
import { findHandlers } from './find-handlers.ts';
import { inputHandlers } from './input-handlers.ts';
import { permissionHandlers } from './permission-handlers.ts';
import { providerHandlers } from './provider-handlers.ts';
import type { ReviewRequest } from './review-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';
import { loadMessages, loadNewer } from '../session/load-session.ts';
import type { PanelServices } from '../services.ts';
import { PickedFiles } from '../input/picked-files.ts';
import { EMPTY_SESSION } from '../../protocol/snapshot.ts';
import { done } from './done.ts';

/** Keeps something that is being written. */
export interface KeepTyped {
  /** Into the form of a server, while it waits. */
  readonly form: (questionId: string, typed: TypedForm) => void;
  /** The number of a draft from the page. */
  readonly draft: (typed: number) => void;
}

/** One handler for each request of the panel; those about pending changes come with them. */
export function createHandlers(
  control: PanelControl,
  services: PanelServices,
  keepTyped: KeepTyped,
): Omit<RequestHandlers, ReviewRequest> {
  const picked = new PickedFiles();
  return {
    ...sessionHandlers(control, services),
    ...findHandlers(control, services.records),
    ...runHandlers(control, services, picked),
    ...questionHandlers(services, keepTyped),
    ...contentHandlers(services),
    ...editorHandlers(control, services, picked),
    ...permissionHandlers(control, services),
    ...providerHandlers(services),
    ...inputHandlers(control, services),
    ...codeHandlers(services),
    setTodo: ({ sessionId, items }) => done(services.records.todos.writeByPerson(sessionId, items)),
    setJournal: ({ sessionId, sections }) =>
      done(services.records.journals.writeByPerson(sessionId, sections)),
    editFollowUp: ({ id, prompt, dueAt }) =>
      done(services.records.followUps.change(id, prompt, dueAt)),
    cancelFollowUp: async ({ id }) => {
      await services.records.followUps.cancel(id);
      return null;
    },
    setModel: ({ sessionId, model }) => {
      void services.later.providers.chosen(model);
      return done(control.choose(sessionId, { model }));
    },
    setMode: ({ sessionId, mode }) => done(control.choose(sessionId, { mode })),
    setThinking: ({ sessionId, thinking }) => done(control.choose(sessionId, { thinking })),
    lookForModels: () => done(services.setup.choice.look?.() ?? Promise.resolve()),
    tryDemo: () =>
      done(control.choose(control.session.view.id, { model: services.setup.choice.demo })),
    saveViewState: ({ sessionId, draft, mentions, scroll, typed }) => {
      const { memory } = services;
      const id = sessionId ?? '';
      if (typed !== undefined) keepTyped.draft(typed);
      const text = draft === undefined ? memory.saved(id) : { draft, mentions };
      memory.save(id, { draft: '', ...text, scroll });
      return done(memory.settled());
    },
    dismissNotice: ({ id }) => {
      const { notices } = control.session.view;
      control.session.set({ notices: notices.filter((notice) => notice.id !== id) });
      return null;
    },
  };
}

type RunRequest =
  | 'send'
  | 'stop'
  | 'toBackground'
  | 'takeBack'
  | 'stopBackground'
  | 'continueRun'
  | 'resume'
  | 'discardRun'
  | 'retryNow'
  | 'compact'
  | 'undoCompaction'
  | 'windowShares'
  | 'sendQueued'
  | 'editQueued'
  | 'removeQueued'
  | 'moveQueued';

function runHandlers(
  control: PanelControl,
  services: PanelServices,
  picked: PickedFiles,
): Pick<RequestHandlers, RunRequest> {
  const { agent, memory, background, later } = services;
  const away = services.others?.background;
  const thenQueue = async (work: Promise<unknown>): Promise<null> => {
    try {
      await work;
    } finally {
      control.session.refreshQueue();
    }
    return null;
  };
  return {
    send: async ({ sessionId, text, attachments, how }) => {
      const compact = /^\/compact(?:\s+(?<instruction>[\s\S]+))?$/u.exec(text.trim());
      if (sessionId !== null && compact !== null) {
        await agent.compaction.summarize(sessionId, compact.groups?.['instruction']);
        const { draft } = memory.saved(sessionId) ?? EMPTY_SESSION.saved;
        memory.save(sessionId, { draft: withoutSent(draft, text), scroll: null });
        return { sessionId, queuedId: null };
      }
      const id = sessionId ?? (await control.createSession());
      const given = attachments.map((one) => picked.attachmentOf(one));
      // Mentions are taken as they are now, before the message is on record (A6).
      const mentions = given.some(({ mention }) => mention !== undefined);
      const taken = mentions ? await later.input.take(given, id) : given;
      const { queuedId } = await agent.send(id, { text, how, attachments: taken });
      const { draft } = memory.saved(id) ?? EMPTY_SESSION.saved;
      memory.save(id, { draft: withoutSent(draft, text), scroll: null });
      control.session.refreshQueue();
      await unarchive(control, services, id);
      return { sessionId: id, queuedId: queuedId ?? null };
    },
    stop: ({ sessionId }) => {
      if (away !== undefined && !agent.runs.isBusy(sessionId)) return done(away.stop(sessionId));
      agent.runs.cancel(sessionId);
      return null;
    },
    toBackground: async ({ sessionId }) => done(away?.handOver(sessionId) ?? Promise.resolve()),
    takeBack: async ({ sessionId }) => done(away?.takeBack(sessionId) ?? Promise.resolve()),
    stopBackground: async ({ id }) => {
      await background
        ?.list()
        .find(({ origin }) => origin.id === id)
        ?.stop('person');
      return null;
    },
    continueRun: ({ sessionId }) => done(agent.continueRun(sessionId)),
    resume: ({ runId, decisions }) => done(agent.handoffs.resume(runId, decisions)),
    discardRun: ({ runId }) => done(agent.handoffs.discard(runId)),
    retryNow: ({ sessionId }) => {
      agent.runs.retryNow(sessionId);
      return null;
    },
    compact: ({ sessionId, instruction }) =>
      done(agent.compaction.summarize(sessionId, instruction)),
    windowShares: ({ sessionId }) => agent.compaction.shares(sessionId),
    undoCompaction: async ({ sessionId, compactionId }) => {
      await agent.compaction.undo(sessionId, compactionId);
      return done(control.session.rereadCompactions());
    },
    sendQueued: ({ sessionId }) => thenQueue(agent.sendQueued(sessionId)),
    editQueued: ({ id, text }) => thenQueue(agent.queue.edit(id, text)),
    removeQueued: ({ id }) => thenQueue(agent.queue.remove(id)),
    moveQueued: ({ id, index }) => thenQueue(agent.queue.move(id, index)),
  };
}

function contentHandlers(
  services: PanelServices,
): Pick<RequestHandlers, 'loadOlder' | 'loadNewer' | 'loadResult' | 'loadBinary' | 'loadSummary'> {
  const { records } = services;
  return {
    loadOlder: async ({ sessionId, beforeSeq }) => {
      const { messages, hasOlder } = await loadMessages(services, sessionId, beforeSeq);
      return { messages, hasOlder };
    },
    loadNewer: ({ sessionId, afterSeq }) => loadNewer(records, sessionId, afterSeq),
    loadResult: (params) => loadResult(records, params),
    loadBinary: (params) => loadBinary(records, params),
    loadSummary: (params) => loadSummary(records, params),
  };
}

type AnswerRequest = 'answerApproval' | 'answerQuestion' | 'answerServer' | 'keepForm';

function questionHandlers(
  { desk }: PanelServices,
  keepTyped: KeepTyped,
): Pick<RequestHandlers, AnswerRequest> {
  return {
    answerApproval: ({ questionId, hash, allowed, reason, keep, without }) => {
      desk.answerApproval({
        questionId,
        hash,
        allowed,
        ...(keep === undefined ? {} : { keep }),
        ...(reason === undefined ? {} : { reason }),
        ...(without === undefined ? {} : { without }),
      });
      return null;
    },
    answerQuestion: ({ questionId, text }) => {
      desk.answerQuestion(questionId, text);
      return null;
    },
    answerServer: ({ questionId, hash, action, content }) => {
      const answer = serverAnswer(desk, questionId, action, content);
      desk.answerQuestion(questionId, JSON.stringify(answer), hash);
      return null;
    },
    keepForm: ({ questionId, typed }) => {
      keepTyped.form(questionId, typed);
      return null;
    },
  };
}

/** The answer to a server, checked once more against what was asked. Throws `BelayError` code `invalid`. */
function serverAnswer(
  desk: PanelServices['desk'],
  questionId: string,
  action: RequestAnswer['action'],
  content: Readonly<Record<string, Json>>,
): RequestAnswer {
  if (action !== 'accept') return { action };
  const request = desk.questions().find(({ id }) => id === questionId)?.request;
  if (request?.kind !== 'form') return { action, content: {} };
  const checked = checkForm(request.fields, content);
  if ('problem' in checked) throw fault('invalid', told`Nothing was sent: ${checked.problem}`);
  return { action, content };
}

type EditorRequest =
  | 'runCommand'
  | 'openCenter'
  | 'openDiff'
  | 'openFile'
  | 'openExternal'
  | 'openResource'
  | 'openApp'
  | 'openSettings'
  | 'copy'
  | 'messageAction'
  | 'redoRestore'
  | 'pickFiles';

function editorHandlers(
  control: PanelControl,
  services: PanelServices,
  picked: PickedFiles,
): Pick<RequestHandlers, EditorRequest> {
  const { editor } = services.later;
  return {
    openDiff: async (params) => done(openCallDiff(services, await control.review(), params)),
    runCommand: ({ command }) => done(editor.runCommand(command)),
    openCenter: ({ section, item }) =>
      done(editor.openCenter(item === undefined ? { section } : { section, item })),
    openFile: ({ path, line }) =>
      done(editor.openFile(line === undefined ? { path } : { path, line })),
    openExternal: ({ url, shown }) => done(editor.openExternal(url, shown ?? url)),
    openResource: async (params) =>
      done(editor.openResource(await resourceToOpen(services.records, params))),
    openApp: async (params) => done(editor.openApp(await appToOpen(services.records, params))),
    openSettings: ({ query }) => done(editor.openSettings(query)),
    copy: ({ text }) => done(editor.copy(text)),
    messageAction: ({ sessionId, messageId, action }) => {
      void editor.restore(action, sessionId, messageId);
      return null;
    },
    redoRestore: ({ sessionId }) => {
      void editor.restore('redo', sessionId);
      return null;
    },
    pickFiles: async () => {
      const attachments = await editor.pickFiles();
      picked.keep(attachments);
      return { attachments: attachments.map((attachment) => ({ ...attachment })) };
    },
  };
}

/** A session in which something happens is in the list again. */
async function unarchive(
  { list }: PanelControl,
  { records, sessions }: PanelServices,
  id: string,
): Promise<void> {
  if (list.rows().find((row) => row.id === id)?.archived !== true) return;
  await records.transcripts.markSession(id, { archived: false });
  await sessions.refresh(id);
}
