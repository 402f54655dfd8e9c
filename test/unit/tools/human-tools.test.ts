import assert from 'node:assert/strict';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { LIMIT, textOf, until } from '../tool-call/rig.ts';

describe('ask_human and read_result', () => {
  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('asks with choices and gives the answer, whatever it is', async () => {
    workspace.said.push('something else');
    const outcome = await workspace.call('ask_human', {
      question: 'Which one?',
      choices: ['a', 'b'],
    });
    assert.equal(textOf(outcome), 'something else');
    assert.deepEqual(outcome.result.display, {
      kind: 'answer',
      answers: [{ question: 'Which one?', choices: ['a', 'b'], answer: 'something else' }],
    });
    const [question] = workspace.human;
    assert.deepEqual(
      [question?.question, question?.choices, question?.sessionId],
      ['Which one?', ['a', 'b'], workspace.rig.session],
    );
    const waiting = workspace.rig.events.filter(({ type }) => type.startsWith('agent_run.'));
    assert.deepEqual(waiting, [
      { type: 'agent_run.waiting', for: 'question', questionId: question?.id },
      { type: 'agent_run.answered', questionId: question?.id },
    ]);
  });

  it('asks several questions at once, each answered for itself, and tells which answer is whose', async () => {
    workspace.said.push('a\nb', 'tomorrow');
    const outcome = await workspace.call('ask_human', {
      question: 'Which ones?',
      choices: ['a', 'b', 'c'],
      several: true,
      more: [{ question: 'When?' }],
    });
    assert.equal(textOf(outcome), 'Which ones?\n→ a\nb\n\nWhen?\n→ tomorrow');
    assert.deepEqual(
      workspace.human.map(({ question, several }) => [question, several]),
      [
        ['Which ones?', true],
        ['When?', false],
      ],
    );
    assert.equal(new Set(workspace.human.map(({ id }) => id)).size, 2);
  });

  it('C5: has no time limit', async () => {
    const asking = workspace.call('ask_human', { question: 'When?' });
    await until(() => workspace.human.length === 1);
    await workspace.rig.clock.advance(40 * 86_400_000);
    workspace.rig.abort.abort('canceled');
    const outcome = await asking;
    assert.equal(outcome.result.state, 'canceled');
    assert.equal(outcome.result.elapsedMs, 0);
    assert.equal(
      workspace.rig.eventTypes().filter((type) => type === 'agent_run.answered').length,
      1,
    );
  });

  it('says that an answer was empty', async () => {
    workspace.said.push('  ');
    assert.equal(
      await workspace.text('ask_human', { question: 'Well?' }),
      '[The person gave an empty answer.]',
    );
  });

  it('security 7: shows what is invisible in a question', async () => {
    workspace.said.push('ok');
    await workspace.call('ask_human', { question: 'Delete\u202e it?', choices: ['y\u200bes'] });
    assert.deepEqual(
      [workspace.human[0]?.question, workspace.human[0]?.choices],
      ['Delete<U+202E> it?', ['y<U+200B>es']],
    );
  });

  it('E3: pages through a kept result, and says where the next page begins and where it ends', async () => {
    const text = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n');
    await workspace.rig.store.blobs.putResult(workspace.rig.session, 'kept', text);
    assert.match(
      await workspace.text('read_result', { result_id: 'kept', offset: 10, length: 20 }),
      new RegExp(`^\\[Characters 10 to 30 of ${text.length} of kept\\]\\n`, 'u'),
    );
    const last = await workspace.text('read_result', {
      result_id: 'kept',
      offset: text.length - 8,
    });
    assert.match(last, /\nline 399\n\[This is the end of the result\.\]$/u);
    assert.match(
      await workspace.failure('read_result', { result_id: 'kept', offset: 1e6 }),
      /there is nothing at offset 1000000/u,
    );
  });

  it('E3: a page is never itself too long', async () => {
    workspace.settings.set('advanced.maxToolResultChars', LIMIT);
    await workspace.rig.store.blobs.putResult(workspace.rig.session, 'kept', 'x'.repeat(10_000));
    const outcome = await workspace.call('read_result', { result_id: 'kept', length: 9000 });
    assert.equal(outcome.result.cut, undefined);
    assert.ok(textOf(outcome).length <= LIMIT);
  });

  it('A13: gives no result of another session', async () => {
    await workspace.rig.store.blobs.putResult(workspace.rig.session, 'kept', 'secret');
    const outcome = await workspace.call(
      'read_result',
      { result_id: 'kept', session_id: workspace.rig.session },
      { sessionId: 'another' },
    );
    assert.match(textOf(outcome), /There is no result "kept" in this session/u);
  });
});
