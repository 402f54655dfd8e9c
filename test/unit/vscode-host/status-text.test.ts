import assert from 'node:assert/strict';
import { badgeOf } from '../../../src/window/approvals/badge.ts';
import { costText, statusText } from '../../../src/window/status-text.ts';

describe('the status bar', () => {
  it('D9: what waits for the person comes before what runs', () => {
    const status = statusText({ running: 2, pending: 1, changes: 0, cutOff: 0 });
    assert.equal(status.text, '$(bell-dot) Belay: 1 waiting');
    assert.equal(status.warning, true);
    assert.equal(status.tooltip, 'Belay\n1 thing waits for you\n2 sessions are running');
  });

  it('D12: shows that it works, and what the session has cost', () => {
    const session = { title: 'Fix the tests', cost: 0.1234, costUnknown: false };
    assert.equal(
      statusText({ running: 1, pending: 0, changes: 0, cutOff: 0, session }).text,
      '$(loading~spin) Belay working $0.123',
    );
    assert.equal(
      statusText({ running: 0, pending: 0, changes: 0, cutOff: 0, session }).text,
      'Belay $0.123',
    );
    assert.equal(statusText({ running: 0, pending: 0, changes: 0, cutOff: 0 }).text, 'Belay');
  });

  it('counts the changes to review, beside what runs and below what waits', () => {
    const idle = statusText({ running: 0, pending: 0, changes: 3, cutOff: 0 });
    assert.equal(idle.text, '$(diff) Belay: 3 changes to review');
    assert.equal(idle.label, 'Belay: 3 changes to review');
    assert.equal(idle.warning, false);
    const running = statusText({ running: 1, pending: 0, changes: 1, cutOff: 0 });
    assert.equal(running.text, '$(loading~spin) Belay working, 1 change to review');
    const waiting = statusText({ running: 0, pending: 1, changes: 2, cutOff: 0 });
    assert.equal(waiting.text, '$(bell-dot) Belay: 1 waiting');
    assert.equal(waiting.tooltip, 'Belay\n1 thing waits for you\n2 changes to review');
  });

  it('C8: a session that was cut off is told before what is to be reviewed, and beside what waits or runs', () => {
    const cutOff = statusText({ running: 0, pending: 0, changes: 3, cutOff: 1 });
    assert.equal(cutOff.text, '$(debug-continue) Belay: 1 cut off');
    assert.equal(cutOff.warning, true);
    assert.equal(cutOff.tooltip, 'Belay\n1 session was cut off and can go on\n3 changes to review');
    const busy = statusText({ running: 1, pending: 0, changes: 0, cutOff: 2 });
    assert.equal(busy.text, '$(loading~spin) Belay working');
    assert.match(busy.tooltip, /2 sessions were cut off and can go on/u);
  });

  it('the badge counts one thing, as the status bar does: answers that wait, else changes to review', () => {
    assert.deepEqual(badgeOf(0, 0), { value: 0, tooltip: '' });
    assert.deepEqual(badgeOf(0, 1), { value: 1, tooltip: '1 change to review' });
    assert.deepEqual(badgeOf(2, 3), {
      value: 2,
      tooltip: '2 things wait for you\n3 changes to review',
    });
  });

  it('A8: an unknown part of the cost is not called zero', () => {
    assert.equal(costText(0.2, true), '≥ $0.20');
    assert.equal(costText(0, true), '');
    assert.equal(costText(0.004, false), '<$0.01');
    assert.equal(costText(12.345, false), '$12.35');
  });
});
