import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const DENY = { effect: 'deny', command: 'touch denied' };

describe('rules that cannot be read may forbid anything', function () {
  this.timeout(30_000);

  for (const [what, key, rules] of [
    ['a rule without its list', 'permissions.rules', DENY],
    ['an allowing rule without its list', 'permissions.rules', { effect: 'allow', tool: '*' }],
    ['rules under a name', 'permissions.rules', { deny: ['touch denied'] }],
    ['a text', 'permissions.rules', 'deny touch denied'],
    ['a list with an entry of another form', 'permissions.rules', [{ deny: 'touch denied' }]],
    ['a pattern that is not closed', 'permissions.rules', [{ effect: 'deny', path: 'den[ied' }]],
    ['the workspace’s, without their list', 'permissions.workspaceRules', DENY],
  ] as const) {
    it(`${what}: mode Auto asks, and the question names the setting`, async () => {
      await using test = await TestEngine.open({
        script: inOrder(calls(call('run_command', { command: 'touch denied' })), say('Done.')),
        settings: { [key]: rules },
        wrongSettings: true,
        host: { unattended: false },
      });
      test.human.decide = async () => Promise.resolve({ allowed: false });
      const { end } = await test.run('Go');
      assert.equal(end?.reason, 'done', JSON.stringify(end));
      assert.equal(existsSync(path.join(test.workspace, 'denied')), false);
      assert.equal(test.human.approvals.length, 1);
      assert.match(
        test.human.approvals[0]?.reason ?? '',
        new RegExp(`belay\\.${key.replace('.', '\\.')}`, 'u'),
      );
    });
  }
});
