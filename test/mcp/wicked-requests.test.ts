import { inEnglish } from '../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/domain/data/json.ts';
import type { RequestAnswer } from '../../src/domain/mcp/server-request.ts';
import type { AskedForm } from '../../src/mcp/requests/elicitation.ts';
import type { McpPerson } from '../../src/mcp/requests/person.ts';
import { Harness, recordingContext, textOf, wicked } from './support/harness.ts';

const fields = (count: number): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field${index}`, { type: 'string' }]),
  ),
});

describe('MCP: servers that ask for what they must not', function () {
  this.timeout(30_000);

  /** Has a server ask during a call; the answer that it got, what the person saw, and the card's progress. */
  async function ask(
    params: JsonObject,
    fill: (form: AskedForm) => Promise<RequestAnswer> = async () => ({ action: 'decline' }),
  ): Promise<{ readonly got: string; readonly forms: AskedForm[]; readonly card: string }> {
    const forms: AskedForm[] = [];
    const person: McpPerson = {
      fillForm: async (form) => {
        forms.push(form);
        return fill(form);
      },
      openPage: async () => assert.fail('a page was shown'),
      sample: async () => assert.fail('the model was asked'),
      signIn: async () => false,
    };
    const harness = new Harness({ support: { person } });
    harness.configure({ wicked: wicked('asks') });
    try {
      const { context, events } = recordingContext();
      const got = textOf(await harness.call('ask', params, context));
      const next = await harness.call('echo', { text: 'the turn goes on' });
      assert.match(textOf(next), /the turn goes on/u);
      return { got, forms, card: JSON.stringify(events) };
    } finally {
      await harness.hub.dispose();
    }
  }

  it('a form with 1,000 fields is declined, and the card says why', async () => {
    const { got, forms, card } = await ask({ message: 'All of it', requestedSchema: fields(1000) });
    assert.match(got, /"action":"decline"/u);
    assert.deepEqual(forms, []);
    assert.match(card, /asks for 1,000 things at once, more than 50\. It was declined\./u);
  });

  it('a form that asks for a password is shown with a warning', async () => {
    const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } };
    const { got, forms } = await ask({ message: 'Log in', requestedSchema });
    assert.match(got, /"action":"decline"/u);
    assert.match(forms[0]?.warnings.map(inEnglish).join() ?? '', /looks like a secret/u);
  });

  it('a page that is not https is declined without a question', async () => {
    const params = { mode: 'url', elicitationId: 'x', message: 'Here', url: 'http://example.com/' };
    const { got, card } = await ask(params);
    assert.match(got, /"action":"decline"/u);
    assert.match(card, /It was declined/u);
  });

  it('an answer that does not fit the form is not sent', async () => {
    const requestedSchema = { type: 'object', properties: { n: { type: 'integer', maximum: 3 } } };
    const { got } = await ask({ message: 'How many', requestedSchema }, async () => ({
      action: 'accept',
      content: { n: 4 },
    }));
    assert.match(got, /"action":"cancel"/u);
  });

  it('a question of a call that was given up is withdrawn', async () => {
    const stop = new AbortController();
    let withdrawn = false;
    const person: McpPerson = {
      fillForm: async (_form, { signal }) => {
        setTimeout(() => stop.abort(), 10);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        withdrawn = true;
        return { action: 'cancel' };
      },
      openPage: async () => ({ action: 'cancel' }),
      sample: async () => undefined,
      signIn: async () => false,
    };
    const harness = new Harness({ support: { person } });
    harness.configure({ wicked: wicked('asks') });
    try {
      const { context } = recordingContext();
      const params = { message: 'Wait', requestedSchema: fields(1) };
      const call = harness.call('ask', params, { ...context, signal: stop.signal });
      await assert.rejects(call, { name: 'AbortError' });
      assert.equal(withdrawn, true);
    } finally {
      await harness.hub.dispose();
    }
  });

  it('500 tools are all there, in the same order each time', async () => {
    const harness = new Harness();
    harness.configure({ wicked: wicked('many') });
    try {
      const names = async () => (await harness.hub.tools()).map(({ name }) => name);
      const first = await names();
      assert.equal(new Set(first).size, 500);
      assert.deepEqual(await names(), first);
    } finally {
      await harness.hub.dispose();
    }
  });

  it('an icon is shown where it needs no request, and is a small picture', async () => {
    const png = 'data:image/png;base64,iVBORw0KGgoAAAAN';
    const svg = 'data:image/svg+xml;base64,PHN2Zz4=';
    const huge = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(95_000)}`;
    const harness = new Harness();
    harness.configure({
      small: wicked('drawn', `https://example.com/i.png ${svg} ${png}`),
      remote: wicked('drawn', 'https://example.com/i.png'),
      large: wicked('drawn', huge),
    });
    try {
      await harness.hub.tools();
      const icons = harness.hub.servers().map(({ name, server }) => [name, server?.icon]);
      assert.deepEqual(icons, [
        ['large', undefined],
        ['remote', undefined],
        ['small', png],
      ]);
    } finally {
      await harness.hub.dispose();
    }
  });
});
