import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import {
  type ClientContext,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  client,
  ndJsonStream,
} from '@agentclientprotocol/sdk';
import { bytesOf } from '../../src/hosts/node/acp/bytes.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { startModelServer } from '../support/model-server/server.ts';
import type { ModelServer } from '../support/model-server/server.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Script } from '../support/model-server/turn.ts';

type Answer = (asked: RequestPermissionRequest) => RequestPermissionResponse['outcome'];

const choose =
  (kind: string): Answer =>
  ({ options }) => {
    const optionId = options.find((option) => option.kind === kind)?.optionId;
    return optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
  };

/** An editor: the SDK's own client over the standard streams of the program as it is shipped. */
class Editor {
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  answer: Answer = choose('allow_once');
  readonly agent: ClientContext;
  readonly #child: ChildProcess;
  readonly #seen = new Set<() => void>();

  private constructor(child: ChildProcess) {
    this.#child = child;
    const { stdin, stdout } = child;
    assert.ok(stdin !== null && stdout !== null);
    const app = client({ name: 'editor' })
      .onNotification('session/update', ({ params }) => {
        this.updates.push(params);
        for (const look of this.#seen) look();
      })
      .onRequest('session/request_permission', ({ params }) => {
        this.asked.push(params);
        for (const look of this.#seen) look();
        return { outcome: this.answer(params) };
      });
    this.agent = app.connect(ndJsonStream(Writable.toWeb(stdin), bytesOf(stdout))).agent;
  }

  static async open(folder: string, server: ModelServer): Promise<Editor> {
    const child = spawn(
      process.execPath,
      [
        await headlessProgram(),
        'acp',
        '--data',
        path.join(folder, 'data'),
        '--model-url',
        server.url,
      ],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, ANTHROPIC_API_KEY: 'test-key' },
      },
    );
    const editor = new Editor(child);
    const { protocolVersion, agentCapabilities } = await editor.agent.request('initialize', {
      protocolVersion: 1,
    });
    assert.equal(protocolVersion, 1);
    assert.equal(agentCapabilities?.loadSession, true);
    return editor;
  }

  /** Resolves when a condition holds. */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#seen.delete(look);
        resolve();
      };
      this.#seen.add(look);
    });
  }

  of<Kind extends SessionUpdate['sessionUpdate']>(
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates
      .map(({ update }) => update)
      .filter(
        (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> =>
          update.sessionUpdate === kind,
      );
  }

  get said(): string {
    return this.of('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  async ask(sessionId: string, text: string): Promise<string> {
    const prompt = [{ type: 'text' as const, text }];
    return (await this.agent.request<PromptResponse>('session/prompt', { sessionId, prompt }))
      .stopReason;
  }

  /** The editor closes its end: the agent ends by itself. */
  async close(): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined;
    this.#child.stdin?.end();
    await ended;
  }
}

interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly server: ModelServer;
  readonly open: () => Promise<Editor>;
}

