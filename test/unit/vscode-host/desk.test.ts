import assert from 'node:assert/strict';
import type { ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import type { HumanQuestion } from '../../../src/core/ports/person/human.ts';
import type { DeskChange } from '../../../src/window/approvals/approval-queue.ts';
import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';

const approval = (id: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  id,
  sessionId: 's1',
  runId: 'r1',
  callId: `call-${id}`,
  tool: 'run_command',
  title: 'Run a command',
  detail: 'npm test',
  hash: `hash-${id}`,
  ...more,
});

const question = (id: string): HumanQuestion => ({
  id,
  sessionId: 's1',
  runId: 'r1',
  callId: `call-${id}`,
  question: 'Which one?',
  choices: [],
});

const edit = { path: '/w/a.ts', name: 'a.ts', before: 'old', after: 'new', creates: false };
const never = new AbortController().signal;

describe('Desk', () => {
  it('gives a yes to the run that asked, by id', async () => {
    const desk = new ApprovalQueue();
    const first = desk.approve(approval('q1'), never);
    const second = desk.approve(approval('q2'), never);
    assert.deepEqual(
      desk.approvals().map((one) => one.id),
      ['q1', 'q2'],
    );
    desk.answerApproval({ questionId: 'q2', hash: 'hash-q2', allowed: false, reason: 'too slow' });
    assert.deepEqual(await second, {
      questionId: 'q2',
      hash: 'hash-q2',
      allowed: false,
      reason: 'too slow',
    });
    assert.deepEqual(
      desk.approvals().map((one) => one.id),
      ['q1'],
    );
    desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: true });
    assert.equal((await first).allowed, true);
  });

  it('takes no answer for something else than what was shown, and goes on waiting', async () => {
    const desk = new ApprovalQueue();
    const answer = desk.approve(approval('q1'), never);
    assert.throws(() => desk.answerApproval({ questionId: 'q1', hash: 'other', allowed: true }), {
      code: 'invalid',
    });
    assert.equal(desk.pending().length, 1);
    desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: false });
    assert.equal((await answer).allowed, false);
  });

  it('says not_found for what was answered from another place', async () => {
    const desk = new ApprovalQueue();
    const answer = desk.approve(approval('q1'), never);
    desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: true });
    await answer;
    assert.throws(
      () => desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: false }),
      {
        code: 'not_found',
      },
    );
    assert.throws(() => desk.answerQuestion('q9', 'x'), { code: 'not_found' });
  });

  it('D4: withdraws what a stopped run asked, as an AbortError', async () => {
    const desk = new ApprovalQueue();
    const changes: DeskChange['kind'][] = [];
    desk.onChange((change) => changes.push(change.kind));
    const stop = new AbortController();
    const answer = desk.approve(approval('q1'), stop.signal);
    stop.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    assert.deepEqual(desk.pending(), []);
    assert.deepEqual(changes, ['asked', 'withdrawn']);
    await assert.rejects(desk.approve(approval('q2'), stop.signal), { name: 'AbortError' });
    assert.deepEqual(desk.pending(), []);
  });

  it('answers a question of the model with text, and not with a yes', async () => {
    const desk = new ApprovalQueue();
    const answer = desk.ask(question('q1'), never);
    assert.equal(desk.questions()[0]?.question, 'Which one?');
    assert.throws(() => desk.answerApproval({ questionId: 'q1', hash: '', allowed: true }), {
      code: 'invalid',
    });
    desk.answerQuestion('q1', 'The first.');
    assert.equal(await answer, 'The first.');
  });

  it('takes the answer to a server only with the hash of what was shown', async () => {
    const desk = new ApprovalQueue();
    const shown = { server: 'srv', message: '', warnings: [], hash: 'h1' };
    const request = { kind: 'form', fields: [], ...shown } as const;
    const answer = desk.ask({ ...question('q1'), request }, never);
    assert.throws(() => desk.answerQuestion('q1', 'yes', 'h2'), { code: 'invalid' });
    assert.throws(() => desk.answerQuestion('q1', 'yes'), { code: 'invalid' });
    desk.answerQuestion('q1', '{"action":"decline"}', 'h1');
    assert.equal(await answer, '{"action":"decline"}');
  });

  it('passes on what the user changed in the diff when they allow it, not when they deny it', async () => {
    const desk = new ApprovalQueue();
    const mine = new Map([['/ws/a.ts', 'mine']]);
    desk.readEditsFrom((id) => (id === 'q1' ? mine : new Map()));
    const accepted = desk.approve(approval('q1', { edits: [edit] }), never);
    desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: true });
    assert.deepEqual((await accepted).edited, mine);
    const untouched = desk.approve(approval('q2', { edits: [edit] }), never);
    desk.answerApproval({ questionId: 'q2', hash: 'hash-q2', allowed: true });
    assert.equal('edited' in (await untouched), false);
    const rejected = desk.approve(approval('q1', { edits: [edit] }), never);
    desk.answerApproval({ questionId: 'q1', hash: 'hash-q1', allowed: false });
    assert.equal('edited' in (await rejected), false);
  });

  it('D9: tells every listener, also when one of them fails', () => {
    const problems: unknown[] = [];
    const desk = new ApprovalQueue((error) => problems.push(error));
    let told = 0;
    desk.onChange(() => {
      throw new Error('broken');
    });
    desk.onChange(() => {
      told += 1;
    });
    void desk.approve(approval('q1'), never);
    assert.equal(told, 1);
    assert.equal(problems.length, 1);
  });
});
