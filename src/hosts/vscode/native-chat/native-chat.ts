import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentService, SessionOptions } from '../../../core/run/agent-service.ts';
import type { EventBroker } from '../../../core/session/event-broker.ts';
import type { SessionFork } from '../../../core/restore/session-fork.ts';
import type { Ids } from '../../../core/ports/ids.ts';
import type { Log } from '../../../core/ports/log.ts';
import { failureOf, wordsOf } from '../../../domain/failure.ts';
import type { RunEvent } from '../../../domain/event.ts';
import { textOf } from '../../../domain/message.ts';
import { type Attachment, NATIVE_CHAT } from '../../../domain/session/session.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import {
  ChatAnswer,
  type ChatEnd,
  type ChatPiece,
} from '../../../panel/native-chat/chat-answer.ts';
import {
  type AnswerNote,
  nextStep,
  noteObject,
  readNote,
  type ThreadRecords,
} from '../../../panel/native-chat/chat-threads.ts';
import type { PanelInput } from '../../../panel/services.ts';
import { askedIn } from './references.ts';

export interface NativeChatParts {
  readonly agent: Pick<AgentService, 'send' | 'sessions' | 'runs' | 'queue'>;
  readonly broker: Pick<EventBroker, 'listen'>;
  readonly fork: Pick<SessionFork, 'point' | 'fork'>;
  readonly threads: ThreadRecords;
  readonly input: Pick<PanelInput, 'take'>;
  readonly ids: Ids;
  readonly roots: () => readonly string[];
  /** Of new sessions. */
  readonly options: () => Promise<SessionOptions>;
  readonly isThere: (sessionId: string) => Promise<boolean>;
  /** Absolute paths of files with pending changes of a session. */
  readonly changed: (sessionId: string) => readonly string[];
  readonly log: Log;
}

const SHOW_WAITING: CommandId = 'belay.showPending';
const SHOW_CHANGES: CommandId = 'belay.openAllPending';
const OPEN_SESSION: CommandId = 'belay.openSession';

/** A message that was sent: it runs, or waits for its turn. */
interface Sent {
  readonly runId?: string;
  readonly queuedId?: string;
}

/** `@belay` in VS Code's own chat: each conversation there is a session, which the panel shows, too. */
export class NativeChat {
  readonly #parts: NativeChatParts;

  constructor(parts: NativeChatParts) {
    this.#parts = parts;
  }

  /** Never rejects: what went wrong is told in the answer. */
  async answer(
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    let note: AnswerNote | undefined;
    try {
      if (request.prompt.trim() === '' && request.references.length === 0) {
        stream.markdown(l10n.t('Say what you want done: `@belay fix the failing test`.'));
        return {};
      }
      const { thread, sessionId } = await this.#session(request, context, stream);
      note = { thread, sessionId };
      const ended = await this.#run(sessionId, request, stream, token);
      if (ended === undefined) return { metadata: noteObject(note) };
      note = { ...note, ...(ended.messageId === undefined ? {} : { messageId: ended.messageId }) };
      this.#close(sessionId, stream);
      const { failure, state } = ended.end;
      return {
        metadata: noteObject(note),
        ...(failure === undefined || state !== 'failed'
          ? {}
          : { errorDetails: { message: wordsOf(failure) } }),
      };
    } catch (error) {
      this.#parts.log.error('A message of VS Code’s own chat could not be answered.', error);
      const message = wordsOf(failureOf(error));
      return {
        errorDetails: { message },
        ...(note === undefined ? {} : { metadata: noteObject(note) }),
      };
    }
  }

