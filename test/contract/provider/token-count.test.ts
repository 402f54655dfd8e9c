import assert from 'node:assert/strict';
import type { Provider } from '../../../src/core/model-call/model-call.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import { modelRequest } from '../../support/model-call.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import { contractRequests } from './wire-rig.ts';

const { signal } = new AbortController();

/** A provider whose server answers so, and what it was sent. */
function asked(make: (options: { fetch: typeof fetch }) => Provider, answer: () => Response) {
  const sent: { path: string; body: Readonly<Record<string, unknown>> }[] = [];
  const provider = make({
    fetch: async (input, init) => {
      const text = new TextDecoder().decode(init?.body as Uint8Array);
      sent.push({
        path: new URL(input as string).pathname,
        body: JSON.parse(text) as Readonly<Record<string, unknown>>,
      });
      return Promise.resolve(answer());
    },
  });
  return { provider, sent };
}

const URL_OF = 'http://127.0.0.1:9/v1';
const responses = (options: object): Provider => responsesProvider(URL_OF, options);
const gemini = (options: object): Provider => geminiProvider('http://127.0.0.1:9/v1beta', options);

describe('C12: exact tokens', () => {
  it('Responses: the request without what only an answer needs', async () => {
    const { provider, sent } = asked(responses, () => Response.json({ input_tokens: 1234 }));
    const { toolRequest } = contractRequests('gpt-r');
    assert.equal(await provider.countTokens?.(toolRequest, signal), 1234);
    assert.equal(sent[0]?.path, '/v1/responses/input_tokens');
    assert.deepEqual(Object.keys(sent[0]?.body ?? {}).toSorted(), ['input', 'model', 'tools']);
  });

  it('Gemini: the whole request, within the question', async () => {
    const { provider, sent } = asked(gemini, () => Response.json({ totalTokens: 77 }));
    const { toolRequest } = contractRequests('gemini-g');
    assert.equal(await provider.countTokens?.(toolRequest, signal), 77);
    assert.equal(sent[0]?.path, '/v1beta/models/gemini-g:countTokens');
    const inner = sent[0]?.body['generateContentRequest'] as Readonly<Record<string, unknown>>;
    assert.equal(inner['model'], 'models/gemini-g');
    for (const field of ['contents', 'tools', 'systemInstruction']) assert.ok(inner[field], field);
  });

  for (const [name, make] of [
    ['Responses', responses],
    ['Gemini', gemini],
  ] as const) {
    it(`${name}: a server without it is asked once; one that fails is asked again; no answer is no count`, async () => {
      const none = asked(make, () => new Response('no', { status: 404 }));
      for (const _ of [1, 2])
        assert.equal(await none.provider.countTokens?.(modelRequest(), signal), undefined);
      assert.equal(none.sent.length, 1);
      // A name that does not exist is no word about others.
      await none.provider.countTokens?.({ ...modelRequest(), model: 'another' }, signal);
      assert.equal(none.sent.length, 2);
      for (const answer of [
        () => new Response('busy', { status: 503 }),
        () => new Response('<html>'),
        () => Response.json({ input_tokens: 'many', totalTokens: null }),
      ]) {
        const failing = asked(make, answer);
        for (const _ of [1, 2])
          assert.equal(await failing.provider.countTokens?.(modelRequest(), signal), undefined);
        assert.equal(failing.sent.length, 2);
      }
    });
  }
});
