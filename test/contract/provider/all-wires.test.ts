import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FailureCode } from '../../../src/domain/failure.ts';
import { modelRequest, outcomeOf } from '../../support/model-call.ts';
import { SUBJECTS } from './wire-subjects.ts';

/** The key of a request, however it goes. */
const keyIn = ({ headers }: IncomingMessage): unknown =>
  headers['x-goog-api-key'] ?? headers.authorization?.replace('Bearer ', '');

/** What servers say when a conversation is too long, by whose words they are. */
const OVERFLOWS = [
  'prompt is too long: 210000 tokens > 200000 maximum',
  'Prompt too long',
  'Input is too long for requested model.',
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "This endpoint's maximum context length of 128000 tokens was exceeded",
  'The context length is only 4096 tokens, resulting in a maximum input length of 0',
  "`inputs` tokens must be shorter; they are longer than the model's context length (8193)",
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).',
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  'Please reduce the length of the messages or completion.',
  'Prompt contains 40000 tokens and is too large for model with 32768 maximum context length',
  'the request exceeds the available context size. try increasing the context size',
  'Trying to keep the first 9000 tokens when context the overflows. However, the prompt is greater than the context length of 4096',
  'Invalid request: Your request exceeded model token limit: 131072',
  'invalid params, context window exceeds limit (2013)',
  'Range of input length should be [1, 98304]',
  'prompt token count of 140000 exceeds the limit of 128000',
  'Message exceeds token limit',
];

