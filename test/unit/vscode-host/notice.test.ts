import assert from 'node:assert/strict';
import type { ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import type { Pending } from '../../../src/window/approvals/approval-queue.ts';
import { noticeOf } from '../../../src/window/approvals/notice.ts';

const approval = (detail: string, edits?: ApprovalQuestion['edits']): Pending => ({
  kind: 'approval',
  question: {
    id: 'q',
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    tool: 't',
    title: 'Run a command',
    detail,
    hash: 'h',
    ...(edits === undefined ? {} : { edits }),
  },
});

describe('a notification about something that waits (D9)', () => {
  it('offers Allow only where the whole of what will happen is in its text', () => {
    const short = noticeOf(approval('npm test'), 'Fix the tests');
    assert.equal(
      short.text,
      'Belay waits for your approval (Fix the tests): Run a command: npm test',
    );
    assert.equal(short.mayAllow, true);
    const long = noticeOf(approval(`echo ${'x'.repeat(400)} ; rm -rf /`), undefined);
    assert.equal(long.mayAllow, false);
    assert.equal(long.text.includes('rm -rf'), false);
    const lines = noticeOf(approval('echo hello\n\nrm -rf /'), undefined);
    assert.match(lines.text, /echo hello ⏎ rm -rf \/$/);
    assert.equal(lines.mayAllow, true);
    const hidden = noticeOf(approval(`echo hello${'\n'.repeat(5)}${'y'.repeat(160)}`), undefined);
    assert.equal(hidden.mayAllow, false);
  });

  it('never allows an edit that was not seen', () => {
    const edit = { path: '/w/a.ts', name: 'a.ts', before: '', after: 'x', creates: true };
    const notice = noticeOf(approval('', [edit]), undefined);
    assert.deepEqual([notice.mayAllow, notice.mayDeny], [false, true]);
  });

  it('shows a question of the model without buttons that answer it', () => {
    const notice = noticeOf(
      {
        kind: 'question',
        question: {
          id: 'q',
          sessionId: 's',
          runId: 'r',
          callId: 'c',
          question: 'Which?',
          choices: [],
        },
      },
      '',
    );
    assert.deepEqual(notice, { text: 'Belay asks: Which?', mayAllow: false, mayDeny: false });
  });
});
