import assert from 'node:assert/strict';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import { planIn, planMessage } from '../../../src/domain/session/plan.ts';
import { open } from './open-panel.ts';

describe('rules and plans in the panel', () => {
  it('takes back rules that were just kept', async () => {
    const push: PermissionRule = { effect: 'deny', command: 'git push' };
    const { mirror, stage } = await open((made) => {
      made.rules = [push];
    });
    await mirror.request('removeRules', { sessionId: null, rules: [push] });
    assert.deepEqual(stage.rules, []);
  });

  it('an accepted plan is sent in the chosen mode', async () => {
    const { mirror, stage } = await open((one) => {
      one.addSession({ id: 's' });
      one.store('s', 'user', [{ type: 'text', text: 'Plan it.' }], { origin: 'person' });
      one.store('s', 'assistant', [{ type: 'text', text: 'Looked.\n\n# Plan\n1. Do it.' }]);
    });
    const messageId = stage.messages.get('s')?.[1]?.id ?? '';
    await mirror.request('acceptPlan', { sessionId: 's', messageId, mode: 'edit' });
    const calls = stage.calls.join('\n');
    assert.match(calls, /setOptions.*edit/u);
    assert.ok(calls.includes('# Plan'), calls);
    await assert.rejects(
      mirror.request('acceptPlan', { sessionId: 's', messageId: 'other', mode: 'edit' }),
      /not the newest/u,
    );
    const request = stage.messages.get('s')?.[0]?.id ?? '';
    await assert.rejects(
      mirror.request('acceptPlan', { sessionId: 's', messageId: request, mode: 'edit' }),
      /not the newest/u,
    );
  });

  it('a plan is what follows the heading', () => {
    assert.equal(planIn('I looked.\n# Plan\n1. a'), '# Plan\n1. a');
    assert.equal(planIn('## Plan: parser\n1. a\n'), '## Plan: parser\n1. a');
    for (const none of ['', 'Which one?', '# Plan', '# Planning is hard\nx', 'My # Plan\nx'])
      assert.equal(planIn(none), undefined, none);
    assert.ok(planMessage('# Plan\n1. a').endsWith('# Plan\n1. a'));
  });
});
