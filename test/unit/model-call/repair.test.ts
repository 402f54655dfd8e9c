import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { repairHistory } from '../../../src/core/model-call/wrappers/repair.ts';
import type { Message, Part, Role } from '../../../src/domain/message.ts';
import { requestBody } from '../../../src/providers/anthropic/request.ts';
import { WireMessages } from '../../../src/providers/anthropic/wire/wire-message.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { message, modelRequest, user } from '../../support/model-call.ts';
import { refusalOf } from '../../support/model-server/refusals.ts';
import type { WireRequest } from '../../support/model-server/turn.ts';
import { writing } from '../../support/replays.ts';

const callPart = (id: string): Part => ({ type: 'tool_call', id, name: 'read', input: { of: id } });
const resultPart = (callId: string, text = callId): Part => ({
  type: 'tool_result',
  callId,
  name: 'read',
  state: 'done',
  content: [{ type: 'text', text }],
});
const text = (value: string): Part => ({ type: 'text', text: value });

const shape = (messages: readonly Message[]): readonly string[] =>
  messages.map(
    ({ role, parts }) =>
      `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : part.type === 'tool_call' ? `call ${part.id}` : part.type === 'tool_result' ? `${part.state} ${part.callId}` : part.type)).join(', ')}`,
  );

const LIMITS = {
  contextWindow: 1e9,
  maxOutputTokens: 1e9,
  maxBodyBytes: 1e9,
  maxImageBytes: 1e9,
  alternateRoles: true,
  prefill: false,
  forcedTools: true,
};

/** What the strict server says of a history; `undefined` when it takes it. */
function refusal(messages: readonly Message[]): string | undefined {
  const info = createCatalog({ offered: ['anthropic'] }).lookup('claude-sonnet-5-5');
  const { pieces } = requestBody(modelRequest({ messages }), {
    info,
    cacheTtl: '5m',
    purpose: 'stream',
    wireMessages: new WireMessages(),
    ...writing(),
  });
  return refusalOf(JSON.parse(Buffer.concat(pieces).toString()) as WireRequest, LIMITS)?.message;
}

describe('repairHistory', () => {
  it('h14: a good history is given back as it is, the same array', () => {
    const good = [
      user('Go.'),
      message('assistant', [text('Reading.'), callPart('a'), callPart('b')]),
      message('tool', [resultPart('a'), resultPart('b')]),
      message('assistant', 'Done.'),
    ];
    assert.equal(repairHistory(good), good);
    assert.deepEqual(repairHistory([]), []);
  });

  const CASES: readonly { what: string; given: readonly Message[]; expected: readonly string[] }[] =
    [
      {
        what: 'h14: a call without a result gets one that says so',
        given: [
          user('Go.'),
          message('assistant', [callPart('a'), callPart('b')]),
          message('tool', [resultPart('b')]),
          user('On.'),
        ],
        expected: [
          'user: Go.',
          'assistant: call a, call b',
          'tool: unknown a, done b',
          'user: On.',
        ],
      },
      {
        what: 'h14: calls at the very end, too',
        given: [user('Go.'), message('assistant', [callPart('a')])],
        expected: ['user: Go.', 'assistant: call a', 'tool: unknown a'],
      },
      {
        what: 'h14: a result that came later is put where it belongs',
        given: [
          user('Go.'),
          message('assistant', [callPart('a')]),
          message('assistant', 'Meanwhile.'),
          message('tool', [resultPart('a')]),
          user('On.'),
        ],
        expected: [
          'user: Go.',
          'assistant: call a',
          'tool: done a',
          'assistant: Meanwhile.',
          'user: On.',
        ],
      },
      {
        what: 'h15: results without a call, or beside the first one, are dropped',
        given: [
          user('Go.'),
          message('tool', [resultPart('x')]),
          message('assistant', [callPart('a')]),
          message('tool', [resultPart('a'), resultPart('a', 'again')]),
        ],
        expected: ['user: Go.', 'assistant: call a', 'tool: done a'],
      },
      {
        what: 'h16: repeated ids are made unique',
        given: [
          user('Go.'),
          message('assistant', [callPart('a'), callPart('a')]),
          message('tool', [resultPart('a', '1'), resultPart('a', '2')]),
        ],
        expected: ['user: Go.', 'assistant: call a, call a-2', 'tool: done a, done a-2'],
      },
      {
        what: 'h22: empty text and empty messages go',
        given: [
          user('Go.'),
          message('assistant', [text(''), text('Yes.')]),
          message('user', [text(' \n')]),
          message('assistant', []),
        ],
        expected: ['user: Go.', 'assistant: Yes.'],
      },
      {
        what: 'c12, E6: refused and broken answers go, stopped ones stay',
        given: [
          user('1'),
          message('assistant', [text('a'), { type: 'finish', reason: 'refusal' }]),
          user('2'),
          message('assistant', [text('b'), { type: 'finish', reason: 'failed' }]),
          user('3'),
          message('assistant', [text('c'), { type: 'finish', reason: 'canceled' }]),
        ],
        expected: ['user: 1', 'user: 2', 'user: 3', 'assistant: c, finish'],
      },
      {
        what: 'a history that was cut at its beginning begins with the user',
        given: [
          message('assistant', [callPart('a')]),
          message('tool', [resultPart('a')]),
          user('On.'),
        ],
        expected: [
          'user: [Earlier messages are left out.]',
          'assistant: call a',
          'tool: done a',
          'user: On.',
        ],
      },
    ];
  for (const { what, given, expected } of CASES) {
    it(what, () => {
      const before = JSON.stringify(given);
      const repaired = repairHistory(given);
      assert.deepEqual(shape(repaired), expected);
      assert.equal(JSON.stringify(given), before, 'what was given is not touched');
      assert.equal(repairHistory(repaired), repaired, 'once is enough');
    });
  }

  it('h14: messages that were good stay the same objects, so that their wire form is kept', () => {
    const given = [
      user('Go.'),
      message('assistant', [callPart('a')]),
      message('tool', [resultPart('a')]),
      message('assistant', [callPart('b')]),
    ];
    const repaired = repairHistory(given);
    assert.deepEqual(
      given.map((item) => repaired.includes(item)),
      [true, true, true, true],
    );
  });

  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', ' ', 'Hello', 'x\ud800').map(text) },
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c').map(callPart) },
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd').map((id) => resultPart(id)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Part>(
        { type: 'reasoning', text: 'hm' },
        { type: 'finish', reason: 'failed' },
        { type: 'finish', reason: 'canceled' },
        { type: 'image_url', url: 'https://example.com/a.png' },
      ),
    },
  );
  const history = fc.array(
    fc
      .tuple(fc.constantFrom<Role>('user', 'assistant', 'tool'), fc.array(part, { maxLength: 4 }))
      .map(([role, parts]) => {
        const allowed = parts.filter(({ type }) =>
          role === 'assistant' ? type !== 'image_url' : type !== 'reasoning',
        );
        return message(role, allowed);
      }),
    { maxLength: 10 },
  );

  it('h14, h15, h16, h22: whatever the history, the strict server takes what is left of it', () => {
    fc.assert(
      fc.property(history, (given) => {
        const repaired = repairHistory(given);
        assert.equal(repairHistory(repaired), repaired);
        if (
          repaired.some(({ parts }) =>
            parts.some(({ type }) => type !== 'reasoning' && type !== 'finish'),
          )
        )
          assert.equal(refusal(repaired), undefined);
      }),
      { numRuns: 2000 },
    );
  });
});
