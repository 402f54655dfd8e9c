import assert from 'node:assert/strict';
import { effortFields } from '../../../src/providers/chat/effort.ts';
import { refusalFrom } from '../../../src/providers/http/refusal/refusal.ts';
import { CHAT_MODEL } from '../../support/chat-server/composed-chat.ts';

describe('errors in all forms that servers have', () => {
  const raw = JSON.stringify({
    error: { message: 'prompt is too long', code: 'context_length_exceeded' },
  });
  for (const [what, body, text, more] of [
    [
      'OpenAI',
      { error: { message: 'No.', type: 't', code: 'c', param: 'p' } },
      'No.',
      { type: 't', code: 'c', param: 'p' },
    ],
    [
      'Gemini, in a list',
      [{ error: { message: 'No.', code: 429, status: 'RESOURCE_EXHAUSTED' } }],
      'No.',
      { status: 429 },
    ],
    [
      'Mistral, flat',
      { object: 'error', message: 'No.', type: 't', code: 3000 },
      'No.',
      { type: 't' },
    ],
    [
      'OpenRouter, the cause within',
      { error: { message: 'Provider returned error', code: 502, metadata: { raw } } },
      'Provider returned error: prompt is too long',
      { status: 502, code: 'context_length_exceeded' },
    ],
    [
      'OpenRouter, the cause as text',
      { error: { message: 'Error', code: 400, metadata: { raw: 'odd' } } },
      'Error: odd',
      { status: 400 },
    ],
    ['a text', { error: 'No.' }, 'No.', {}],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'a', 0], msg: 'Extra', type: 'x' }] },
      'a.0: Extra',
      { param: 'a.0', type: 'x' },
    ],
    ['FastAPI, a text', { detail: 'No.' }, 'No.', {}],
    ['nothing', undefined, '', {}],
    ['nonsense', { error: { error: { error: { error: { error: {} } } } } }, '', {}],
  ] as const) {
    it(what, () => {
      const refusal = refusalFrom(body);
      assert.equal(refusal.text, text);
      for (const [name, value] of Object.entries(more))
        assert.equal(refusal[name as keyof typeof refusal], value, name);
    });
  }

  for (const body of [
    { success: false, errors: [{ message: 'the reason', code: 5021 }], result: {} },
    { errors: ['the reason'] },
    { code: 20015, msg: 'the reason', data: null },
    { base_resp: { status_code: 2013, status_msg: 'the reason' }, choices: null },
    { __type: 'ValidationException', Message: 'the reason' },
    { error: '', error_description: 'the reason' },
    { fault: { faultstring: 'the reason', detail: { errorcode: 'x' } } },
    { detail: { message: 'the reason' } },
    { title: 'Bad Request', detail: 'the reason', status: 400 },
    { error: null, message: 'the reason' },
    { error: { message: '{"error":{"message":"the reason"}}' } },
    { response: { outcome: { explanation: 'the reason' } } },
  ])
    it(`shows the reason in ${JSON.stringify(body)}`, () =>
      assert.equal(refusalFrom(body).text, 'the reason'));

  it('shows the reason before the general words next to it', () => {
    const body = { status: 400, error: 'Bad Request', message: 'the reason', path: '/v1' };
    assert.equal(refusalFrom(body).text, 'the reason: Bad Request');
  });

  it('survives an error that is nested without end', () => {
    const body: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
    assert.equal(refusalFrom(body).text, '');
  });

  it('D7: a model has words of its own for efforts, and one that does not think is told nothing', () => {
    const flags = { effort: 'reasoning_effort', thinkingSwitch: 'none' } as const;
    const info = { ...CHAT_MODEL, efforts: { off: 'none', low: 'low', high: 'xhigh' } };
    const said = (thinking: 'off' | 'low' | 'high') => effortFields({ thinking }, info, flags);
    assert.deepEqual(
      [said('off'), said('low'), said('high')],
      [{ reasoning_effort: 'none' }, { reasoning_effort: 'low' }, { reasoning_effort: 'xhigh' }],
    );
    assert.deepEqual(effortFields({ thinking: 'high' }, { ...info, thinking: false }, flags), {});
  });
});
