import assert from 'node:assert/strict';
import { CUT_JSON, cutJson, isOverLimits } from '../../../src/domain/data/json-limits.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const list = (length: number): string => `[${Array(length).fill('0').join()}]`;
const parse = (text: string): unknown => JSON.parse(cutJson(text)) as unknown;

describe('JSON over the limits', () => {
  it('stays as it is within the limits, whatever its texts and comments hold', () => {
    for (const text of [
      nested(100),
      `{"a": {"b": {"c": ${list(9000)}}}}`,
      `{"a": "${'[,\\"'.repeat(20_000)}", "b": {}}`,
      `{"a": 1, // ${'[,'.repeat(20_000)}\n /* ${'{,'.repeat(20_000)} */ "b": 2,}`,
      'no JSON / at all',
      '',
    ])
      assert.equal(cutJson(text), text);
  });

  it('loses only the value that is too large, and keeps what is next to it', () => {
    const tools = `[{"name": "a", "schema": {"x": ${list(20_000)}}}, {"name": "b"}]`;
    assert.deepEqual(parse(`{"result": {"tools": ${tools}}}`), {
      result: { tools: [{ name: 'a', schema: { x: CUT_JSON } }, { name: 'b' }] },
    });
  });

  it('keeps the first items of a long list', () => {
    const items = Array.from({ length: 30_000 }, () => '{"a":1,"b":2}');
    const { result } = parse(`{"result": {"tools": [${items.join()}]}}`) as {
      result: { tools: unknown[] };
    };
    assert.ok(result.tools.length > 10_000 && result.tools.length < 30_000);
    assert.equal(result.tools.at(-1), CUT_JSON);
    assert.deepEqual(result.tools.at(-2), { a: 1, b: 2 });
  });

  it('is found in values, however deep they are', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    assert.ok(isOverLimits(deep));
    assert.ok(isOverLimits({ a: Array(20_000).fill(0) }));
    assert.ok(!isOverLimits({ a: Array(9000).fill(0) }));
    assert.ok(!isOverLimits(undefined));
  });
});
