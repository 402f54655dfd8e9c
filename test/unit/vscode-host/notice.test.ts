import assert from 'node:assert/strict';
import type { ApprovalQuestion } from '../../../src/core/ports.ts';
import type { Pending } from '../../../src/hosts/vscode/human/desk.ts';
import { noticeOf } from '../../../src/hosts/vscode/human/notice.ts';

const approval = (detail: string, edit?: ApprovalQuestion['edit']): Pending => ({
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
    ...(edit === undefined ? {} : { edit }),
  },
});

describe('a notification about something that waits (D9)', () => {
  it('offers Allow only where the whole of what will happen is in its text', () => {
    const short = noticeOf(approval('npm test'), 'Fix the tests');
    assert.equal(short.text, 'Belay waits for your yes (Fix the tests): Run a command: npm test');
    assert.equal(short.mayAllow, true);
    const long = noticeOf(approval(`echo ${'x'.repeat(400)} ; rm -rf /`), undefined);
    assert.equal(long.mayAllow, false);
    assert.equal(long.text.includes('rm -rf'), false);
    const hidden = noticeOf(approval('echo hello\nrm -rf /'), undefined);
    assert.equal(hidden.mayAllow, false);
    assert.match(hidden.text, /echo hello ⏎ rm -rf/);
  });

  it('never accepts an edit that was not seen', () => {
    const edit = { path: '/w/a.ts', before: '', after: 'x', creates: true };
    const notice = noticeOf(approval('', edit), undefined);
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