describe('every wire', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse, n: number) => void;
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
  const serve = async (answer: Answer) => {
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      seen.push(request);
      request.resume();
      request.on('end', () => answer(request, response, seen.length));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  const stream =
    (events: readonly unknown[]): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events)
        response.write(
          `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\r\n\r\n`,
        );
      response.end();
    };

  for (const { name, make, events, calls, error } of SUBJECTS) {
    describe(name, () => {
      const failed = async (answer: Answer) => {
        const { address, seen } = await serve(answer);
        const { failure } = await outcomeOf(make(address).call, modelRequest());
        return { failure, asked: seen.length };
      };

      it('t06: the key never follows a redirect to another origin, and does within its own, once', async () => {
        const thief = await serve(stream(events));
        for (const status of [301, 302, 303, 307, 308]) {
          const { failure } = await failed((_request, response) =>
            response.writeHead(status, { location: `${thief.address}/x` }).end(),
          );
          assert.equal(failure?.code, 'bad_response');
        }
        assert.equal(thief.seen.length, 0);
        const { address, seen } = await serve((request, response, n) => {
          if (n === 1) response.writeHead(307, { location: '/moved' }).end();
          else stream(events)(request, response, n);
        });
        assert.ok((await outcomeOf(make(address).call, modelRequest())).answer);
        assert.deepEqual(
          seen.map((request) => keyIn(request)),
          ['secret-key', 'secret-key'],
        );
        assert.equal(seen[1]?.url, '/moved');
      });

      for (const [status, more, headers, code] of [
        [401, {}, {}, 'auth'],
        [402, {}, {}, 'billing'],
        [403, {}, {}, 'permission'],
        [404, { message: 'The model `x` does not exist' }, {}, 'model_not_found'],
        [404, {}, {}, 'config'],
        [408, {}, {}, 'timeout'],
        [413, {}, {}, 'request_too_large'],
        [422, {}, {}, 'api'],
        [429, {}, {}, 'rate_limited'],
        [429, { code: 'insufficient_quota' }, {}, 'billing'],
        [429, { type: 'insufficient_quota' }, {}, 'billing'],
        [429, { code: 'credit_balance_exhausted' }, {}, 'billing'],
        [500, {}, {}, 'overloaded'],
        [503, {}, {}, 'overloaded'],
        [400, { message: 'odd' }, { 'x-should-retry': 'true' }, 'overloaded'],
        [400, { message: 'odd' }, {}, 'api'],
        [400, { code: 'context_length_exceeded' }, {}, 'context_overflow'],
      ] as const satisfies readonly (readonly [number, object, object, FailureCode])[]) {
        it(`${status} ${JSON.stringify(more)} ${JSON.stringify(headers)} is ${code}`, async () => {
          const { failure, asked } = await failed(json(status, error('Words.', more), headers));
          assert.deepEqual([failure?.code, failure?.status, asked], [code, status, 1]);
          assert.equal(JSON.stringify(failure).includes('secret-key'), false);
        });
      }

      it('every text of an overflow is one with 400, and none with 429 or of a rate limit', async () => {
        let [status, text] = [400, ''];
        const { address } = await serve((...given) => json(status, error(text))(...given));
        const { call } = make(address);
        for (text of OVERFLOWS) {
          status = 400;
          assert.equal(
            (await outcomeOf(call, modelRequest())).failure?.code,
            'context_overflow',
            text,
          );
          status = 429;
          assert.equal((await outcomeOf(call, modelRequest())).failure?.code, 'rate_limited', text);
        }
        status = 400;
        text = 'Rate limit reached for tokens: prompt is too long';
        assert.equal((await outcomeOf(call, modelRequest())).failure?.code, 'rate_limited');
      });

      for (const [what, headers, more, expected] of [
        ['retry-after-ms', { 'retry-after-ms': '1500' }, {}, 1500],
        ['retry-after', { 'retry-after': '7' }, {}, 7000],
        ['RetryInfo', {}, { details: [{ '@type': 'x.RetryInfo', retryDelay: '34.5s' }] }, 34_500],
        ['words', {}, { message: 'Limit reached. Please try again in 1m5.2s.' }, 65_200],
        ['words in milliseconds', {}, { message: 'Please try again in 850ms' }, 850],
        ['words in full', {}, { message: 'retry after 20 seconds' }, 20_000],
        ['nothing', {}, {}, undefined],
      ] as const) {
        it(`waits what the server asks for: ${what}`, async () => {
          const { failure } = await failed(json(429, error('Slow.', more), headers));
          assert.equal(failure?.retryAfterMs, expected);
        });
      }

      it('t04, s01: a web page and an empty body are no answers', async () => {
        const page = await failed((_request, response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
        );
        assert.equal(page.failure?.code, 'bad_response');
        const empty = await failed(stream([]));
        assert.equal(empty.failure?.code, 'stream_broken');
        const html = await failed((_request, response) =>
          response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>'),
        );
        assert.equal(html.failure?.code, 'overloaded');
        assert.doesNotMatch(JSON.stringify(html.failure), /Bad Gateway/);
      });

      const written = (events: readonly unknown[]): string =>
        events
          .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
          .join('');
      const answered = async (text: string | Buffer, pieces = 1) => {
        const { address } = await serve((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const bytes = Buffer.from(text);
          const size = Math.ceil(bytes.length / pieces);
          const write = (at: number): void => {
            if (at >= bytes.length) return void response.end();
            response.write(bytes.subarray(at, at + size), () => setImmediate(write, at + size));
          };
          write(0);
        });
        return outcomeOf(make(address).call, modelRequest());
      };

      it('s12, s13: a byte at a time, split within letters; comments, ids and fields of no meaning', async () => {
        const odd = `: hello\r\n\r\nid: 7\nretry: 10\n\n${written(events).replaceAll('Hi.', 'H\u00ef \u{1F600}.')}`;
        const { answer } = await answered(odd, 10_000);
        assert.deepEqual(
          answer?.parts.map((part) => ('text' in part ? part.text : '')),
          ['H\u00ef \u{1F600}.'],
        );
      });

      it('s14, s16: a line that is no JSON breaks the answer off; a second answer after the first does not count', async () => {
        const { failure } = await answered(`data: {"type": oops\n\n${written(events)}`);
        assert.equal(failure?.code, 'stream_broken');
        if (name === 'Gemini') return; // It has no end mark: what follows is part of the answer.
        const { answer } = await answered(written([...events, ...events]));
        assert.equal(answer?.parts.length, 1);
      });

      it('c18, c19, c20: two hundred calls, two megabytes, lone surrogates', async () => {
        const many = Array.from({ length: 200 }, (_, n) => JSON.stringify({ path: `f${n}` }));
        const { answer } = await answered(
          written(
            calls([...many, JSON.stringify({ path: 'x'.repeat(2_000_000) }), '{"path":"\\ud800"}']),
          ),
        );
        const inputs = answer?.parts.flatMap((part) =>
          part.type === 'tool_call' ? [part.input['path']] : [],
        );
        assert.equal(inputs?.length, 202);
        assert.equal(inputs[199], 'f199');
        assert.equal(JSON.stringify(inputs[200]).length, 2_000_002);
        assert.equal(inputs[201], '\ufffd');
      });

      it('a password in the address is in no message', async () => {
        const { failure } = await outcomeOf(
          make('http://me:hidden@127.0.0.1:9').call,
          modelRequest(),
        );
        assert.ok(failure);
        assert.doesNotMatch(JSON.stringify(failure), /hidden/);
      });

      it('nothing is sent without the key that an address had', async () => {
        const { address, seen } = await serve(stream(events));
        const had = new Set<string>();
        const keyed = {
          has: (one: string) => had.has(one),
          add: async (one: string) => void had.add(one),
        };
        assert.ok((await outcomeOf(make(address, { keyed }).call, modelRequest())).answer);
        const { failure } = await outcomeOf(make(address, { keyed, key: '' }).call, modelRequest());
        assert.deepEqual([failure?.code, seen.length], ['auth', 1]);
      });
    });
  }
});