async function place(script: Script): Promise<Place> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-acp-'));
  const workspace = await mkdtemp(path.join(folder, 'workspace-'));
  const server = await startModelServer({ script });
  const editors: Editor[] = [];
  return {
    folder,
    workspace,
    server,
    open: async () => {
      const editor = await Editor.open(folder, server);
      editors.push(editor);
      return editor;
    },
    [Symbol.asyncDispose]: async () => {
      for (const editor of editors) await editor.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('stories of the Agent Client Protocol', function () {
  this.timeout(180_000);

  it('session, prompt, permission: text as it comes, calls with their diffs, a yes that counts for what was shown', async () => {
    await using here = await place(
      inOrder(
        calls(call('write_file', { path: 'a.txt', content: 'new' }, 'one')),
        calls(call('run_command', { command: 'npm run nothing' }, 'two')),
        calls(call('run_command', { command: 'touch three.txt' }, 'three')),
        say('All done.'),
        say('I see.'),
      ),
    );
    const editor = await here.open();
    const stranger = { name: 'theirs', command: 'node', args: ['-e', ''], env: [] };
    const made = await editor.agent.request<NewSessionResponse>('session/new', {
      cwd: here.workspace,
      mcpServers: [stranger],
    });
    const { sessionId } = made;
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'ask' });
    editor.answer = (asked) => {
      if (asked.toolCall.toolCallId === 'two') return choose('reject_once')(asked);
      // The yes to another question counts for nothing.
      if (asked.toolCall.toolCallId === 'three')
        return { outcome: 'selected', optionId: editor.asked[0]?.options[0]?.optionId ?? '' };
      return choose('allow_once')(asked);
    };
    assert.equal(await editor.ask(sessionId, 'Do it.'), 'end_turn');
    assert.match(
      editor.said,
      /MCP servers of this editor are not started in Belay: theirs.*All done\.$/su,
    );
    assert.equal(await readFile(path.join(here.workspace, 'a.txt'), 'utf8'), 'new');
    assert.deepEqual(
      editor.asked.map(({ toolCall }) => toolCall.toolCallId),
      ['one', 'two', 'three'],
    );
    assert.deepEqual(
      editor.asked[0]?.toolCall.content?.filter(({ type }) => type === 'diff'),
      [{ type: 'diff', path: path.join(here.workspace, 'a.txt'), newText: 'new' }],
    );
    const [first] = editor.of('tool_call');
    assert.deepEqual(
      [first?.kind, first?.status, first?.locations],
      ['edit', 'pending', [{ path: path.join(here.workspace, 'a.txt') }]],
    );
    assert.deepEqual(
      editor
        .of('tool_call_update')
        .flatMap(({ toolCallId, status }) =>
          status === 'completed' || status === 'failed' ? [[toolCallId, status]] : [],
        ),
      [
        ['one', 'completed'],
        ['two', 'failed'],
        ['three', 'failed'],
      ],
    );
    await assert.rejects(readFile(path.join(here.workspace, 'three.txt')));
    assert.ok(editor.updates.every((update) => update.sessionId === sessionId));
    // Pictures and embedded texts go to the model.
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { stopReason } = await editor.agent.request<PromptResponse>('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'And this?' },
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///x/y.txt', text: 'embedded words' } },
        { type: 'resource_link', name: 'linked', uri: 'file:///x/linked%20one.txt' },
      ],
    });
    assert.equal(stopReason, 'end_turn');
    const sent = JSON.stringify(here.server.requests.at(-1)?.body.messages);
    for (const words of ['embedded words', '/x/linked one.txt', '"type":"image"'])
      assert.ok(sent.includes(words), words);
  });

  it('begins a session in mode Edit', async () => {
    await using here = await place(inOrder(say('Hello.')));
    const editor = await here.open();
    const { modes } = await editor.agent.request<NewSessionResponse>('session/new', {
      cwd: here.workspace,
      mcpServers: [],
    });
    assert.equal(modes?.currentModeId, 'edit');
  });

  it('modes, models, the plan, the list; a wrong choice, session or folder is refused by name', async () => {
    await using here = await place(
      inOrder(calls(call('todo', { items: [{ text: 'Look', status: 'active' }] })), say('Done.')),
    );
    const editor = await here.open();
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: here.workspace,
      mcpServers: [],
    });
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'read' });
    const { configOptions } = await editor.agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'claude-haiku-4-5',
    });
    assert.deepEqual(
      configOptions.map(({ id, currentValue }) => [id, currentValue]),
      [
        ['mode', 'read'],
        ['model', 'claude-haiku-4-5'],
      ],
    );
    assert.equal(await editor.ask(sessionId, 'Plan.'), 'end_turn');
    assert.equal(here.server.requests.at(-1)?.body.model, 'claude-haiku-4-5');
    assert.deepEqual(editor.of('plan').at(-1)?.entries, [
      { content: 'Look', status: 'in_progress', priority: 'medium' },
    ]);
    assert.deepEqual(
      editor.of('available_commands_update')[0]?.availableCommands.map(({ name }) => name),
      ['continue', 'compact'],
    );
    const { sessions } = await editor.agent.request('session/list', { cwd: here.workspace });
    assert.deepEqual(
      sessions.map((session) => session.sessionId),
      [sessionId],
    );
    await assert.rejects(
      editor.agent.request('session/set_mode', { sessionId, modeId: 'everything' }),
      /There is no mode everything/u,
    );
    await assert.rejects(editor.ask('nobody', 'Hello.'), /No session nobody is open/u);
    await assert.rejects(
      editor.agent.request('session/new', { cwd: '/nowhere/at/all', mcpServers: [] }),
      /not a folder/u,
    );
  });

  it('cancel: the run stops, the prompt answers, and the session can go on', async () => {
    await using here = await place((_request) =>
      here.server.requests.length === 1
        ? say('word '.repeat(50), { delayMs: 30_000 })
        : say('Here again.'),
    );
    const editor = await here.open();
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: here.workspace,
      mcpServers: [],
    });
    const asked = editor.ask(sessionId, 'Talk.');
    while (here.server.requests.length === 0) await new Promise(setImmediate);
    await editor.agent.notify('session/cancel', { sessionId });
    assert.equal(await asked, 'cancelled');
    assert.equal(await editor.ask(sessionId, 'Again.'), 'end_turn');
    assert.match(editor.said, /Here again\.$/u);
  });

  it('an editor that goes in the middle of a question: the run is there for the next one, which loads it and goes on, and nothing happens twice', async () => {
    await using here = await place(
      inOrder(
        calls(call('write_file', { path: 'a.txt', content: 'one' }, 'one')),
        calls(call('run_command', { command: 'npm --version >> b.txt' }, 'two')),
        say('All done.'),
      ),
    );
    const first = await here.open();
    const { sessionId } = await first.agent.request('session/new', {
      cwd: here.workspace,
      mcpServers: [],
    });
    first.answer = (asked) => {
      if (asked.toolCall.toolCallId === 'one') return choose('allow_once')(asked);
      void first.close();
      return { outcome: 'cancelled' };
    };
    await assert.rejects(first.ask(sessionId, 'Do it.'));
    await first.close();

    const second = await here.open();
    await second.agent.request('session/load', { sessionId, cwd: here.workspace, mcpServers: [] });
    assert.deepEqual(
      second.of('user_message_chunk').map(({ content }) => content.type === 'text' && content.text),
      ['Do it.'],
    );
    assert.deepEqual(
      second.of('tool_call').map(({ toolCallId }) => toolCallId),
      ['one', 'two'],
    );
    assert.equal(await second.ask(sessionId, '/continue'), 'end_turn');
    assert.deepEqual(
      second.asked.map(({ toolCall }) => toolCall.toolCallId),
      ['two'],
    );
    assert.match(second.said, /All done\.$/u);
    // The record is one: a third looks at it without history.
    await second.close();
    const third = await here.open();
    await third.agent.request('session/resume', { sessionId, cwd: here.workspace });
    assert.equal(third.said, '');
  });
});
