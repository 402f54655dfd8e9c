import assert from 'node:assert/strict';
import type { Compaction, QueuedMessage } from '../../../src/domain/session/session.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import { refusedBy, type Subjects } from './contract-host.ts';
import { call, message, run, session } from './support.ts';
import type { Part } from '../../../src/domain/message.ts';
import { encrypted, signed } from '../../support/replays.ts';

/** `Transcripts` and `UsageTotals`: sessions, their messages and what they cost. */
export function sessionContract(subjects: Subjects): void {
  it('B17: keeps the record of a session; the counts are its own', async () => {
    const { host, store } = subjects();
    const given = session('child', {
      parentId: 'parent',
      type: 'task',
      title: 'A task',
      model: 'small',
      summaryId: 'c1',
      messageCount: 99,
      inputTokens: 99,
      cost: 99,
      createdAt: 5,
      updatedAt: 6,
    });
    await store.recorder.commit([
      { kind: 'session', session: session('parent') },
      { kind: 'session', session: given },
      { kind: 'message', message: message('child', 1) },
    ]);
    const again = await host.reopen();
    assert.deepEqual(await again.transcripts.session('child'), {
      ...given,
      messageCount: 1,
      inputTokens: 0,
      cost: 0,
      updatedAt: 1001,
    });
    assert.equal(await again.transcripts.session('nobody'), undefined);
  });

  it('lists the session last written to first, whatever the clock says', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('a', { createdAt: 3, updatedAt: 3 }) },
      { kind: 'session', session: session('b', { createdAt: 2, updatedAt: 2 }) },
      { kind: 'session', session: session('c', { createdAt: 1, updatedAt: 1 }) },
    ]);
    await store.recorder.commit([
      { kind: 'message', message: message('a', 1, 'x', { createdAt: 0 }) },
    ]);
    const ids = (await store.transcripts.sessions()).map((one) => one.id);
    assert.deepEqual(ids, ['a', 'c', 'b']);
  });

  it('marks of a session are kept, whatever else is written of it; it is no newer by them', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('a') },
      { kind: 'session', session: session('b') },
    ]);
    await store.transcripts.markSession('a', { pinned: true });
    await store.transcripts.markSession('a', { archived: true });
    await store.recorder.commit([
      { kind: 'session', session: session('a', { title: 'Renamed' }) },
      { kind: 'run', run: run('r1', 'a', { state: 'failed' }) },
    ]);
    const again = await host.reopen();
    const [newest, other] = await again.transcripts.sessions();
    assert.equal(newest?.id, 'b');
    assert.deepEqual(other, {
      ...session('a', { title: 'Renamed' }),
      pinned: true,
      archived: true,
      failed: true,
    });
    await again.transcripts.markSession('a', { pinned: false });
    await again.recorder.commit([{ kind: 'run', run: run('r2', 'a') }]);
    assert.deepEqual(await again.transcripts.session('a'), {
      ...session('a', { title: 'Renamed' }),
      archived: true,
    });
  });

  it('B12: adds usage to the session, its cost also to all its ancestors', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('top') },
      { kind: 'session', session: session('mid', { parentId: 'top', type: 'task' }) },
      { kind: 'session', session: session('low', { parentId: 'mid', type: 'task' }) },
      { kind: 'usage', usage: spent('top', 0.25) },
      { kind: 'usage', usage: spent('low', 0.5) },
    ]);
    await store.recorder.commit([{ kind: 'usage', usage: spent('mid', undefined) }]);
    const record = async (id: string): Promise<unknown> => {
      const found = await store.transcripts.session(id);
      return [found?.inputTokens, found?.outputTokens, found?.cost, found?.costUnknown];
    };
    assert.deepEqual(await record('top'), [111, 5, 0.75, true]);
    assert.deepEqual(await record('mid'), [111, 5, 0.5, true]);
    assert.deepEqual(await record('low'), [111, 5, 0.5, undefined]);
    const none = { tokens: 0, reasoningTokens: 0, cost: 0, billed: 0, calls: 0, estimatedCalls: 0 };
    const total = await store.usage.total(0);
    assert.deepEqual(total, { ...none, tokens: 348, cost: 0.75, calls: 3 });
    assert.deepEqual(await store.usage.total(7001), none);
    assert.deepEqual(await store.usage.records('mid'), [spent('mid', undefined)]);
  });

  it('A8: tokens of thinking, what is billed and what is an estimate are kept and summed', async () => {
    const { store } = subjects();
    const told = spent('s', 0.25);
    const billed = { ...told, usage: { ...told.usage, reasoningTokens: 3, billed: 0.25 } };
    const guessed = { ...told, usage: { ...told.usage, estimated: true } };
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'usage', usage: billed },
      { kind: 'usage', usage: guessed },
      { kind: 'usage', usage: told },
    ]);
    assert.deepEqual(await store.usage.records('s'), [billed, guessed, told]);
    const { reasoningTokens, billed: sum, cost, estimatedCalls } = await store.usage.total(0);
    assert.deepEqual([reasoningTokens, sum, cost, estimatedCalls], [3, 0.25, 0.75, 1]);
  });

  it('D7: thinking that was stored with fields of its own is read in the form of today', async () => {
    const { store } = subjects();
    const old = [
      { type: 'reasoning', text: 'so', signature: 's1' },
      { type: 'reasoning', text: '', redacted: 'x1' },
      { type: 'text', text: 'Well.' },
    ] as unknown as readonly Part[];
    const stored = message('s', 1, old, { role: 'assistant' });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: stored },
    ]);
    const [read] = await store.transcripts.messages({ sessionId: 's' });
    assert.deepEqual(read?.parts, [
      { type: 'reasoning', text: 'so', replay: signed('s1') },
      { type: 'reasoning', text: '', replay: encrypted('x1') },
      { type: 'text', text: 'Well.' },
    ]);
  });

  it('A2: deleting a session takes everything of it and its children, but not what was spent', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('top') },
      { kind: 'session', session: session('low', { parentId: 'top', type: 'task' }) },
      { kind: 'message', message: message('low', 1, 'findable') },
      { kind: 'run', run: run('r', 'low') },
      { kind: 'ledger', entry: call('r', 'low', 'c') },
      { kind: 'usage', usage: spent('low', 1) },
      { kind: 'value', sessionId: 'low', key: 'k', value: 1 },
    ]);
    await store.blobs.putResult('low', 'o', 'text');
    await store.transcripts.deleteSession('top');
    assert.deepEqual(await store.transcripts.sessions(), []);
    assert.deepEqual((await store.transcripts.search('findable', 5)).hits, []);
    assert.equal(await store.runs.run('r'), undefined);
    assert.deepEqual(await store.runs.ledger({ sessionId: 'low' }), []);
    assert.equal(await store.blobs.result('low', 'o', 0, 1), undefined);
    assert.equal(await store.values.get('k', 'low'), undefined);
    assert.equal((await store.usage.total(0)).cost, 1);
  });

  it('refuses a session with the id of another parent’s child', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('a') },
      { kind: 'session', session: session('b') },
      { kind: 'session', session: session('call', { parentId: 'a', type: 'task' }) },
    ]);
    const refused = store.recorder.commit([
      { kind: 'session', session: session('call', { parentId: 'b', type: 'task' }) },
    ]);
    await assert.rejects(refused, refusedBy('store'));
  });

  it('pages through messages, the newest ones first, each page ascending', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      ...Array.from({ length: 10 }, (_, index) => ({
        kind: 'message' as const,
        message: message('s', index + 1),
      })),
    ]);
    const seqs = async (query: object): Promise<number[]> =>
      (await store.transcripts.messages({ sessionId: 's', ...query })).map((one) => one.seq);
    assert.deepEqual(await seqs({ limit: 3 }), [8, 9, 10]);
    assert.deepEqual(await seqs({ limit: 3, beforeSeq: 8 }), [5, 6, 7]);
    assert.deepEqual(await seqs({ afterSeq: 8 }), [9, 10]);
    assert.deepEqual(await seqs({ afterSeq: 3, beforeSeq: 6 }), [4, 5]);
    assert.deepEqual(await seqs({ beforeSeq: 1 }), []);
  });

  it('finds words of titles and texts, also unfinished ones, and follows every change', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s', { title: 'Über den Parser' }) },
      { kind: 'message', message: message('s', 1, 'the quick "brown" fox') },
      { kind: 'message', message: message('s', 2, 'nothing here') },
    ]);
    const found = async (query: string): Promise<number[]> =>
      (await store.transcripts.search(query, 10)).hits.map((one) => one.messageSeq);
    assert.deepEqual(await found('uber'), [0]);
    assert.deepEqual(await found('bro qui'), [1]);
    assert.deepEqual(await found('"fox" OR -nothing*'), []);
    assert.deepEqual(await found('  '), []);
    await store.recorder.commit([
      { kind: 'session', session: session('s', { title: 'Renamed' }) },
      { kind: 'message', message: message('s', 2, 'a fox too') },
    ]);
    assert.deepEqual(await found('uber'), []);
    assert.deepEqual(await found('renamed'), [0]);
    assert.deepEqual(new Set(await found('fox')), new Set([1, 2]));
    assert.equal((await store.transcripts.search('fox', 1)).hits.length, 1);
    const [first] = (await store.transcripts.search('quick', 1)).hits;
    assert.deepEqual(first?.pieces, [
      { text: 'the ', hit: false },
      { text: 'quick', hit: true },
      { text: ' "brown" fox', hit: false },
    ]);
  });

  it('finds the best few of each session with their place, words of scripts without blanks, and the end of a long message', async () => {
    const { store } = subjects();
    const long = `${'word '.repeat(30_000)} lastword`;
    await store.recorder.commit([
      { kind: 'session', session: session('a') },
      { kind: 'session', session: session('b') },
      { kind: 'session', session: session('low', { parentId: 'a', type: 'task' }) },
      ...[1, 2, 3, 4, 5].map(
        (seq) => ({ kind: 'message', message: message('a', seq, 'common') }) as const,
      ),
      { kind: 'message', message: message('b', 1, 'common', { role: 'assistant' }) },
      { kind: 'message', message: message('b', 2, '列表解析器返回两次最后一个元素') },
      { kind: 'message', message: message('b', 3, long) },
      { kind: 'message', message: message('low', 1, 'common') },
    ]);
    const { hits, complete } = await store.transcripts.search('common', 50);
    assert.equal(complete, true);
    const of = (id: string) => hits.filter(({ sessionId }) => sessionId === id);
    assert.deepEqual([of('a').length, of('b').length, of('low').length], [3, 1, 0]);
    assert.deepEqual(
      of('b').map(({ role, at, hits: all }) => [role, at, all]),
      [['assistant', 1001, 1]],
    );
    assert.equal(of('a')[0]?.hits, 5);
    const [chinese] = (await store.transcripts.search('返回两次', 5)).hits;
    assert.equal(chinese?.messageSeq, 2);
    assert.deepEqual(
      chinese.pieces.filter(({ hit }) => hit).map(({ text }) => text),
      ['返回两次'],
    );
    assert.equal((await store.transcripts.search('lastword', 5)).hits[0]?.messageSeq, 3);
  });

  it('finds within a session whatever was said, thought or asked of a tool, as it reads', async () => {
    const { store } = subjects();
    const parts: readonly Part[] = [
      { type: 'reasoning', text: 'Perhaps the **Lexer**.' },
      {
        type: 'text',
        text: 'The [lexer](https://lexer.example) and `lexer.ts`:\n\n> a **lex**er\n> again',
      },
      { type: 'tool_call', id: 'c', name: 'read_file', input: { path: 'src/lexer.ts', lines: 4 } },
    ];
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'session', session: session('t') },
      { kind: 'message', message: message('s', 1, 'Where is the Lexer? (It is **here**.)') },
      { kind: 'message', message: message('s', 2, parts, { role: 'assistant' }) },
      { kind: 'message', message: message('s', 3, 'x'.repeat(250_000) + ' lexer at the end') },
      { kind: 'message', message: message('t', 1, 'lexer') },
    ]);
    const find = async (query: string, matchCase = false) =>
      (await store.transcripts.find({ sessionId: 's', query, matchCase })).map(({ seq, hits }) => [
        seq,
        hits,
      ]);
    assert.deepEqual(await find('lexer'), [
      [1, 1],
      [2, 5],
      [3, 1],
    ]);
    assert.deepEqual(await find('Lexer', true), [
      [1, 1],
      [2, 1],
    ]);
    assert.deepEqual(await find('lexer example'), []);
    assert.deepEqual(await find('a lexer again'), [[2, 1]], 'a break is a blank');
    assert.deepEqual(
      await find('(It is **here**.)'),
      [[1, 1]],
      'what a person wrote is no markdown',
    );
    assert.deepEqual(await find('.*'), []);
    assert.deepEqual(await find('  '), []);
  });

  it('gives the messages of the person, the newest first, of this session or of all others', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'session', session: session('t') },
      { kind: 'message', message: message('s', 1, 'first', { origin: 'person' }) },
      { kind: 'message', message: message('s', 2, 'context', { origin: 'environment' }) },
      { kind: 'message', message: message('s', 3, 'answer', { role: 'assistant' }) },
      { kind: 'message', message: message('s', 4, 'second', { origin: 'person' }) },
      { kind: 'message', message: message('t', 1, 'elsewhere', { origin: 'person' }) },
    ]);
    const texts = async (others: boolean) =>
      (await store.transcripts.prompts({ sessionId: 's', others, limit: 10 })).map(
        ({ seq, text }) => [seq, text],
      );
    assert.deepEqual(await texts(false), [
      [4, 'second'],
      [1, 'first'],
    ]);
    assert.deepEqual(await texts(true), [[1, 'elsewhere']]);
  });

  it('C3 D2: keeps compactions, undone ones too, and the limits that belong to them', async () => {
    const limits = { resultLimit: { throughSeq: 9, characters: 400 }, requestLimit: 6000 };
    const { store } = subjects();
    const compaction: Compaction = {
      id: 'c1',
      sessionId: 's',
      throughSeq: 4,
      summary: 'what was \ud800 said',
      strategy: 'summarize',
      reason: '70 %',
      tokensBefore: 10,
      tokensAfter: 2,
      undone: false,
      createdAt: 1,
    };
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'compaction', compaction },
      { kind: 'compaction', compaction: { ...compaction, id: 'c2', strategy: 'prune' } },
      { kind: 'compaction', compaction: { ...compaction, id: 'c3', ...limits } },
    ]);
    await store.recorder.commit([
      { kind: 'compaction', compaction: { ...compaction, undone: true } },
    ]);
    assert.equal((await store.transcripts.session('s'))?.summarized, true);
    assert.deepEqual(await store.transcripts.compactions('s'), [
      { ...compaction, undone: true },
      { ...compaction, id: 'c2', strategy: 'prune' },
      { ...compaction, id: 'c3', ...limits },
    ]);
  });

  it('C7: keeps queued messages in their order; they can be edited, moved and removed', async () => {
    const { host, store } = subjects();
    const queued = (id: string, position: number, text = id): QueuedMessage => ({
      id,
      sessionId: 's',
      position,
      text,
      attachments: [{ id: 'a', name: 'a.txt', mediaType: 'text/plain', size: 1, data: 'YQ==' }],
      mode: 'queue',
      createdAt: 1,
    });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'queued', queued: queued('q1', 1) },
      { kind: 'queued', queued: queued('q2', 2) },
      { kind: 'queued', queued: queued('q3', 3) },
    ]);
    await store.recorder.commit([
      { kind: 'queued', queued: queued('q3', 0, 'edited \ud800') },
      { kind: 'dequeued', id: 'q1' },
    ]);
    const again = await host.reopen();
    const expected = [queued('q3', 0, 'edited \ud800'), queued('q2', 2)];
    assert.deepEqual(await again.runs.queued('s'), expected);
    assert.deepEqual(await again.runs.queued(), expected);
    assert.deepEqual(await again.runs.queued('other'), []);
  });
}

function spent(sessionId: string, cost: number | undefined): UsageRecord {
  return {
    sessionId,
    runId: 'r',
    model: 'm',
    purpose: 'turn',
    usage: { inputTokens: 1, outputTokens: 5, cacheReadTokens: 10, cacheWriteTokens: 100 },
    ...(cost === undefined ? {} : { cost }),
    at: 7000,
  };
}
