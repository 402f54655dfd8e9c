import assert from 'node:assert/strict';
import { type McpPersonParts, mcpPerson } from '../../../src/compose/mcp-person.ts';
import type { HumanQuestion } from '../../../src/core/ports/person/human.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { type AskedForm, judgeForm, judgePage } from '../../../src/mcp/requests/elicitation.ts';
import { checkForm } from '../../../src/mcp/requests/form-answer.ts';
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

/** A call under way, and a person who gives these answers. */
function setUp(answers: readonly string[], allowed = true, parts: Partial<McpPersonParts> = {}) {
  const questions: HumanQuestion[] = [];
  const confirmed: string[] = [];
  const opened: string[] = [];
  const events: RunEventBody[] = [];
  const left = [...answers];
  const person = mcpPerson({
    human: {
      ask: async (question) => {
        questions.push(question);
        return left.shift() ?? assert.fail(`nobody answers ${question.question}`);
      },
    },
    nextId: async () => `q${questions.length}`,
    lend: async () => assert.fail('the model was asked'),
    openPage: async (url) => opened.push(url) > 0,
    signIn: async () => false,
    ...parts,
  });
  const { signal } = new AbortController();
  const call: AskingCall = {
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    emit: (event) => void events.push(event),
    confirm: async ({ title, detail }, reason) => {
      confirmed.push(`${title}: ${detail} (${reason})`);
      return { allowed };
    },
  };
  return { person, asking: { server: 'srv', call, signal }, questions, confirmed, opened, events };
}

describe('MCP: the person behind servers', () => {
  it('a form is asked field by field; what does not fit is asked again', async () => {
    const answers = ['Answer it', 'A', 'Ada', 'Take the default: 2', 'Leave it out', '2026-01-31'];
    const { person, asking, questions, events } = setUp([...answers, 'Yes', 'Red', 'b']);
    const filled = await person.fillForm(formOf(properties, ['name']), asking, {});
    const content = { name: 'Ada', day: '2026-01-31', agree: true, color: 'r', tags: ['b'] };
    assert.deepEqual(filled, { action: 'accept', content });
    assert.match(questions[0]?.question ?? '', /The MCP server “srv” asks: Fill it in/u);
    assert.match(questions[2]?.question ?? '', /“name” has at least 2 characters/u);
    assert.equal(questions.at(-1)?.several, true);
    const kinds = events.map(({ type }) => type);
    assert.equal(kinds.filter((type) => type === 'agent_run.waiting').length, questions.length);
    assert.equal(kinds.filter((type) => type === 'agent_run.answered').length, questions.length);
  });

  it('a form is declined, cancelled in the middle, or sent with its defaults', async () => {
    const form = formOf({ size: { type: 'integer', default: 2 } });
    const outcome = async (...answers: string[]) => {
      const { person, asking } = setUp(answers);
      return person.fillForm(form, asking, {});
    };
    assert.deepEqual(await outcome('Decline'), { action: 'decline' });
    assert.deepEqual(await outcome('Answer it', 'Cancel the form'), { action: 'cancel' });
    assert.deepEqual(await outcome('Send the defaults'), { action: 'accept', content: {} });
    const { person, asking } = setUp([]);
    const alone = { ...asking, call: undefined };
    assert.deepEqual(await person.fillForm(form, alone, {}), { action: 'cancel' });
  });

  it('a page is opened with a yes to its whole address', async () => {
    const page = judgePage('srv', 'Pay here', 'https://pay.example/x?y=z');
    assert.ok(page.verdict === 'ask');
    const yes = setUp([]);
    assert.equal(await yes.person.openPage(page, yes.asking, {}), 'accept');
    assert.match(yes.confirmed[0] ?? '', /https:\/\/pay\.example\/x\?y=z \(.*Pay here\)/u);
    assert.deepEqual(yes.opened, ['https://pay.example/x?y=z']);
    const no = setUp([], false);
    assert.equal(await no.person.openPage(page, no.asking, {}), 'decline');
    assert.deepEqual(no.opened, []);
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
    const no = setUp([], false);
    assert.equal(await no.person.sample(asked, no.asking, {}), undefined);
  });
});
