import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EventBroker } from '../../src/core/session/event-broker.ts';
import type { SendRequest } from '../../src/core/run/agent-service.ts';
import type { RunEventBody } from '../../src/domain/event.ts';
import type { Message } from '../../src/domain/message.ts';
import type { RunEnd } from '../../src/domain/run.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { NativeChat } from '../../src/hosts/vscode/native-chat/native-chat.ts';
import { storedThreads } from '../../src/hosts/vscode/native-chat/stored-threads.ts';
import type { Attachment } from '../../src/domain/session/session.ts';
import { MapValues } from '../support/map-values.ts';
import { noEvents, silentLog } from '../support/memory-recorder.ts';

const DONE: RunEnd = { reason: 'done', state: 'completed', canContinue: false };

/** An engine behind the chat, as far as it is asked. */
class Kit {
  readonly broker = new EventBroker(new SystemClock(), silentLog, noEvents);
  readonly values = new MapValues();
  readonly sent: { readonly sessionId: string; readonly request: SendRequest }[] = [];
  readonly calls: string[] = [];
  readonly sessions = new Set<string>();
  /** What a run does. */
  run: (runId: string, sessionId: string) => void = (runId, sessionId) =>
    this.tell(sessionId, runId, { type: 'agent_run.completed', end: DONE });
  changed: readonly string[] = [];
  busy = false;

  tell(sessionId: string, runId: string, ...bodies: RunEventBody[]): void {
    for (const body of bodies) this.broker.publish(sessionId, runId, body);
  }

  says(id: string, text: string, role: Message['role'] = 'assistant'): Message {
    return { id, sessionId: 's', seq: 1, role, parts: [{ type: 'text', text }], createdAt: 0 };
  }

  /** Each one is a window that was loaded anew. */
  chat(): NativeChat {
    const made = (): never => {
      const id = `s${this.sessions.size + 1}`;
      this.sessions.add(id);
      return { id } as never;
    };
    let ids = 0;
    return new NativeChat({
      agent: {
        sessions: {
          create: async () => made(),
          forChannel: async (...key: readonly unknown[]) => {
            this.calls.push(`forChannel ${key.slice(0, 2).join(' ')}`);
            return made();
          },
        } as never,
        runs: {
          cancel: (id: string) => void this.calls.push(`cancel ${id}`),
          settled: async () => undefined,
        } as never,
        queue: { remove: async (id: string) => void this.calls.push(`remove ${id}`) } as never,
        send: async (sessionId, request) => {
          this.sent.push({ sessionId, request });
          if (this.busy) return { queuedId: 'q' };
          const runId = `r${this.sent.length}`;
          // As the engine does, before it has said which run it is.
          this.tell(sessionId, runId, {
            type: 'message.added',
            message: this.says('u', request.text, 'user'),
          });
          setTimeout(() => this.run(runId, sessionId), 0);
          return { runId };
        },
      },
      broker: this.broker,
      fork: {
        point: async (sessionId: string, messageId: string) => ({ sessionId, messageId }) as never,
        fork: async (point: never) => {
          const { sessionId, messageId } = point as Record<string, string>;
          this.calls.push(`fork ${sessionId} ${messageId}`);
          const id = `${sessionId}-fork`;
          this.sessions.add(id);
          return { sessionId: id };
        },
      },
      threads: storedThreads(this.values),
      input: { take: async (given: readonly Attachment[]) => given },
      ids: { next: () => String((ids += 1)) },
      roots: () => ['/w'],
      options: async () => ({}),
      isThere: async (id) => this.sessions.has(id),
      changed: () => this.changed,
      log: silentLog,
    });
  }
}

/** A stream that keeps what it is given, as lines. */
function recorded(): { readonly lines: string[]; readonly stream: vscode.ChatResponseStream } {
  const lines: string[] = [];
  const stream = {
    markdown: (text: string) => void lines.push(`text ${text}`),
    progress: (text: string) => void lines.push(`progress ${text}`),
    reference: (uri: vscode.Uri) => void lines.push(`reference ${uri.fsPath}`),
    button: ({ title, command }: vscode.Command) => void lines.push(`button ${title} ${command}`),
  };
  return { lines, stream: stream as unknown as vscode.ChatResponseStream };
}

