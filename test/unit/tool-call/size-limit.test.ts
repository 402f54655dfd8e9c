import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { withSizeLimit } from '../../../src/core/tool-call/wrappers/size-limit.ts';
import type { ToolOutput } from '../../../src/core/tool-call/tool-call.ts';
import { LIMIT, part, Rig, textOf } from './rig.ts';

describe('size limit of results', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.open();
  });

  async function cut(text: string) {
    rig.tools.length = 0;
    rig.tool('look', () => text);
    const { result } = await rig.call('look');
    return result;
  }

  it('E3: leaves a result alone that fits exactly', async () => {
    const text = 'x'.repeat(LIMIT);
    const result = await cut(text);
    assert.equal(textOf({ result }), text);
    assert.equal(result.cut, undefined);
  });

  it('E3: cuts a longer one, says what is shown of how much, of which tool and how to go on, and keeps the whole', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const result = await cut(text);
    const shown = textOf({ result });
    assert.ok(result.cut);
    assert.equal(result.cut.total, text.length);
    assert.ok(
      result.cut.shown <= LIMIT && result.cut.shown > LIMIT * 0.7,
      `${result.cut.shown} characters shown`,
    );
    const [, head = '', tail = ''] = /^(.*?)\n\n\[.*\]\n\n(.*)$/su.exec(shown) ?? [];
    assert.equal(head.length + tail.length, result.cut.shown);
    assert.ok(text.startsWith(head) && text.endsWith(tail));
    assert.match(head, /\n$/u, 'cut within a line');
    assert.match(tail, /^line /u, 'cut within a line');
    assert.match(
      shown,
      new RegExp(
        `\\[This result of look is too long: ${result.cut.shown} of ${text.length} characters are shown`,
        'u',
      ),
    );
    assert.match(
      shown,
      new RegExp(
        `read_result \\{"result_id": "${result.cut.resultId}", "offset": ${head.length}\\}`,
        'u',
      ),
    );
    const kept = await rig.store.blobs.result(rig.session, result.cut.resultId, 0, text.length);
    assert.equal(kept?.text, text);
  });

  it('E3: never cuts a character in two', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 500, max: 900 }),
        async (shift, pairs) => {
          const text = `${'x'.repeat(shift)}${'😀'.repeat(pairs)}`;
          const wrapped = withSizeLimit(
            { putResult: (...args) => rig.store.blobs.putResult(...args) },
            { next: () => `result-${shift}-${pairs}` },
            () => LIMIT,
          )(async ({ part: { id, name } }) => ({
            result: {
              type: 'tool_result',
              callId: id,
              name,
              state: 'done',
              content: [{ type: 'text', text }],
            },
          }));
          const { result } = await wrapped({ part: part('look'), context: rig.context('call-1') });
          assert.ok(textOf({ result }).isWellFormed());
        },
      ),
      { numRuns: 30 },
    );
  });

  it('E3: keeps images, counts only text', async () => {
    const image = { type: 'binary', mediaType: 'image/png', data: 'A'.repeat(LIMIT * 3) } as const;
    const output: ToolOutput = { content: [{ type: 'text', text: 'small' }, image] };
    rig.tool('see', () => output);
    assert.deepEqual((await rig.call('see')).result.content, output.content);
    rig.tool('big', () => ({
      content: [
        { type: 'text', text: 'x'.repeat(LIMIT) },
        image,
        { type: 'text', text: 'y'.repeat(LIMIT) },
      ],
    }));
    const { result } = await rig.call('big', {}, { id: 'call-2' });
    assert.deepEqual(
      result.content.map(({ type }) => type),
      ['text', 'binary'],
    );
    assert.equal(result.cut?.total, 2 * LIMIT + 1);
  });

  it('E3: says so when the whole could not be kept, and still gives what fits', async () => {
    const failing = withSizeLimit(
      {
        putResult: async () => {
          throw new Error('disk full');
        },
      },
      { next: () => 'result-x' },
      () => LIMIT,
    )(async ({ part: { id, name } }) => ({
      result: {
        type: 'tool_result',
        callId: id,
        name,
        state: 'done',
        content: [{ type: 'text', text: 'z'.repeat(5000) }],
      },
    }));
    const { result } = await failing({ part: part('look'), context: rig.context('call-1') });
    assert.equal(result.cut, undefined);
    assert.match(textOf({ result }), /The rest could not be kept \(.*disk full/u);
  });

  it('E3: the ledger replays the cut result', async () => {
    const result = await cut('w'.repeat(9000));
    await rig.restart();
    const again = await rig.call('look');
    assert.deepEqual(again.result, result);
    assert.equal(again.replayed, true);
  });
});
