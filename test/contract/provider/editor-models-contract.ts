import assert from 'node:assert/strict';
import type { EditorModels } from '../../../src/core/ports/editor/editor-models.ts';
import type { Message } from '../../../src/domain/message.ts';
import type { Provider } from '../../../src/core/model-call/model-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createEditorProvider } from '../../../src/providers/vscode-lm/provider.ts';
import { callContext, message, modelRequest, outcomeOf, user } from '../../support/model-call.ts';
import { providerContract } from './provider-contract.ts';

/** Tools of the requests; the sample models call them when they are told to. */
export const TOOLS = [
  {
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'other', description: 'Other.', inputSchema: { type: 'object', properties: {} } },
] as const;

/** A provider over an editor's models, as the product makes it. */
export async function editorProvider(editor: EditorModels): Promise<Provider> {
  const known = await editor.list();
  return createEditorProvider({
    id: 'editor',
    editor,
    known: () => known,
    clock: new SystemClock(),
  });
}

/**
 * What the provider and the port owe, on the sample models: over the fake in plain Node, and over the real VS Code
 * with the sample extension.
 */
export function editorModelsContract(name: string, editor: () => EditorModels): void {
  const request = (text: string, model = 'sample/helpful') =>
    modelRequest({ model, messages: [user(text)], tools: TOOLS });
  const made = async (): Promise<Provider> => editorProvider(editor());

  providerContract(name, async () => ({
    provider: await made(),
    textRequest: request('Hello'),
    toolRequest: request('call look {"path":"a.txt"}'),
    close: () => Promise.resolve(),
  }));

  describe(`models of the editor: ${name}`, () => {
    const failing = async (text: string, model?: string) =>
      (await outcomeOf((await made()).call, request(text, model))).failure;

    it('are listed with what the editor says of them', async () => {
      const listed = (await editor().list()).filter(({ vendor }) => vendor === 'sample');
      assert.deepEqual(
        listed.map(({ id, maxInputTokens, tools, images }) => [id, maxInputTokens, tools, images]),
        [
          ['sample/helpful', 60_000, true, true],
          ['sample/breaking', 60_000, true, true],
          ['sample/slow', 60_000, true, true],
          ['sample/plain', 60_000, false, false],
        ],
      );
    });

    it('get the system prompt as the first message of a person, and no request that ends on results alone', async () => {
      const { answer } = await outcomeOf((await made()).call, {
        ...request(''),
        messages: [
          user('call look {"path":"a"}'),
          message('assistant', [{ type: 'tool_call', id: 'x y', name: 'look', input: {} }]),
          result('x y', 'found it'),
        ],
      });
      assert.deepEqual(answer?.parts, [{ type: 'text', text: 'The tool gave: found it' }]);
      assert.equal(answer?.finish, 'end_turn');
    });

    it('a break in the middle of an answer is a failure that may be tried again', async () => {
      const { events, failure } = await outcomeOf(
        (await made()).call,
        request('Hello', 'sample/breaking'),
      );
      assert.ok(events.some(({ type }) => type === 'delta'));
      assert.equal(failure?.code, 'stream_broken');
      assert.match(failure.message, /Sample Breaking broke off.*went dead.*kept/u);
    });

    it('D4: a slow one is stopped at once', async () => {
      const stop = new AbortController();
      const provider = await made();
      let last: unknown;
      for await (const event of provider.call(
        request('Hello', 'sample/slow'),
        callContext(stop.signal),
      )) {
        if (event.type === 'delta') stop.abort();
        last = event;
      }
      assert.partialDeepStrictEqual(last, { type: 'failed', failure: { code: 'canceled' } });
    });

    it('one that calls no tools gets none, and the person is told once', async () => {
      const provider = await made();
      const asked = request('Hello', 'sample/plain');
      const first = await outcomeOf(provider.call, asked);
      assert.match(textIn(first.answer?.parts), /0 tools/u);
      const warnings = first.events.filter(({ type }) => type === 'warning');
      assert.match(JSON.stringify(warnings), /Sample Plain calls no tools/u);
      const second = await outcomeOf(provider.call, asked);
      assert.equal(
        second.events.some(({ type }) => type === 'warning'),
        false,
      );
    });

    it('are forced to call a tool by being offered that one alone', async () => {
      const { answer } = await outcomeOf((await made()).call, {
        ...request('Hello'),
        toolChoice: { type: 'tool', name: 'other' },
      });
      assert.deepEqual(
        answer?.parts.map((part) => part.type === 'tool_call' && part.name),
        ['other'],
      );
    });

    it('see images, those of results too, where they can', async () => {
      const image = { type: 'binary', mediaType: 'image/png', data: PNG } as const;
      const { answer } = await outcomeOf((await made()).call, {
        ...request(''),
        messages: [message('user', [{ type: 'text', text: 'look' }, image])],
      });
      assert.match(textIn(answer?.parts), /1 pictures/u);
      const blind = await outcomeOf((await made()).call, {
        ...request('', 'sample/plain'),
        messages: [message('user', [{ type: 'text', text: 'look' }, image])],
      });
      assert.match(textIn(blind.answer?.parts), /cannot see images.*0 pictures/su);
    });

    it('tell what they used where they do; else it is estimated', async () => {
      const provider = await made();
      const told = await outcomeOf(provider.call, request('usage, please'));
      assert.deepEqual(told.answer?.usage, {
        inputTokens: 20,
        outputTokens: 7,
        cacheReadTokens: 100,
        cacheWriteTokens: 0,
      });
      const untold = await outcomeOf(provider.call, request('Hello'));
      assert.equal(untold.answer?.usage?.estimated, true);
      assert.ok((untold.answer.usage.inputTokens ?? 0) > 10);
    });

    it('get their own thinking back as it was', async () => {
      const provider = await made();
      const first = await outcomeOf(provider.call, request('think'));
      const parts = first.answer?.parts ?? [];
      assert.equal(parts[0]?.type, 'reasoning');
      const second = await outcomeOf(provider.call, {
        ...request(''),
        messages: [user('think'), message('assistant', parts), user('what did you think')],
      });
      assert.match(
        textIn(second.answer?.parts),
        /Thoughts: \[\{"type":"thinking","text":"Hm\.","rest":\{"id":"t1","metadata":\{"sign":"abc"\}\}\}\]/u,
      );
    });

    it('D10: errors of the editor and of extensions are failures by their codes', async () => {
      const cases: readonly (readonly [string, string])[] = [
        ['NoPermissions', 'permission'],
        ['Blocked', 'billing'],
        ['ChatQuotaExceeded', 'billing'],
        ['ChatRateLimited', 'rate_limited'],
        ['NotFound', 'model_not_found'],
        ['Other: your message is off_topic', 'refusal'],
        ['Other: fetch failed', 'network'],
        ['Other: Message exceeds token limit', 'context_overflow'],
        ['Other: Request Failed: 429 {"error":{"message":"slow down"}}', 'rate_limited'],
        [
          'Other: Request Failed: 400 {"error":{"code":"model_not_supported","message":"no"}}',
          'model_not_found',
        ],
        ['Other: something odd', 'api'],
      ];
      for (const [thrown, code] of cases)
        assert.equal((await failing(`fail with ${thrown}`))?.code, code, thrown);
    });

    it('one that is not there is said to be gone', async () => {
      const failure = await failing('Hello', 'sample/gone');
      assert.equal(failure?.code, 'model_not_found');
      assert.match(failure.message, /VS Code no longer has sample\/gone/u);
    });

    it('an empty answer is a failure', async () => {
      assert.equal((await failing('say nothing'))?.code, 'empty_response');
    });

    it('C12: count tokens by the model’s own measure', async () => {
      const provider = await made();
      const signal = new AbortController().signal;
      const short = (await provider.countTokens?.(request('Hello'), signal)) ?? 0;
      const long = (await provider.countTokens?.(request('Hello'.repeat(400)), signal)) ?? 0;
      assert.ok(short > 0);
      assert.ok(Math.abs(long - short - (399 * 5) / 4) <= 1);
    });
  });
}

/** A picture of one dot: VS Code decodes what it is given. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const result = (callId: string, text: string): Message =>
  message('tool', [
    { type: 'tool_result', callId, name: 'look', state: 'done', content: [{ type: 'text', text }] },
  ]);

const textIn = (parts: readonly { readonly type: string }[] = []): string =>
  parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