const NEVER = new vscode.CancellationTokenSource().token;

function request(prompt: string, references: readonly unknown[] = []): vscode.ChatRequest {
  return {
    prompt,
    command: undefined,
    references: references.map((value, at) => ({ id: `ref${at}`, value })),
    toolReferences: [],
    toolInvocationToken: { sessionResource: vscode.Uri.parse('vscode-chat://thread') },
  } as unknown as vscode.ChatRequest;
}

/** Answers of this conversation so far, as VS Code gives them back. */
function history(...results: readonly vscode.ChatResult[]): vscode.ChatContext {
  const turns = results.map((result) =>
    Object.assign(Object.create(vscode.ChatResponseTurn.prototype) as object, { result }),
  );
  return { history: turns as unknown as vscode.ChatResponseTurn[] };
}

describe('@belay in VS Code’s own chat', () => {
  it('is there, with the id of the manifest', () => {
    const belay = vscode.extensions.getExtension('belay.belay') ?? assert.fail();
    const { contributes } = belay.packageJSON as {
      contributes: { chatParticipants: readonly { id: string; name: string }[] };
    };
    assert.deepEqual(
      contributes.chatParticipants.map(({ id, name }) => [id, name]),
      [['belay.chat', 'belay']],
    );
  });

  it('A4: streams the answer of a session, which the conversation finds again after a reload', async () => {
    const kit = new Kit();
    kit.changed = ['/w/a.ts'];
    kit.run = (runId, sessionId) =>
      kit.tell(
        sessionId,
        runId,
        { type: 'message.delta', messageId: 'm', index: 0, kind: 'text', text: 'Hello' },
        { type: 'message.completed', message: kit.says('m', 'Hello') },
        { type: 'tool.pending', callId: 'c', name: 'edit_file', input: { path: 'a.ts' } },
        { type: 'tool.approval', callId: 'c', name: 'edit_file', questionId: 'q' },
        { type: 'agent_run.completed', end: DONE },
      );
    const { lines, stream } = recorded();
    const file = vscode.Uri.file('/w/a.ts');
    const asked = request('go\u202E on', [
      new vscode.Location(file, new vscode.Range(1, 0, 2, 0)),
      'a text',
      42,
    ]);
    const first = await kit.chat().answer(asked, history(), stream, NEVER);
    assert.deepEqual(first.metadata, {
      thread: 'vscode-chat://thread',
      sessionId: 's1',
      messageId: 'm',
    });
    assert.equal(first.errorDetails, undefined);
    assert.deepEqual(lines, [
      'progress Not included: ref2',
      'text Hello',
      lines[2],
      'button Answer in Belay belay.showPending',
      'reference /w/a.ts',
      'button Review Changes belay.openAllPending',
      'button Open in Belay belay.openSession',
    ]);
    assert.match(lines[2] ?? '', /^progress Waits for you: .*a\.ts/u);
    const [{ request: sent } = assert.fail()] = kit.sent;
    assert.match(sent.text, /^go<U\+202E> on\n\nAttached:\n\n```\na text\n```$/u);
    assert.deepEqual(
      sent.attachments?.map(({ mention }) => mention?.label),
      ['a.ts:2-3'],
    );
    const second = await kit.chat().answer(request('more'), history(first), stream, NEVER);
    assert.equal(second.metadata?.['sessionId'], 's1');
    assert.deepEqual(kit.calls, ['forChannel vscode chat']);

    // Back to the first answer: what came after it stays where it was.
    const back = await kit.chat().answer(request('other'), history(first), stream, NEVER);
    assert.equal(back.metadata?.['sessionId'], 's1-fork');
    assert.deepEqual(kit.calls.at(-1), 'fork s1 m');
    const again = await kit.chat().answer(request('on'), history(first, back), stream, NEVER);
    assert.equal(again.metadata?.['sessionId'], 's1-fork');
  });

  it('D4: a stop there stops the run, and what it has written stays', async () => {
    const kit = new Kit();
    const source = new vscode.CancellationTokenSource();
    kit.run = (runId, sessionId) => {
      kit.tell(sessionId, runId, {
        type: 'message.delta',
        messageId: 'm',
        index: 0,
        kind: 'text',
        text: 'Half',
      });
      source.cancel();
    };
    const { lines, stream } = recorded();
    const result = await kit.chat().answer(request('go'), history(), stream, source.token);
    assert.deepEqual(kit.calls.slice(1), ['cancel s1']);
    assert.deepEqual(lines, ['text Half']);
    assert.equal(result.metadata?.['sessionId'], 's1');
    assert.equal(kit.broker.size, 0);
  });

  it('a message to a session that is at work waits, runs later, and can be taken back', async () => {
    const kit = new Kit();
    kit.busy = true;
    const { lines, stream } = recorded();
    const answering = kit.chat().answer(request('later'), history(), stream, NEVER);
    while (kit.sent.length === 0) await new Promise((done) => setTimeout(done, 5));
    kit.tell('s1', 'r0', { type: 'message.completed', message: kit.says('x', 'not mine') });
    kit.tell(
      's1',
      'r9',
      { type: 'message.added', message: kit.says('u', 'later', 'user') },
      { type: 'message.completed', message: kit.says('m', 'Mine.') },
      { type: 'agent_run.completed', end: DONE },
    );
    assert.equal((await answering).metadata?.['messageId'], 'm');
    assert.match(lines[0] ?? '', /waits for its turn/u);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('text')),
      ['text Mine.'],
    );
    const source = new vscode.CancellationTokenSource();
    const waiting = kit.chat().answer(request('never'), history(), stream, source.token);
    while (kit.sent.length === 1) await new Promise((done) => setTimeout(done, 5));
    source.cancel();
    await waiting;
    assert.equal(kit.calls.at(-1), 'remove q');
  });

  it('A14: a failure, and a session that was deleted, are told', async () => {
    const kit = new Kit();
    const failure = { code: 'auth', message: 'The key was refused.' } as const;
    const failed: RunEnd = { reason: 'failure', state: 'failed', failure, canContinue: false };
    kit.run = (runId, id) => kit.tell(id, runId, { type: 'agent_run.failed', end: failed });
    const { lines, stream } = recorded();
    const first = await kit.chat().answer(request('go'), history(), stream, NEVER);
    assert.equal(first.errorDetails?.message, 'The key was refused.');
    kit.sessions.delete('s1');
    kit.sessions.add('other');
    const second = await kit.chat().answer(request('go'), history(first), stream, NEVER);
    assert.equal(second.metadata?.['sessionId'], 's2');
    assert.ok(lines.some((line) => /was deleted/u.test(line)));
  });

  it('A4: is asked in the chat view itself, goes on with its session there, and begins another in a new chat', async () => {
    // VS Code sends nothing before it knows a model, whoever is asked.
    assert.notEqual((await vscode.lm.selectChatModels()).length, 0);
    const first = await inChatView('show me');
    const second = await inChatView('again');
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    const third = await inChatView('again');
    for (const { errorDetails, metadata } of [first, second, third]) {
      assert.equal(errorDetails, undefined);
      assert.match(metadata?.messageId ?? '', /^m/u, 'an answer is on record');
    }
    assert.equal(second.metadata?.sessionId, first.metadata?.sessionId);
    assert.notEqual(second.metadata?.messageId, first.metadata?.messageId);
    assert.notEqual(third.metadata?.sessionId, first.metadata?.sessionId);
    assert.notEqual(third.metadata?.thread, first.metadata?.thread);
  }).timeout(60_000);
});

/** What the participant's answer came to, asked as a person does: in VS Code's own chat view. */
async function inChatView(query: string) {
  return vscode.commands.executeCommand<{
    readonly errorDetails?: vscode.ChatErrorDetails;
    readonly metadata?: Readonly<Record<'thread' | 'sessionId' | 'messageId', string>>;
  }>('workbench.action.chat.open', { query: `@belay ${query}`, blockOnResponse: true });
}
