import { inWords, told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../src/domain/data/json.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import type { ApprovalAnswer } from '../../../src/core/ports/person/approval.ts';
import type { ToolContext, ToolPreview } from '../../../src/core/tool-call/tool-call.ts';
import { Rig, textOf, until } from './rig.ts';

describe('permission wrapper', () => {
  let rig: Rig;
  let context: ToolContext | undefined;
  let act: { runs: number };

  beforeEach(async () => {
    rig = await Rig.open();
    context = undefined;
    act = rig.tool(
      'act',
      (_, given) => {
        context = given;
        return 'ran';
      },
      { sideEffects: true },
    );
  });

  const preview = (shown: ToolPreview): void => {
    rig.tools[0] = { ...rig.tools[0]!, preview: async () => shown };
  };

  it('asks nothing that is allowed, and passes on the real paths that were judged', async () => {
    const judged = new Map([['/ws/link', '/ws/real']]);
    rig.decision = () => ({ verdict: 'allow', judged });
    assert.equal(textOf(await rig.call('act')), 'ran');
    assert.equal(rig.questions.length, 0);
    assert.equal(context?.judged, judged);
    assert.equal(context.preview, undefined);
    assert.equal(rig.eventTypes().includes('tool.approval'), false);
  });

  it('a refusal by rule is a failed call that tells the model why; it is no denial', async () => {
    rig.decision = () => ({
      verdict: 'refuse',
      judged: new Map(),
      reasons: [told`The mode is read.`],
    });
    const outcome = await rig.call('act');
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure?.code, 'permission');
    assert.equal(textOf(outcome), 'The mode is read.');
    assert.equal(act.runs, 0);
    assert.equal(rig.questions.length, 0);
  });

  it('B4: a yes runs exactly what was shown, and is on disk before the call begins', async () => {
    const shown = { title: 'Do it', detail: 'all of it' };
    preview(shown);
    const states: string[] = [];
    rig.commit = (writes) => {
      for (const write of writes) if (write.kind === 'ledger') states.push(write.entry.state);
      return rig.store.recorder.commit(writes);
    };
    assert.equal(textOf(await rig.call('act')), 'ran');
    assert.deepEqual(context?.preview, shown);
    assert.deepEqual(states, ['pending', 'approved', 'running', 'done']);
    const order = rig.eventTypes();
    assert.deepEqual(order, [
      'tool.approval',
      'agent_run.waiting',
      'agent_run.answered',
      'tool.started',
    ]);
  });

  it('B4: a no is a denial with the reason of the person', async () => {
    rig.answers.push({ allowed: false, reason: 'Use the other branch.' });
    const outcome = await rig.call('act');
    assert.equal(outcome.result.state, 'denied');
    assert.match(
      textOf(outcome),
      /^The user denied act; nothing was done\. They said: Use the other branch\./u,
    );
    assert.equal(act.runs, 0);
    assert.equal((await rig.row())?.state, 'denied');
  });

  it('security 8: the hash is that of everything shown', async () => {
    preview({
      title: 'Edit a.ts',
      detail: '/ws/a.ts',
      edits: [{ path: '/ws/a.ts', name: 'a.ts', before: 'old', after: 'new', creates: false }],
    });
    await rig.call('act');
    const [question] = rig.questions;
    const shown = {
      tool: question?.tool,
      title: question?.title,
      detail: question?.detail,
      edits: question?.edits,
      reason: question?.reason,
      told: question?.told,
    } as unknown as Json;
    assert.equal(question?.hash, createHash('sha256').update(canonicalJson(shown)).digest('hex'));
  });

  for (const [what, forged] of [
    ['another hash', { hash: 'f'.repeat(64) }],
    ['another question', { questionId: 'question-99' }],
  ] as const) {
    it(`security 8: an answer that belongs to ${what} allows nothing`, async () => {
      rig.answers.push({ allowed: true, ...forged });
      const outcome = await rig.call('act');
      assert.equal(outcome.result.state, 'denied');
      assert.match(textOf(outcome), /did not belong to what was shown/u);
      assert.equal(act.runs, 0);
    });
  }

  it('security 3: shows what is invisible in title, detail and reason', async () => {
    preview({ title: 'Run\u202e it\nnow', detail: 'echo a\u200bb\u001b[8mhidden' });
    const look = told`Look at ${'a\u200bb'}.`;
    const reasons = [look, told`A rule says: ${'ask'}.`, look];
    rig.decision = () => ({ verdict: 'ask', judged: new Map(), reasons });
    await rig.call('act');
    assert.equal(rig.questions[0]?.title, 'Run<U+202E> it now');
    assert.equal(rig.questions[0].detail, 'echo a<U+200B>b<U+001B>[8mhidden');
    assert.match(rig.questions[0].reason ?? '', /^Look at a<U\+200B>b\. A rule says: ask\. This/u);
    assert.equal(rig.questions[0].told?.map(inWords).join(' '), rig.questions[0].reason);
  });

  it('shows the arguments of a tool that has no preview', async () => {
    await rig.call('act', { where: 'there' });
    assert.equal(rig.questions[0]?.title, 'Use act');
    assert.equal(rig.questions[0].detail, '{\n  "where": "there"\n}');
  });

  it('asks nothing about a call that cannot work', async () => {
    rig.tools[0] = {
      ...rig.tools[0]!,
      preview: async () => {
        throw new BelayError({ code: 'not_found', message: 'a.ts does not exist.' });
      },
    };
    const outcome = await rig.call('act');
    assert.equal(textOf(outcome), 'a.ts does not exist.');
    assert.equal(rig.questions.length, 0);
    assert.equal((await rig.row())?.state, 'failed');
  });

  it('D4: stops waiting when the run is stopped, and says that it waits no more', async () => {
    rig.answers.push({ reason: 'wait' });
    const waiting = rig.call('act');
    await until(() => rig.questions.length === 1);
    rig.abort.abort('canceled');
    assert.equal((await waiting).result.state, 'canceled');
    assert.equal(rig.eventTypes().at(-1), 'agent_run.answered');
    assert.equal(act.runs, 0);
  });

  describe('a yes that is kept', () => {
    const program = ['npm', 'ci'];
    const line = { text: 'npm ci', cwd: '/ws', verdict: 'ask' as const, programs: [program] };
    const asks = (words: readonly string[]): void => {
      rig.decision = (tool) => ({
        verdict: 'ask',
        judged: new Map(),
        allowable: {
          units: [{ kind: 'program', words, line }],
          parts: { tool, roots: ['/ws'], paths: [], lines: [line], hosts: [] },
        },
      });
    };

    it('is offered as the narrowest rule, is part of what was shown, and goes where the user says', async () => {
      asks(program);
      rig.answers.push({ keep: 'project' });
      await rig.call('act');
      const rule = { effect: 'allow', command: 'npm ci', in: '/ws' };
      const [question] = rig.questions;
      assert.deepEqual(question?.keep, [rule]);
      assert.deepEqual(rig.kept, [{ where: 'project', rules: [rule], sessionId: rig.session }]);
      const { tool, title, detail, keep } = question;
      const shown = { tool, title, detail, keep } as unknown as Json;
      assert.equal(question.hash, createHash('sha256').update(canonicalJson(shown)).digest('hex'));
      assert.ok(rig.eventTypes().includes('permission.kept'));
    });

    it('a plain yes keeps nothing, but for the project’s own tests', async () => {
      asks(program);
      await rig.call('act');
      assert.deepEqual(rig.kept, []);
      asks(['npm', 'test']);
      await rig.call('act', {}, { id: 'call-2' });
      assert.equal(rig.questions[1]?.remembersCheck, true);
      assert.deepEqual(
        rig.kept.map(({ where }) => where),
        ['project'],
      );
    });

    it('a no keeps nothing', async () => {
      asks(['npm', 'test']);
      rig.answers.push({ allowed: false, keep: 'project' });
      await rig.call('act');
      assert.deepEqual(rig.kept, []);
    });

    it('counts once when it cannot be kept, and the person is told', async () => {
      asks(program);
      rig.keepFails = new BelayError({ code: 'permission', message: 'Not here.' });
      rig.answers.push({ keep: 'project' });
      assert.equal(textOf(await rig.call('act')), 'ran');
      const warning = rig.events.find((event) => event.type === 'warning');
      assert.match(warning?.type === 'warning' ? warning.message : '', /counts once.*Not here/u);
    });
  });

  describe('a question that is overtaken', () => {
    for (const [what, verdict, runs] of [
      ['mode', 'refuse', 0],
      ['rules', 'refuse', 0],
      ['rules', 'allow', 1],
    ] as const) {
      it(`${what} say ${verdict}: it is closed with a note`, async () => {
        rig.answers.push({ reason: 'wait' });
        const call = rig.call('act');
        await until(() => rig.questions.length === 1);
        rig.decision = () => ({ verdict, judged: new Map(), reasons: [told`The mode is read.`] });
        rig.change(what);
        const outcome = await call;
        assert.equal(act.runs, runs);
        if (verdict === 'refuse') assert.equal(textOf(outcome), 'The mode is read.');
        const note = rig.events.find((event) => event.type === 'tool.overtaken');
        assert.equal(note?.type === 'tool.overtaken' ? note.verdict : '', verdict);
        assert.ok(rig.eventTypes().includes('agent_run.answered'));
      });
    }

    it('what a rule allows by now was seen by nobody: a change of a file stays to be reviewed', async () => {
      rig.answers.push({ reason: 'wait' });
      const call = rig.call('act');
      await until(() => rig.questions.length === 1);
      rig.decision = () => ({ verdict: 'allow', judged: new Map() });
      rig.change('rules');
      await call;
      assert.equal(context?.origin?.how, 'write');
    });

    it('a milder mode answers nothing that was asked already', async () => {
      const answer = Promise.withResolvers<Partial<ApprovalAnswer>>();
      rig.answers.push(() => answer.promise);
      const call = rig.call('act');
      await until(() => rig.questions.length === 1);
      rig.decision = () => ({ verdict: 'allow', judged: new Map() });
      rig.change('mode');
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(act.runs, 0);
      answer.resolve({ allowed: false });
      assert.equal((await call).result.state, 'denied');
    });
  });
});
