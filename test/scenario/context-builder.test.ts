import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TestEngine } from '../support/engine/test-engine.ts';
import { loadCl100k } from '../../src/core/context/tokens/cl100k.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);
const readA = calls(call('read_file', { files: [{ path: 'a.txt' }] }, 'toolu_1'));

/** What the prompt cache compares: everything but where the breakpoints are. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

/** A later request begins with the earlier one, byte for byte: tools, system, messages. */
function assertGrows(earlier: WireRequest | undefined, later: WireRequest | undefined): void {
  assert.ok(earlier !== undefined && later !== undefined);
  assert.equal(plain(later.tools), plain(earlier.tools));
  assert.equal(plain(later.system), plain(earlier.system));
  assert.ok(later.messages.length > earlier.messages.length);
  earlier.messages.forEach((message, n) => assert.equal(plain(later.messages[n]), plain(message)));
}

/** Blocks of a request that end a cached prefix, in order, with their places. */
function breakpoints(request: WireRequest): string[] {
  const found: string[] = [];
  const look = (where: string, blocks: unknown): void => {
    if (!Array.isArray(blocks)) return;
    blocks.forEach((block: unknown, n) => {
      if (typeof block === 'object' && block !== null && 'cache_control' in block)
        found.push(`${where}.${n}`);
    });
  };
  look('tools', request.tools);
  look('system', request.system);
  request.messages.forEach((message, n) => look(`messages.${n}`, message.content));
  return found;
}

