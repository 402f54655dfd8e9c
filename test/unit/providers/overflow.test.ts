import assert from 'node:assert/strict';
import { CHAT_RULES } from '../../../src/providers/chat/refusal-rules.ts';
import { failureFrom } from '../../../src/providers/http/refusal/errors.ts';
import type { Refusal } from '../../../src/providers/http/refusal/refusal.ts';
import { RESPONSES_RULES } from '../../../src/providers/responses/refusal-rules.ts';

const AT = {
  model: 'm',
  baseUrl: 'https://models.example',
  tools: [],
  now: 0,
  api: 'Chat Completions',
  setting: 'belay.model.providers',
};
const read = (refusal: Refusal, rules = CHAT_RULES) => failureFrom(refusal, AT, rules);

describe('a conversation that is too long', () => {
  /** Texts of servers, and the limit where two counts tell it. */
  const TOO_LONG: readonly (readonly [text: string, limit?: number])[] = [
    ['Input validation error: `inputs` must have less than 4095 tokens. Given: 5000', 4095],
    ['The decoder prompt (length 40000) is longer than the maximum model length of 32768.', 32_768],
    ["This model's maximum context length is 4096 tokens. You requested 5000 tokens.", 4096],
    ["This model's maximum prompt length is 131072 but it contains 537812 tokens.", 131_072],
    ["This model's maximum context length is 8192 tokens"],
    ['too many tokens: the prompt cannot exceed 128000 - received 130000.', 128_000],
    ['too many tokens: total number of tokens in the prompt exceeds the limit of 128000'],
    ['Prompt 超长'],
    ['输入长度超过模型上下文限制'],
    ['Prompt exceeds max length'],
    ['Input length 9000 exceeds the maximum length 4096', 4096],
    ['Total tokens of image and text exceed max message tokens. Request id: 0217'],
    ['Trying to keep the first 5000 tokens when context the overflows.'],
    ['the request exceeds the available context size'],
    ['AiError: input and maximum output tokens (9000) exceeded this context window (7968).', 7968],
    ['Invalid request: Your request exceeded model token limit: 8192'],
    ['Please reduce the length of the messages or completion.'],
    ['Input is too long for requested model.'],
    ['The input token count (1200000) exceeds the maximum allowed (1048576).', 1_048_576],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
    ['invalid params, context window exceeds limit (2013)'],
    ['Range of input length should be [1, 129024]'],
    ['length of prompt_tokens (200000) must be less than max_seq_len (163840).', 163_840],
    ['Prompt has 9,000 tokens, but the max is 8,192', 8192],
    ['On tokens per minute (TPM): Limit 6000, Requested 7202, reduce your message size', 6000],
  ];
  for (const [text, limit] of TOO_LONG)
    it(`is known from “${text}”`, () => {
      for (const status of [400, 413, 422]) {
        const { code, details } = read({ status, text });
        assert.deepEqual([code, details?.['limit']], ['context_overflow', limit]);
      }
    });

  it('is known from the code of the server, whatever its words are', () => {
    for (const code of ['context_length_exceeded', 'exceed_context_size_error', '1261'])
      assert.equal(read({ status: 400, code, text: 'no' }).code, 'context_overflow');
  });

  for (const text of [
    'max_tokens: 99999 > 8192, which is the maximum allowed number of output tokens',
    'Range of max_tokens should be [1, 8192]',
    'Invalid value for max_output_tokens: 99999 exceeds limit 8192',
    'The requested number of output tokens (99999) exceeds the maximum of 8192',
    '`max_tokens` must be greater than `thinking.budget_tokens`',
    'thinking.budget_tokens: Input should be greater than or equal to 1024',
    'temperature: Input should be less than or equal to 2',
    'messages.0.content.1.image: image exceeds 5 MB maximum: 6183716 bytes > 5242880 bytes',
    'Image input is too large',
    'Request body too large',
    "Invalid 'tools[0].name': string too long. Maximum length 64, but got length 70.",
    "Invalid 'input[3].id': string too long. Maximum length 64, but got length 70.",
    'tools: too many tools: 200 > 128',
    'context deadline exceeded',
    'Prompt processing took too long',
    'Your auth token is too long',
    'You have exceeded your monthly token limit',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    'The cached content is of 500 tokens. The minimum token count is 1024.',
    'prompt must not be empty',
    'too many words: total number of tokens: eleven thousand',
  ])
    it(`is something else than “${text}”`, () =>
      assert.notEqual(read({ status: 400, text }).code, 'context_overflow'));

  it('leaves room for a shorter answer where the prompt alone fits', () => {
    const text =
      '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens and 4000 `max_new_tokens`';
    const { code, details } = read({ status: 422, text });
    assert.equal(code, 'output_limit');
    assert.deepEqual([details?.['promptTokens'], details?.['limit']], [1000, 4096]);
  });

  for (const [text, code] of [
    ['tokens per min (TPM): Limit 30000, Requested 36278.', 'context_overflow'],
    ['rate limit of 30,000 tokens per minute: the request has 45,000', 'context_overflow'],
    ['tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.', 'rate_limited'],
    ['tokens per min (TPM): Limit 30000, Used 31000, Requested 2000.', 'rate_limited'],
    ['requests per min (RPM): Limit 3, Used 3, Requested 4', 'rate_limited'],
    ["would exceed your organization's rate limit of 30,000 tokens per minute", 'rate_limited'],
    ['tokens per day (TPD): Limit 0, Requested 5000', 'rate_limited'],
    ['monthly quota: limit 1000000 tokens, used 1200000', 'rate_limited'],
    ['prompt is too long: 9000 tokens > 8000', 'rate_limited'],
  ] as const)
    it(`429 “${text}” is ${code}`, () => {
      for (const rules of [CHAT_RULES, RESPONSES_RULES])
        assert.equal(read({ status: 429, code: 'rate_limit_exceeded', text }, rules).code, code);
    });
});
