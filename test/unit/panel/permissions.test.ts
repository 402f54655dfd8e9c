import assert from 'node:assert/strict';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import { planIn, planMessage } from '../../../src/domain/plan.ts';
import { open } from './open-panel.ts';

describe('rules and plans in the panel', () => {
  const push: PermissionRule = { effect: 'deny', command: 'git push' };

  it('lists, adds, switches off and removes rules', async () => {
    const { mirror, stage } = await open();
    await mirror.request('addRule', { rule: push });
    assert.deepEqual(stage.rules, [push]);
    await mirror.request('switchRule', { rule: push, off: true });
    const { rows, mayChange, tools } = await mirror.request('listRules', { sessionId: null });
    assert.deepEqual(
      rows.map(({ text, source, idle }) => [text, source, idle]),
      [['Deny the command git push', 'your settings', true]],
    );
    assert.deepEqual([mayChange, tools], [true, ['run_command']]);
    await mirror.request('removeRules', { sessionId: null, rules: [push] });
    assert.deepEqual(stage.rules, []);
  });

  it('says what would happen, with the rule, and runs nothing', async () => {
    const { mirror, stage } = await open();
    const test = async (argument: string) =>
      mirror.request('testRules', { sessionId: null, tool: 'run_command', argument });
    assert.equal((await test('git push')).verdict, 'ask');
    stage.rules = [push];
    const answer = await test('git push --force');
    assert.equal(answer.verdict, 'refuse');
    assert.equal(answer.rule, 'Deny the command git push (your settings)');
    assert.equal((await test('{"command":"git pull"}')).verdict, 'ask');
    const unknown = await mirror.request('testRules', {
      sessionId: null,
      tool: 'nothing',
      argument: 'x',
    });
    assert.match(unknown.reason, /no tool nothing/u);
  });

  it('security 8: a rule that is none, and a change below the level owner, change nothing', async () => {
    const { mirror, stage } = await open();
    await assert.rejects(mirror.request('addRule', { rule: { effect: 'allow' } }), /needs tool/u);
    await assert.rejects(
      mirror.request('addRule', { rule: { effect: 'allow', tool: '*', extra: 1 } as never }),
      /addRule/u,
    );
    stage.trusted = false;
    await assert.rejects(mirror.request('addRule', { rule: push }), /level owner/u);
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
