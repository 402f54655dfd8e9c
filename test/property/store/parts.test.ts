import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { FinishReason, Message, Part, ToolResultState } from '../../../src/domain/message.ts';
import { message, open, session, temporaryFolder } from '../../contract/store/support.ts';
import { runs } from '../../support/seed.ts';

const RUNS = runs(30);

/** Any UTF-16 units: halves of pairs, NUL and line separators among them. */
const text = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0, 0xd83d, 0xde00, 0x2028, 0x27, 0x22, 0x5c),
    ),
    { maxLength: 30 },
  )
  .map((units) => String.fromCharCode(...units));

const object = fc
  .dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const base64 = fc
  .uint8Array({ maxLength: 30 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

const some = { requiredKeys: [] as [] };
const plainText = fc.record({ type: fc.constant('text' as const), text });
const binary = fc
  .tuple(fc.record({ name: text }, some), base64)
  .map(([more, data]) => ({ type: 'binary' as const, mediaType: 'image/png', data, ...more }));

const replay = fc.record({ instance: text, wire: text, model: text, data: object });

/** Every kind of part, each optional field there or not. The compiler says when a kind is missing. */
const KINDS: { readonly [Type in Part['type']]: fc.Arbitrary<Extract<Part, { type: Type }>> } = {
  text: plainText,
  reasoning: fc
    .tuple(text, fc.record({ replay }, some))
    .map(([thinking, more]) => ({ type: 'reasoning' as const, text: thinking, ...more })),
  tool_call: fc
    .tuple(
      text,
      text,
      object,
      fc.record({ invalid: fc.record({ problem: text, raw: text }), via: text }, some),
    )
    .map(([id, name, input, more]) => ({ type: 'tool_call' as const, id, name, input, ...more })),
  tool_result: fc
    .tuple(
      text,
      fc.constantFrom<ToolResultState[]>('done', 'failed', 'denied', 'canceled', 'unknown'),
      fc.array(fc.oneof(plainText, binary), { maxLength: 3 }),
      fc.record(
        {
          cut: fc.record({ resultId: text, shown: fc.nat(), total: fc.nat() }),
          files: fc.array(fc.record({ path: text, line: fc.nat() }), { maxLength: 2 }),
          display: object,
          elapsedMs: fc.nat(),
        },
        some,
      ),
    )
    .map(([callId, state, content, more]) => ({
      type: 'tool_result' as const,
      callId,
      name: 'tool',
      state,
      content,
      ...more,
    })),
  finish: fc
    .tuple(
      fc.constantFrom<FinishReason[]>('end_turn', 'tool_use', 'canceled', 'unknown'),
      fc.record({ detail: text }, some),
    )
    .map(([reason, more]) => ({ type: 'finish' as const, reason, ...more })),
  binary,
  image_url: fc.record({ type: fc.constant('image_url' as const), url: text }),
};

const part: fc.Arbitrary<Part> = fc
  .oneof(...Object.values(KINDS))
  .map((drawn) => structuredClone(drawn));

describe('property: the parts of messages', () => {
  it('B5: whatever is in them, they come back from JSON and from disk as they were, byte for byte', async function () {
    this.timeout(0);
    const folder = temporaryFolder();
    let store = await open(folder.path);
    const written: Message[] = [];
    try {
      await store.recorder.commit([{ kind: 'session', session: session('s') }]);
      await fc.assert(
        fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async (parts) => {
          assert.deepEqual(JSON.parse(JSON.stringify(parts)), parts);
          const one = message('s', written.length + 1, parts, { role: 'assistant' });
          await store.recorder.commit([{ kind: 'message', message: one }]);
          written.push(one);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      await store.close();
      store = await open(folder.path);
      assert.deepEqual(await store.transcripts.messages({ sessionId: 's' }), written);
    } finally {
      await store.close();
      folder.remove();
    }
  });
});
