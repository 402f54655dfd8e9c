import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { type AdaptedSession, type Answered, open } from './adapter.mjs';
import { type EverythingServer, startEverything } from './support/everything-server.ts';
import { everything, memory } from './support/harness.ts';

describe('MCP: everything that a server can offer', function () {
  this.timeout(60_000);

  for (const transport of ['stdio', 'http', 'sse'] as const)
    describe(`over ${transport}`, () => {
      let session: AdaptedSession;
      let started: EverythingServer | undefined;
      const events: string[] = [];
      const asked: JsonObject[] = [];
      let answer: Answered = { action: 'accept', content: {} };

      before(async () => {
        started = transport === 'stdio' ? undefined : await startEverything(transport);
        session = await open({
          transport,
          ...(started === undefined
            ? { command: process.execPath, args: [everything, 'stdio'] }
            : { url: started.url }),
          elicit: async (request) => {
            asked.push(request);
            return answer;
          },
          sample: async (request) => {
            asked.push(request);
            return { text: 'sampled words' };
          },
          roots: () => ['/tmp'],
          on: (event) => events.push(event),
        });
      });
      after(async () => {
        await session.close();
        await started?.stop();
      });

      it('lists tools, resources, templates and prompts, and completes an argument', async () => {
        assert.ok((await session.tools()).length >= 15);
        const [resource] = await session.resources();
        const read = await session.read(resource?.['uri'] as string);
        assert.ok(read.contents.length > 0);
        assert.ok((await session.templates()).length > 0);
        const names = (await session.prompts()).map(({ name }) => name as string);
        assert.ok(names.includes('completable-prompt'), names.join());
        const filled = await session.prompt('args-prompt', { city: 'Paris' });
        assert.match(JSON.stringify(filled.messages), /Paris/u);
        const { completion } = await session.complete(
          { type: 'ref/prompt', name: 'completable-prompt' },
          { name: 'department', value: '' },
        );
        assert.ok(completion.values.length > 0);
        await session.ping();
      });

      it('fills in a form with its defaults, and declines one', async () => {
        answer = { action: 'accept', content: { name: 'Ada', check: true } };
        const filled = textOf(await session.call('trigger-elicitation-request'));
        assert.match(filled, /Ada/u);
        assert.match(filled, /It was a dark and stormy night/u);
        answer = { action: 'decline' };
        assert.match(textOf(await session.call('trigger-elicitation-request')), /declin/iu);
        // A content that does not fit is not sent.
        answer = { action: 'accept', content: { integer: 1000 } };
        assert.match(textOf(await session.call('trigger-elicitation-request')), /cancel/iu);
      });

      it('shows a page on request, and one that a tool needs first; never one without https', async () => {
        answer = { action: 'accept' };
        const url = 'https://example.com/setup';
        await session.call('trigger-url-elicitation', { url });
        assert.equal(asked.at(-1)?.['url'], url);
        const first = await session.call('trigger-url-elicitation', { url, errorPath: true });
        // It was called again when the person was done there.
        assert.match(textOf(first), /User completed/u);
        const before = asked.length;
        await session.call('trigger-url-elicitation', { url: 'http://example.com/' });
        assert.equal(asked.length, before, 'nobody is asked about it');
      });

      it('lends the model with a yes, tells folders, and structured output stays', async () => {
        const sampled = await session.call('trigger-sampling-request', { prompt: 'Say it' });
        assert.match(textOf(sampled), /sampled words/u);
        assert.match(JSON.stringify(asked.at(-1)), /Say it/u);
        assert.match(textOf(await session.call('get-roots-list')), /file:\/\/\/tmp/u);
        const weather = await session.call('get-structured-content', { location: 'Chicago' });
        assert.equal(typeof weather.structuredContent, 'object');
      });

      it('reports progress, and tells the server of a call that was given up', async () => {
        const seen: number[] = [];
        await session.call(
          'trigger-long-running-operation',
          { duration: 0.4, steps: 4 },
          { onprogress: ({ progress }) => seen.push(progress) },
        );
        assert.ok(seen.length >= 3, seen.join());
        const given = session.call(
          'trigger-long-running-operation',
          { duration: 60, steps: 2 },
          { timeout: 200 },
        );
        await assert.rejects(given, { name: 'AbortError' });
        assert.match(textOf(await session.call('echo', { message: 'on' })), /on/u);
      });

      it('hears of resources that change and of log lines', async () => {
        const uri = (await session.resources())[0]?.['uri'] as string;
        await session.subscribe(uri);
        await session.setLevel('debug');
        await session.call('toggle-subscriber-updates');
        await session.call('toggle-simulated-logging');
        await until(() => events.includes('notifications/resources/updated'));
        await until(() => events.includes('notifications/message'));
        await session.unsubscribe(uri);
        await session.rootsChanged();
      });

      it('runs a tool that is only a task, and answers what it asks meanwhile', async () => {
        answer = { action: 'accept', content: { interpretation: 'programming' } };
        const input = { topic: 'python', ambiguous: true };
        const report = await session.call('simulate-research-query', input);
        assert.match(textOf(report), /python/iu);
      });
    });
});

describe('MCP: server-memory', () => {
  it('keeps and finds what it was told', async () => {
    const env = { MEMORY_FILE_PATH: `/tmp/belay-memory-${process.pid}.jsonl` };
    const session = await open({ command: process.execPath, args: [memory], env });
    try {
      const entities = [
        { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] },
      ];
      await session.call('create_entities', { entities });
      const found = await session.call('search_nodes', { query: 'Ada' });
      assert.match(JSON.stringify(found.structuredContent), /wrote the first program/u);
    } finally {
      await session.close();
    }
  });
});

const textOf = ({ content }: { content: readonly { type: string; text?: string }[] }): string =>
  content.map(({ text = '' }) => text).join('\n');

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); await wait(50))
    assert.ok(Date.now() < end, 'it never came');
}
