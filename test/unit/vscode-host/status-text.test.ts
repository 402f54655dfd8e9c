import assert from 'node:assert/strict';
import { costText, statusText } from '../../../src/hosts/vscode/status-bar/status-text.ts';

describe('the status bar', () => {
  it('D9: what waits for the person comes before what runs', () => {
    const status = statusText({ running: 2, pending: 1 });
    assert.equal(status.text, '$(bell-dot) Belay: 1 waiting');
    assert.equal(status.warning, true);
    assert.equal(status.tooltip, 'Belay\n1 thing waits for you\n2 sessions are running');
  });

  it('D12: shows that it works, and what the session has cost', () => {
    const session = { title: 'Fix the tests', cost: 0.1234, costUnknown: false };
    assert.equal(
      statusText({ running: 1, pending: 0, session }).text,
      '$(loading~spin) Belay working $0.123',
    );
    assert.equal(statusText({ running: 0, pending: 0, session }).text, 'Belay $0.123');
    assert.equal(statusText({ running: 0, pending: 0 }).text, 'Belay');
  });

  it('A8: an unknown part of the cost is not called zero', () => {
    assert.equal(costText(0.2, true), '≥ $0.20');
    assert.equal(costText(0, true), '');
    assert.equal(costText(0.004, false), '<$0.01');
    assert.equal(costText(12.345, false), '$12.35');
  });
});
