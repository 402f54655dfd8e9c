import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { type McpPersonParts, mcpPerson } from '../../../src/compose/mcp/mcp-person.ts';
import type { HumanQuestion } from '../../../src/core/ports/person/human.ts';
import { checkForm } from '../../../src/domain/mcp/form.ts';
import type { RequestAnswer } from '../../../src/domain/mcp/server-request.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { type AskedForm, judgeForm, judgePage } from '../../../src/mcp/requests/elicitation.ts';
import type { AskingCall } from '../../../src/mcp/requests/person.ts';
import { judgeSampling } from '../../../src/mcp/requests/sampling.ts';

function formOf(properties: JsonObject, required: readonly string[] = []): AskedForm {
  const form = judgeForm('srv', 'Fill it in', { type: 'object', properties, required });
  assert.ok(form.verdict === 'ask');
  return form;
}

const properties: JsonObject = {
  name: { type: 'string', minLength: 2 },
  size: { type: 'integer', minimum: 1, maximum: 3, default: 2 },
  mail: { type: 'string', format: 'email' },
  day: { type: 'string', format: 'date' },
  agree: { type: 'boolean' },
  color: {
    type: 'string',
    oneOf: [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ],
  },
  tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'], maxItems: 1 },
};

describe('MCP: forms of servers', () => {
  it('an answer gets the defaults of what was left out, and nothing else', () => {
    const { fields } = formOf(properties);
    assert.deepEqual(checkForm(fields, { name: 'Ada' }), {
      content: { name: 'Ada', size: 2, tags: ['a'] },
    });
  });

  for (const [content, problem] of [
    [{}, /“name” is needed/u],
    [{ name: 'A' }, /at least 2 characters/u],
    [{ name: 'Ada', size: 4 }, /at most 3/u],
    [{ name: 'Ada', size: 1.5 }, /whole number/u],
    [{ name: 'Ada', mail: 'x' }, /e-mail/u],
    [{ name: 'Ada', day: '2026-02-31' }, /date/u],
    [{ name: 'Ada', agree: 'yes' }, /yes or no/u],
    [{ name: 'Ada', color: 'Red' }, /one of the choices/u],
    [{ name: 'Ada', tags: ['a', 'b'] }, /at most 1 choices/u],
    [{ name: 'Ada', tags: ['c'] }, /only the choices/u],
    [{ name: 'Ada', other: 1 }, /not asked for/u],
  ] as const)
    it(`refuses ${JSON.stringify(content)}`, () => {
      const checked = checkForm(formOf(properties, ['name']).fields, content);
      assert.match('problem' in checked ? checked.problem : '', problem);
    });
});

/** A call under way, and a person who gives these answers; the last one they leave open. */
function setUp(
  answers: readonly RequestAnswer[],
  allowed = true,
  parts: Partial<McpPersonParts> = {},
) {
  const questions: HumanQuestion[] = [];
  const confirmed: string[] = [];
  const opened: string[] = [];
  const events: RunEventBody[] = [];
  const left = [...answers];
  const person = mcpPerson({
    human: {
      ask: async (question, waiting) => {
        questions.push(question);
        const next = left.shift();
        if (next !== undefined) return JSON.stringify(next);
        return new Promise((_resolve, reject) =>
          waiting.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        );
      },
    },
    nextId: async () => `q${questions.length}`,
    modelOf: async () => 'Model M',
    lend: async () => assert.fail('the model was asked'),
    openPage: async (url) => opened.push(url) > 0,
    signIn: async () => false,
    ...parts,
  });
  const over = new AbortController();
  const call: AskingCall = {
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    emit: (event) => void events.push(event),
    over: over.signal,
    confirm: async ({ title, detail, where }, reasons) => {
      confirmed.push(`${title}: ${detail} (${reasons.map(inEnglish).join(' ')}) ${where}`);
      return { allowed };
    },
  };
  const asking = { server: 'srv', call, signal: new AbortController().signal };
  return { person, asking, questions, confirmed, opened, events, over };
}

describe('MCP: answers to forms', () => {
  it('what is left out on purpose is left out, also where it has a default; not where it is needed', () => {
    const { fields } = formOf({ size: { type: 'integer', default: 2 } });
    assert.deepEqual(checkForm(fields, { size: null }), { content: {} });
    assert.deepEqual(checkForm(fields, {}), { content: { size: 2 } });
    const needed = formOf({ size: { type: 'integer', default: 2 } }, ['size']).fields;
    assert.match(JSON.stringify(checkForm(needed, { size: null })), /is needed/u);
  });

  it('a field named after a part of every object is refused, and a text is counted in characters', () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}') as JsonObject;
    assert.equal(judgeForm('srv', '', schema).verdict, 'refuse');
    const { fields } = formOf({ face: { type: 'string', maxLength: 2 } });
    assert.deepEqual(checkForm(fields, { face: '👩🙂' }), { content: { face: '👩🙂' } });
  });

  it('pages: https only', () => {
    const verdict = (url: string) => judgePage('srv', '', url).verdict;
    assert.equal(verdict('https://example.com/'), 'ask');
    assert.equal(verdict('http://127.0.0.1:4000/x'), 'refuse');
    for (const url of [
      'http://example.com/',
      'https://a@b.example/',
      'file:///etc/passwd',
      'javascript:1',
    ])
      assert.equal(verdict(url), 'refuse', url);
  });
});

