import assert from 'node:assert/strict';
import type { Decision } from '../../../src/core/permissions/decision.ts';
import { withEgressGuard } from '../../../src/core/permissions/network/egress-guard.ts';
import type { EgressGuardParts } from '../../../src/core/permissions/network/egress-guard.ts';
import { OTHER_SESSION } from '../../../src/core/permissions/stranger-text.ts';
import { HIDDEN, SecretBook } from '../../../src/core/secrets/secret-book.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { inEnglish, told } from '../../../src/domain/text/told.ts';
import { TOOLS } from './rules-rig.ts';

const SECRET = 'correct-horse-battery';
const judged = new Map([['/ws/a', '/ws/b']]);
const allowed: Decision = { verdict: 'allow', judged };

const secrets = new SecretBook();
secrets.add(SECRET, 'the key of a server');

/** The verdict with its reasons, when what is judged before says this. */
async function guarded(
  tool: Tool,
  input: JsonObject,
  parts: Partial<EgressGuardParts> = {},
  before: Decision = allowed,
): Promise<{ readonly verdict: string; readonly said: string; readonly decision: Decision }> {
  const decide = withEgressGuard(async () => before, {
    hosts: () => ({ always: ['a.example'], never: ['b.example'], session: new Set() }),
    secrets,
    pins: { get: () => undefined, set: () => undefined },
    stranger: async () => undefined,
    ...parts,
  });
  const decision = await decide(tool, {
    part: { type: 'tool_call', id: 'c', name: tool.name, input },
    context: { sessionId: 's', roots: ['/ws'] },
  });
  const reasons = 'reasons' in decision ? (decision.reasons ?? []) : [];
  return { verdict: decision.verdict, said: reasons.map(inEnglish).join(' | '), decision };
}

const sends: Tool = { ...TOOLS.task, name: 'send', outbound: true };
const keeps: Tool = { ...TOOLS.task, name: 'keep', lasting: true };

describe('what leaves this machine', () => {
  it('a call that sends nothing away and changes nothing for later is as it was judged', async () => {
    const input = { text: SECRET };
    const { decision } = await guarded(TOOLS.task, input, { stranger: async () => 'a page' });
    assert.equal(decision, allowed);
    const refused: Decision = { verdict: 'refuse', judged, reasons: [told`No.`] };
    assert.equal((await guarded(sends, input, {}, refused)).decision, refused);
  });

  it('each address is judged by itself: one that may not be contacted refuses the call', async () => {
    const urls = (...urls: string[]): Tool => ({ ...TOOLS.fetch, urls: () => urls });
    assert.equal((await guarded(urls('https://a.example/'), {})).decision, allowed);
    const asked = await guarded(urls('https://a.example/', 'https://c.example/'), {});
    assert.equal(asked.verdict, 'ask');
    assert.match(asked.said, /c\.example/u);
    const refused = await guarded(urls('https://c.example/', 'https://b.example/'), {});
    assert.equal(refused.verdict, 'refuse');
    assert.match(refused.said, /^The person does not allow requests to b\.example/u);
    assert.equal(refused.decision.judged, judged);
  });

  it('rule 5: a secret is found in values, names of members, numbers, and in pieces', async () => {
    const inputs: readonly JsonObject[] = [
      { text: `x ${SECRET} y` },
      { deep: [{ more: [SECRET] }] },
      { [SECRET]: true },
      { first: SECRET.slice(0, 9), count: 1, second: SECRET.slice(9) },
      { nothing: null, deep: { text: SECRET } },
    ];
    for (const input of inputs) {
      const { verdict, said } = await guarded(sends, input);
      assert.equal(verdict, 'ask', JSON.stringify(input));
      assert.match(
        said,
        /contains a secret \(the key of a server\)\. Allow it only if you want send/u,
      );
    }
    assert.equal((await guarded(sends, { text: 'nothing', count: 3, is: true })).verdict, 'allow');
    const numbers = new SecretBook();
    numbers.add('8241930475', 'a number');
    assert.equal((await guarded(sends, { n: 8_241_930_475 }, { secrets: numbers })).verdict, 'ask');
  });

  it('rule 9: a tool that says something else of itself than when it was allowed is asked about', async () => {
    const tool: Tool = { ...TOOLS.mcp, description: `Now it ${'x'.repeat(500)}` };
    const pinned = (hash: string | undefined): Partial<EgressGuardParts> => ({
      pins: { get: (name) => (name === tool.name ? hash : undefined), set: () => undefined },
    });
    const { verdict, said } = await guarded(tool, {}, pinned('h0'));
    assert.equal(verdict, 'ask');
    assert.match(said, /is not what it was when it was last allowed: .* Now it x{393}$/u);
    for (const hash of ['h1', undefined])
      assert.equal((await guarded(tool, {}, pinned(hash))).decision, allowed);
    const { hash: _, ...own } = tool;
    assert.equal((await guarded(own, {}, pinned('h0'))).decision, allowed);
  });

  it('what later sessions are told is asked about once the session has read what strangers wrote', async () => {
    const of = (origin: string | undefined) => guarded(keeps, {}, { stranger: async () => origin });
    assert.equal((await of(undefined)).decision, allowed);
    const asked = await of('example.org');
    assert.equal(asked.verdict, 'ask');
    assert.match(asked.said, /nor the model wrote \(example\.org\)/u);
    assert.match((await of(OTHER_SESSION)).said, /nor the model wrote \(another session\)/u);
  });

  it('an edit that would write the words that stand for a secret is refused', async () => {
    const { verdict, said } = await guarded(TOOLS.edit, { text: `key=${HIDDEN}` });
    assert.equal(verdict, 'refuse');
    assert.match(said, /stands for a value that you were not shown/u);
    assert.equal((await guarded(TOOLS.edit, { text: 'key=1' })).decision, allowed);
    assert.equal((await guarded(TOOLS.run, { command: HIDDEN })).decision, allowed);
  });

  it('what was asked about anyway keeps its reasons, behind those of the guard', async () => {
    const before: Decision = { verdict: 'ask', judged, reasons: [told`It runs a program.`] };
    const { verdict, said } = await guarded(sends, { text: SECRET }, {}, before);
    assert.equal(verdict, 'ask');
    assert.match(said, /^What is sent away.* \| It runs a program\.$/u);
    const silent = await guarded(sends, { text: SECRET }, {}, { verdict: 'ask', judged });
    assert.match(silent.said, /^What is sent away[^|]*$/u);
  });

  it('where nobody can be asked, it does not happen, and the model is told why', async () => {
    const alone = { unattended: true };
    const { verdict, said, decision } = await guarded(sends, { text: SECRET }, alone);
    assert.equal(verdict, 'refuse');
    assert.match(
      said,
      /^send was not run: a person would have to be asked.* \| What is sent away/u,
    );
    assert.equal(decision.judged, judged);
    assert.equal((await guarded(sends, { text: 'x' }, alone)).decision, allowed);
    assert.equal((await guarded(sends, { text: SECRET }, { unattended: false })).verdict, 'ask');
  });
});