  async #session(
    request: vscode.ChatRequest,
    { history }: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
  ): Promise<{ readonly thread: string; readonly sessionId: string }> {
    const { threads, fork, isThere } = this.#parts;
    const notes = history
      .filter((turn) => turn instanceof vscode.ChatResponseTurn)
      .map(({ result }) => readNote(result.metadata));
    const thread = threadOf(request) ?? notes.at(-1)?.thread ?? crypto.randomUUID();
    const bound = await threads.find(thread);
    const step = nextStep(thread, bound, notes);
    let sessionId: string;
    if (step.kind === 'new' && bound === undefined) sessionId = await this.#first(thread);
    else if (step.kind === 'new') sessionId = await this.#create();
    else if (!(await isThere(step.sessionId))) {
      stream.progress(l10n.t('The session of this conversation was deleted; a new one begins.'));
      sessionId = await this.#create();
    } else if (step.kind === 'go_on') sessionId = step.sessionId;
    else {
      const point = await fork.point(step.sessionId, step.messageId);
      sessionId = (await fork.fork(point)).sessionId;
    }
    await threads.bind(thread, { sessionId, answers: notes.length + 1 });
    return { thread, sessionId };
  }

  /** The session of a conversation by its name (A4); the conversation's copies have sessions of their own. */
  async #first(thread: string): Promise<string> {
    const { agent, options } = this.#parts;
    const { platform, channel } = NATIVE_CHAT;
    return (await agent.sessions.forChannel(platform, channel, thread, await options())).id;
  }

  async #create(): Promise<string> {
    const { agent, options } = this.#parts;
    return (await agent.sessions.create(await options())).id;
  }

  /** @returns `undefined`: it was stopped before its end was known */
  async #run(
    sessionId: string,
    request: vscode.ChatRequest,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<ChatEnd | undefined> {
    const { agent, input, ids, roots } = this.#parts;
    const { text, mentions, leftOut } = askedIn(request, roots());
    for (const what of leftOut) stream.progress(l10n.t('Not included: {0}', makeVisible(what)));
    const given = mentions.map((mention): Attachment => ({
      id: ids.next('attachment'),
      name: mention.source,
      mediaType: 'text/plain',
      size: 0,
      mention: { ...mention, tokens: null },
    }));
    const attachments = given.length === 0 ? [] : await input.take(given, sessionId);
    if (token.isCancellationRequested) return undefined;
    const done = Promise.withResolvers<ChatEnd | undefined>();
    const following = this.#follow(sessionId, text, stream, done.resolve);
    let sent: Sent = {};
    const stop = token.onCancellationRequested(() => {
      this.#stop(sessionId, sent, following.hasBegun());
      // VS Code keeps what is returned within a second.
      done.resolve(undefined);
    });
    try {
      sent = await agent.send(sessionId, { text, attachments });
      if (token.isCancellationRequested) this.#stop(sessionId, sent, following.hasBegun());
      if (sent.runId === undefined)
        stream.progress(l10n.t('Belay is at work; your message waits for its turn.'));
      else following.begin(sent.runId);
      return await done.promise;
    } finally {
      stop.dispose();
      following.dispose();
    }
  }

  /** Follows the run of a message; what waits for its turn is known by its text. */
  #follow(
    sessionId: string,
    text: string,
    stream: vscode.ChatResponseStream,
    onEnd: (end: ChatEnd | undefined) => void,
  ): { begin(runId: string): void; hasBegun(): boolean; dispose(): void } {
    const answer = new ChatAnswer((piece) => show(piece, stream));
    let runId: string | undefined;
    const hear = (event: RunEvent): void => {
      if (event.runId !== runId) return;
      const end = answer.hear(event);
      if (end !== undefined) onEnd(end);
    };
    const begin = (id: string): void => {
      if (runId !== undefined) return;
      runId = id;
      // A run that the window's end or a question left without an end is over all the same.
      void this.#settled(sessionId, onEnd);
    };
    const listening = this.#parts.broker.listen((event) => {
      if (event.sessionId !== sessionId) return;
      if (runId !== undefined) return hear(event);
      const isIt =
        event.type === 'message.added' &&
        event.message.role === 'user' &&
        textOf(event.message).includes(text);
      if (isIt) begin(event.runId);
    });
    return { begin, hasBegun: () => runId !== undefined, dispose: () => listening.dispose() };
  }

  async #settled(sessionId: string, onEnd: (end: ChatEnd) => void): Promise<void> {
    const end = await this.#parts.agent.runs.settled(sessionId);
    if (end !== undefined) onEnd({ end });
  }

  #stop(sessionId: string, { queuedId }: Sent, hasBegun: boolean): void {
    const { agent, log } = this.#parts;
    if (queuedId === undefined || hasBegun) agent.runs.cancel(sessionId);
    else
      agent.queue
        .remove(queuedId)
        .catch((error: unknown) =>
          log.warn('A message was not taken back.', { error: String(error) }),
        );
  }

  /** Ends an answer: files to be reviewed, and the way to the session. */
  #close(sessionId: string, stream: vscode.ChatResponseStream): void {
    const changed = this.#parts.changed(sessionId);
    for (const path of changed) stream.reference(vscode.Uri.file(path));
    if (changed.length > 0)
      stream.button({ command: SHOW_CHANGES, title: l10n.t('Review Changes') });
    stream.button({
      command: OPEN_SESSION,
      title: l10n.t('Open in Belay'),
      arguments: [{ sessionId }],
    });
  }
}

function show(piece: ChatPiece, stream: vscode.ChatResponseStream): void {
  switch (piece.kind) {
    case 'text':
      // Plain Markdown: no commands, no HTML, and images of nowhere.
      stream.markdown(piece.text);
      break;
    case 'progress':
      stream.progress(piece.text);
      break;
    case 'waits':
      stream.progress(l10n.t('Waits for you: {0}', piece.text));
      stream.button({ command: SHOW_WAITING, title: l10n.t('Answer in Belay') });
      break;
    default:
      piece satisfies never;
  }
}

/** The conversation, as VS Code 1.123 and later name it to tools; the documented API has no name for it. */
function threadOf({ toolInvocationToken }: vscode.ChatRequest): string | undefined {
  const { sessionResource } = (toolInvocationToken ?? {}) as { sessionResource?: unknown };
  if (typeof sessionResource !== 'object' || sessionResource === null) return undefined;
  try {
    return vscode.Uri.from(sessionResource as vscode.Uri).toString();
  } catch {
    return undefined;
  }
}