describe('MCP: the person behind servers', () => {
  it('a form is one question, with all of its fields and a hash of what is shown', async () => {
    const content = { name: 'Ada', size: null };
    const { person, asking, questions, events } = setUp([{ action: 'accept', content }]);
    const form = formOf(properties, ['name']);
    assert.deepEqual(await person.fillForm(form, asking, {}), { action: 'accept', content });
    const [{ request, question, callId } = assert.fail('nothing was asked')] = questions;
    assert.match(question, /The MCP server “srv” asks: Fill it in/u);
    assert.equal(callId, 'c');
    assert.ok(request?.kind === 'form');
    assert.deepEqual(request.fields, form.fields);
    assert.match(request.hash, /^[0-9a-f]{64}$/u);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['agent_run.waiting', 'agent_run.answered'],
    );
    const other = setUp([{ action: 'decline' }]);
    await other.person.fillForm(formOf({ name: { type: 'string' } }), other.asking, {});
    assert.notEqual(other.questions[0]?.request?.hash, request.hash);
  });

  it('a form of a server that no call asked is cancelled', async () => {
    const { person, asking } = setUp([]);
    const alone = { ...asking, call: undefined };
    assert.deepEqual(await person.fillForm(formOf({}), alone, {}), { action: 'cancel' });
  });

  it('a page is opened with a yes to its whole address', async () => {
    const page = judgePage('srv', 'Pay here', 'https://pay.example/x?y=z');
    assert.ok(page.verdict === 'ask');
    const yes = setUp([
      { action: 'accept', content: {} },
      { action: 'accept', content: {} },
    ]);
    const answer = await yes.person.openPage(page, yes.asking, {});
    assert.equal(answer.action, 'accept');
    assert.deepEqual(yes.opened, ['https://pay.example/x?y=z']);
    const [{ request } = {}] = yes.questions;
    assert.ok(request?.kind === 'page' && !request.opened);
    assert.equal(request.url, 'https://pay.example/x?y=z');
    assert.equal(await answer.done?.(), true);
    assert.deepEqual(
      yes.questions.map((one) => one.request?.kind === 'page' && one.request.opened),
      [false, true],
    );
    const no = setUp([{ action: 'decline' }]);
    assert.deepEqual(await no.person.openPage(page, no.asking, {}), { action: 'decline' });
    assert.deepEqual(no.opened, []);
  });

  it('the wait for a page ends when the server says so, and is given up when the call is over', async () => {
    const page = judgePage('srv', 'Pay here', 'https://pay.example/');
    assert.ok(page.verdict === 'ask');
    const wait = async (end: (ended: AbortController, over: AbortController) => void) => {
      const ended = new AbortController();
      const { person, asking, over } = setUp([{ action: 'accept', content: {} }]);
      const { done } = await person.openPage(page, { ...asking, ended: ended.signal }, {});
      const waited = done?.();
      await new Promise(setImmediate);
      end(ended, over);
      return waited;
    };
    assert.equal(await wait((ended) => ended.abort()), true);
    assert.equal(await wait((_ended, over) => over.abort()), false);
  });

  it('the model answers with a yes to the whole prompt, for the run of the call', async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello' } }];
    const asked = judgeSampling('srv', { messages, systemPrompt: 'Be short', maxTokens: 10 });
    assert.ok(asked.verdict === 'ask');
    const answer = { text: 'hello', model: 'm', stopReason: 'endTurn' } as const;
    const lent: unknown[] = [];
    const lend: McpPersonParts['lend'] = async (request, { sessionId, runId }) => {
      lent.push([request.maxTokens, sessionId, runId]);
      return answer;
    };
    const yes = setUp([], true, { lend });
    assert.deepEqual(await yes.person.sample(asked, yes.asking, {}), answer);
    assert.deepEqual(lent, [[10, 's', 'r']]);
    assert.match(yes.confirmed[0] ?? '', /system: Be short\n\nuser: Say hello/u);
    assert.match(yes.confirmed[0] ?? '', /Model M answers, with at most 10 tokens\./u);
    const no = setUp([], false);
    assert.equal(await no.person.sample(asked, no.asking, {}), undefined);
  });
});