describe('stories of what the model gets', function () {
  this.timeout(60_000);

  it('A7: the same input gives the same bytes', async () => {
    const texts: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      await using test = await TestEngine.open({
        script: inOrder(readA, say('Done.')),
        files: { 'a.txt': 'text', 'AGENTS.md': 'Be kind.' },
        host: { environment: () => ({ system: 'Test', date: '2026-11-21', roots: ['/w'] }) },
      });
      await test.run('Read a.txt.');
      texts.push(test.server.requests.map(({ text }) => text).join('\n'));
    }
    assert.equal(texts[0], texts[1]);
  });

  it('A7: each request begins with the one before, from turn to turn, run to run and after a restart', async () => {
    const options = { files: { 'a.txt': 'text' } };
    const first = await TestEngine.open({
      script: inOrder(readA, say('Read.'), say('Again.')),
      ...options,
    });
    const { sessionId } = await first.run('Read a.txt.');
    await first.engine.agent.send(sessionId, { text: 'More.' });
    await first.engine.agent.runs.settled(sessionId);
    await first.close();
    await using test = await TestEngine.open({ script: () => say('Still here.'), after: first });
    await test.engine.agent.send(sessionId, { text: 'And after a restart?' });
    await test.engine.agent.runs.settled(sessionId);
    const all = [...bodies(first), ...bodies(test)];
    assert.equal(all.length, 4);
    for (let n = 1; n < all.length; n += 1) assertGrows(all[n - 1], all[n]);
    for (const request of all) {
      const points = breakpoints(request);
      assert.ok(points.length >= 2 && points.length <= 4, points.join());
      assert.ok(
        points.some((place) => place.startsWith(`messages.${request.messages.length - 1}.`)),
        `the tail is a breakpoint: ${points.join()}`,
      );
    }
    const prefix = [...first.ofType('model.prefix'), ...test.ofType('model.prefix')];
    assert.ok(prefix.every(({ divergence }) => divergence === undefined));
  });

  it('A7: a new date is told beside the message, and changes nothing before it', async () => {
    let date = '2026-11-21';
    await using test = await TestEngine.open({
      script: () => say('Yes.'),
      host: { environment: () => ({ system: 'Test', date, roots: ['/w'] }) },
    });
    const { sessionId } = await test.run('What day is it?');
    date = '2026-11-22';
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    const [before, after] = bodies(test);
    assertGrows(before, after);
    assert.doesNotMatch(plain([before?.system, before?.tools]), /2026-11/u);
    assert.doesNotMatch(plain(before), /2026-11-22/u);
    assert.match(plain(after?.messages.slice(before?.messages.length)), /2026-11-22/u);
  });

  it('A7: tools and system prompt together are at most 4,000 tokens', async () => {
    await using test = await TestEngine.open({ script: () => say('Hello.') });
    await test.run('Hello.');
    const count = await loadCl100k();
    const [request] = bodies(test);
    const tokens = count(plain([request?.tools, request?.system]));
    assert.ok(tokens <= 4000 && tokens > 500, `${tokens} tokens`);
  });

  it('A7: AGENTS.md, TOOLS.md and those of the folders worked in are given; CLAUDE.md where there is no AGENTS.md', async () => {
    await using test = await TestEngine.open({
      script: () => say('Hello.'),
      files: {
        'AGENTS.md': 'Rule of the root.',
        'CLAUDE.md': 'Never seen.',
        'TOOLS.md': 'Use the tool well.',
        'web/CLAUDE.md': 'Rule of the web.',
        'web/src/page.ts': '',
        'far/away/AGENTS.md': 'Rule of far away.',
        'node_modules/x/AGENTS.md': 'Rule of a package.',
      },
    });
    await test.run('Hello.');
    const system = plain(bodies(test)[0]?.system);
    assert.match(system, /Rule of the root\.[^]*Use the tool well\./u);
    assert.doesNotMatch(system, /Never seen|Rule of far away/u);
    assert.match(system, /instructions of their own[^]*far\/away\/AGENTS\.md/u);
    assert.match(system, /web\/CLAUDE\.md/u, 'the fallback counts for nested folders, too');
  });

  it('A7: instructions of the folders the person works in are given in full', async () => {
    const holder: { workspace?: string } = {};
    await using test = await TestEngine.open({
      script: () => say('Hello.'),
      files: { 'AGENTS.md': 'Rule of the root.', 'web/CLAUDE.md': 'Rule of the web.' },
      host: {
        focus: () =>
          holder.workspace === undefined ? [] : [path.join(holder.workspace, 'web/src/page.ts')],
      },
    });
    holder.workspace = test.workspace;
    await test.run('Hello.');
    assert.match(plain(bodies(test)[0]?.system), /Rule of the root\.[^]*Rule of the web\./u);
  });

  it('A7: nothing of an untrusted workspace is obeyed', async () => {
    await using test = await TestEngine.open({
      script: () => say('Hello.'),
      files: { 'AGENTS.md': 'Rule of the root.', 'sub/AGENTS.md': 'Rule of sub.' },
      host: { trusted: () => false },
    });
    await test.run('Hello.');
    assert.doesNotMatch(plain(bodies(test)[0]), /Rule of|AGENTS\.md/u);
  });

  it('A7: instructions are read anew for each run, not within one', async () => {
    const holder: { workspace?: string } = {};
    await using test = await TestEngine.open({
      script: async (_request, n) => {
        if (n === 1) await writeFile(path.join(holder.workspace ?? '', 'AGENTS.md'), 'Be long.');
        return n === 1 ? readA : say('Done.');
      },
      files: { 'a.txt': 'x', 'AGENTS.md': 'Be brief.' },
    });
    holder.workspace = test.workspace;
    const { sessionId } = await test.run('Go.');
    await test.engine.agent.send(sessionId, { text: 'Again.' });
    await test.engine.agent.runs.settled(sessionId);
    const rules = bodies(test).map((body) => /Be (?:brief|long)\./u.exec(plain(body.system))?.[0]);
    assert.deepEqual(rules, ['Be brief.', 'Be brief.', 'Be long.']);
    assert.match(test.ofType('model.prefix').at(-1)?.divergence ?? '', /^$|system/u);
  });

  it('D6: an explicit context limit wins; the catalog setting teaches a new model; the rest is 8,192', async () => {
    await using test = await TestEngine.open({
      script: () => say('Hello.'),
      settings: {
        'model.name': 'house-model',
        'model.catalog': {
          'house-model': {
            contextWindow: 123_000,
            maxOutputTokens: 777,
            prices: { input: 1000, output: 1000, cacheRead: 1000, cacheWrite: 1000 },
          },
          broken: { contextWindow: -1 },
        },
      },
    });
    await test.run('Hello.');
    const known = test.ofType('model.request')[0];
    assert.equal(known?.model, 'house-model');
    assert.equal(known.contextLimit, 123_000);
    assert.equal(bodies(test)[0]?.max_tokens, 777);
    const [usage] = test.ofType('model.usage');
    const {
      inputTokens = 0,
      outputTokens = 0,
      cacheReadTokens = 0,
      cacheWriteTokens = 0,
    } = usage?.usage ?? {};
    const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    assert.ok(Math.abs((usage?.cost ?? 0) - tokens / 1000) < 1e-9, `${usage?.cost}`);

    for (const [settings, limit] of [
      [{ 'model.name': 'nobody-knows-it' }, 8192],
      [{ 'model.name': 'nobody-knows-it', 'model.contextLimit': 50_000 }, 50_000],
      [{ 'model.contextLimit': 33_000 }, 33_000],
    ] as const) {
      await using other = await TestEngine.open({ script: () => say('Hello.'), settings });
      await other.run('Hello.');
      assert.equal(other.ofType('model.request')[0]?.contextLimit, limit);
    }
  });

  it('C12: what the provider counted is the base of the estimate, over runs; a compaction or its undoing starts anew', async () => {
    // This server's tokens are smaller than ours: only its own count can be so large.
    const counted = 90_000;
    const usage = { input_tokens: counted, output_tokens: 10 };
    await using test = await TestEngine.open({
      script: () => ({ ...say(`Fine. ${'word '.repeat(400)}`), usage }),
    });
    const { agent, store } = test.engine;
    const { sessionId } = await test.run('Hello.');
    const estimates = async (text: string): Promise<number> => {
      await agent.send(sessionId, { text });
      assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
      return test.ofType('model.request').at(-1)?.estimatedTokens ?? 0;
    };
    assert.ok(test.ofType('model.request')[0]!.estimatedTokens < 10_000);
    for (const text of ['One.', 'Two.', 'Three.', 'Four.'])
      assert.ok((await estimates(text)) > counted, text);
    await agent.compaction.summarize(sessionId);
    assert.ok((await estimates('Five.')) < 10_000, 'the old count is not that of the summary');
    assert.ok((await estimates('Six.')) > counted);
    const [made] = await store.transcripts.compactions(sessionId);
    await agent.compaction.undo(sessionId, made?.id ?? '');
    assert.ok((await estimates('Seven.')) < 10_000, 'nor that of the messages');
  });
});
