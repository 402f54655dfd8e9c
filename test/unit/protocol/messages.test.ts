import assert from 'node:assert/strict';
import { checkPanelMessage } from '../../../src/protocol/envelope.ts';
import { isHostMessage } from '../../../src/protocol/host-message.ts';
import { MESSAGE_LIMIT } from '../../../src/protocol/limits.ts';
import { checkRequest, requestSchemas, type RequestName } from '../../../src/protocol/requests.ts';

const request = (name: string, params: unknown = {}) => ({ type: 'request', id: 1, name, params });

/** As the panel's host checks: the message, and if it is a request then that. */
function isRefused(raw: unknown): boolean {
  const checked = checkPanelMessage(raw);
  if ('problem' in checked) return true;
  const { message } = checked;
  return message.type === 'request' && 'problem' in checkRequest(message.name, message.params);
}

function accepts(name: RequestName, params: unknown): boolean {
  return 'params' in checkRequest(name, params);
}

describe('messages from the panel', () => {
  it('security 8: refuses everything that is not a message of the panel', () => {
    const foreign: unknown[] = [
      undefined,
      null,
      'ready',
      42,
      [],
      {},
      { type: 'constructor' },
      { type: 'ready', more: true },
      { type: 'ack' },
      { type: 'ack', seq: 1.5 },
      { type: 'ack', seq: '1' },
      request('toString'),
      request('__proto__'),
      request('sendAll'),
      { type: 'request', name: 'stop', params: {} },
      { type: 'request', id: 1, name: 7, params: {} },
      { ...request('newSession'), more: true },
    ];
    for (const raw of foreign) assert.ok(isRefused(raw), JSON.stringify(raw));
  });

  it('takes its own', () => {
    for (const raw of [{ type: 'ready' }, { type: 'ack', seq: 3 }, request('newSession')]) {
      assert.deepEqual(checkPanelMessage(raw), { message: raw });
    }
  });

  it('names the parameter that is wrong', () => {
    const checked = checkRequest('openFile', { path: 'a.ts', line: 'x' });
    assert.ok('problem' in checked);
    assert.match(checked.problem, /^line: /u);
  });

  it('refuses parameters that a request does not have', () => {
    const extra = (Object.keys(requestSchemas) as RequestName[]).filter((name) =>
      accepts(name, { forged: true }),
    );
    assert.deepEqual(extra, []);
    assert.ok(accepts('newSession', {}));
    assert.ok(!accepts('newSession', { sessionId: 'a' }));
  });

  it('security 6, 10: opens web addresses only', () => {
    assert.ok(accepts('openExternal', { url: 'https://example.com/a?b=c' }));
    for (const url of [
      'javascript:alert(1)',
      'command:belay.stop',
      'file:///etc/passwd',
      'data:text/html,x',
      ' https://a',
      'vscode://x',
    ]) {
      assert.ok(!accepts('openExternal', { url }), url);
    }
  });

  it('bounds what is sent', () => {
    const message = { sessionId: null, attachments: [], how: 'queue' };
    assert.ok(accepts('send', { ...message, text: 'x'.repeat(MESSAGE_LIMIT) }));
    assert.ok(!accepts('send', { ...message, text: 'x'.repeat(MESSAGE_LIMIT + 1) }));
    assert.ok(!accepts('send', { ...message, text: 'x', how: 'now' }));
    const attachment = { id: 'a', name: 'a.png', mediaType: 'image/png', size: 3 };
    assert.ok(accepts('send', { ...message, text: '', attachments: [attachment] }));
    assert.ok(
      !accepts('send', { ...message, text: '', attachments: [{ ...attachment, size: -1 }] }),
    );
    assert.ok(
      !accepts('send', {
        ...message,
        text: '',
        attachments: Array.from({ length: 21 }, () => attachment),
      }),
    );
  });

  it('security 8: an approval carries the hash of what was shown', () => {
    assert.ok(accepts('answerApproval', { questionId: 'q', hash: 'h', allowed: true }));
    assert.ok(!accepts('answerApproval', { questionId: 'q', allowed: true }));
    assert.ok(!accepts('answerApproval', { questionId: 'q', hash: 'h', allowed: 'yes' }));
  });
});

describe('messages to the panel', () => {
  it('ignores what other scripts post to the window', () => {
    for (const raw of [
      null,
      'x',
      {},
      { type: 'x' },
      { type: 'snapshot' },
      { type: 'changes', seq: '1' },
    ]) {
      assert.equal(isHostMessage(raw), false, JSON.stringify(raw));
    }
    assert.ok(isHostMessage({ type: 'changes', seq: 1, now: 0, changes: [] }));
    assert.ok(isHostMessage({ type: 'reply', id: 1, value: null }));
  });
});
