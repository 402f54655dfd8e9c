import assert from 'node:assert/strict';
import type { FailureCode } from '../../../src/domain/failure.ts';
import { MESSAGES_RULES } from '../../../src/providers/anthropic/refusal-rules.ts';
import { failureFrom } from '../../../src/providers/http/refusal/errors.ts';
import type { Refusal } from '../../../src/providers/http/refusal/refusal.ts';
import { retryAfterMs } from '../../../src/providers/http/refusal/retry-after.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const AT = {
  model: 'claude-x',
  baseUrl: 'https://api.anthropic.com',
  tools: ['read', 'mcp__a__b'],
  now: NOW,
  api: 'Messages API',
  setting: 'belay.model.baseUrl',
};
const of = (refusal: Partial<Refusal>) => failureFrom({ text: '', ...refusal }, AT, MESSAGES_RULES);

describe('errors of the Messages API', () => {
  const WORDS: readonly (readonly [string, FailureCode, Record<string, unknown>])[] = [
    [
      'prompt is too long: 210000 tokens > 200000 maximum',
      'context_overflow',
      { promptTokens: 210_000, limit: 200_000 },
    ],
    ['Input is too long for requested model.', 'context_overflow', {}],
    [
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      'output_limit',
      { promptTokens: 188_240, maxTokens: 21_333, limit: 200_000 },
    ],
    [
      'max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens for claude-x',
      'output_limit',
      { maxTokens: 300_000, outputLimit: 64_000 },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block',
      'history_rejected',
      { problem: 'thinking' },
    ],
    [
      'messages.5.content.0.thinking.signature: Field required',
      'history_rejected',
      { problem: 'thinking' },
    ],
    [
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
      'history_rejected',
      { problem: 'thinking' },
    ],
    [
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
      'history_rejected',
      { problem: 'pairs' },
    ],
    [
      'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
      'history_rejected',
      { problem: 'pairs' },
    ],
    [
      'messages.3.content.1: `tool_use` ids must be unique',
      'history_rejected',
      { problem: 'pairs' },
    ],
    ['messages: text content blocks must be non-empty', 'history_rejected', { problem: 'form' }],
    [
      'This model does not support assistant message prefill. The conversation must end with a user message.',
      'history_rejected',
      { problem: 'form' },
    ],
    [
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6183716 bytes > 5242880 bytes',
      'image_rejected',
      { problem: 'bytes', maxBytes: 5_242_880 },
    ],
    [
      'messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
      'image_rejected',
      { problem: 'dimensions', maxSide: 2000 },
    ],
    ['Could not process image', 'image_rejected', { problem: 'unreadable' }],
    [
      'tools.1.custom.input_schema: JSON schema is invalid.',
      'tool_schema_rejected',
      { tool: 'mcp__a__b' },
    ],
    ['tools.7.custom.input_schema: JSON schema is invalid.', 'tool_schema_rejected', {}],
    ['tools: Tool names must be unique.', 'tool_schema_rejected', {}],
    [
      'tool_choice: type "tool" is not supported for this model.',
      'tool_schema_rejected',
      { problem: 'tool_choice' },
    ],
    ['Your credit balance is too low to access the Anthropic API.', 'billing', {}],
    ['something nobody has seen', 'api', {}],
  ];
  for (const [text, code, details] of WORDS) {
    it(`400 “${text.slice(0, 70)}” is ${code}`, () => {
      const failure = of({ status: 400, type: 'invalid_request_error', text });
      assert.equal(failure.code, code);
      assert.deepEqual(failure.details, { ...details, providerText: text });
      assert.match(failure.message, /Everything so far is kept/);
    });
  }

  const STATUSES: readonly (readonly [number, string, FailureCode])[] = [
    [401, '', 'auth'],
    [402, '', 'billing'],
    [403, '', 'permission'],
    [404, '', 'config'],
    [405, '', 'config'],
    [407, '', 'config'],
    [408, '', 'timeout'],
    [409, '', 'overloaded'],
    [413, '', 'request_too_large'],
    [422, '', 'api'],
    [425, '', 'overloaded'],
    [429, '', 'rate_limited'],
    [500, '', 'overloaded'],
    [502, '', 'overloaded'],
    [503, '', 'overloaded'],
    [504, '', 'timeout'],
    [524, '', 'timeout'],
    [529, '', 'overloaded'],
    [599, '', 'overloaded'],
    [418, '', 'api'],
    [400, 'billing_error', 'billing'],
    [400, 'authentication_error', 'auth'],
    [400, 'overloaded_error', 'overloaded'],
  ];
  for (const [status, type, code] of STATUSES) {
    it(`${status} ${type} is ${code}`, () => {
      const failure = of({ status, ...(type === '' ? {} : { type }) });
      assert.equal(failure.code, code);
      assert.equal(failure.status, status);
    });
  }

  for (const [type, code] of [
    ['overloaded_error', 'overloaded'],
    ['api_error', 'overloaded'],
    ['rate_limit_error', 'rate_limited'],
    ['timeout_error', 'timeout'],
    ['invalid_request_error', 'api'],
    ['unheard_of_error', 'api'],
  ] as const) {
    it(`an error event ${type} is ${code}`, () => assert.equal(of({ type, text: 'x' }).code, code));
  }

  it('the words of a failure that passes decide nothing', () => {
    assert.equal(
      of({ status: 529, text: 'prompt is too long: 5 tokens > 4 maximum' }).code,
      'overloaded',
    );
    assert.equal(of({ type: 'api_error', text: 'tool_choice' }).code, 'overloaded');
    assert.equal(
      of({ type: 'invalid_request_error', text: 'prompt is too long: 5 tokens > 4 maximum' }).code,
      'context_overflow',
    );
  });

  it('t03: a web page within a JSON error is not shown', () => {
    const failure = of({
      status: 500,
      type: 'api_error',
      text: '<html><body>502 Bad Gateway</body></html>',
    });
    assert.doesNotMatch(JSON.stringify(failure), /Bad Gateway/);
  });

  it('the request id is told, long words are cut', () => {
    const failure = of({ status: 400, text: 'x'.repeat(9000), requestId: 'req_7' });
    assert.ok(failure.message.endsWith('(Request req_7)') && failure.message.length < 800);
    assert.equal(failure.requestId, 'req_7');
    assert.equal(JSON.stringify(failure.details?.['providerText']).length, 2002);
  });
});

describe('retry-after (B9)', () => {
  const CASES: readonly (readonly [string, Record<string, string>, number | undefined])[] = [
    ['nothing', {}, undefined],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of seconds', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': new Date(NOW + 90_000).toUTCString() }, 90_000],
    ['a date that is past', { 'retry-after': new Date(NOW - 90_000).toUTCString() }, undefined],
    ['zero', { 'retry-after': '0' }, undefined],
    ['less than nothing', { 'retry-after': '-5', 'retry-after-ms': '-5' }, undefined],
    ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': 'soon' }, undefined],
    ['blank', { 'retry-after': ' ', 'retry-after-ms': '' }, undefined],
    ['endless', { 'retry-after': 'Infinity' }, undefined],
  ];
  for (const [what, headers, expected] of CASES) {
    it(`B9: ${what}`, () => assert.equal(retryAfterMs(new Headers(headers), NOW), expected));
  }
});
