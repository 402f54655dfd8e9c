import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { BelayError } from '../../../src/domain/failure.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import { fill } from '../../support/center/center-scenes.ts';
import { openCenter } from './center-mirror.ts';

describe('the Control Center in the host', () => {
  const push: PermissionRule = { effect: 'deny', command: 'git push' };

  it('answers requests, and refuses with a sentence what fails', async () => {
    const { request, stage } = openCenter(fill);
    const { rows } = await request('readServers', {});
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['files', 'github', 'hub', 'project-db', 'slow'],
    );
    await request('serverAction', { server: 'files', action: 'stop' });
    assert.deepEqual(stage.calls, ['stop files']);
    stage.failure = new BelayError({ code: 'config', message: 'It stays off.' });
    await assert.rejects(
      request('switchTools', { tools: ['a'], on: true }),
      /^Error: It stays off/u,
    );
  });

  it('security 8: does nothing for a message that is not of its protocol', async () => {
    const { request, send, stage, posted } = openCenter(fill);
    for (const raw of [
      null,
      'ready',
      { type: 'go' },
      { type: 'ready', more: 1 },
      { type: 'request' },
    ])
      send(raw);
    assert.deepEqual(posted, []);
    assert.equal(stage.logged.length, 5);
    for (const [name, params] of [
      ['serverAction', { server: 'files', action: 'delete' }],
      ['serverAction', { server: 'files', action: 'stop', force: true }],
      ['switchTools', { tools: [], on: true }],
      ['approveTool', { tool: 'x', effect: 'always' }],
      ['addRule', { rule: { effect: 'allow', tool: '*', extra: 1 } }],
      ['testRules', { tool: 'run_command', argument: 'x'.repeat(10_001) }],
      ['send', { sessionId: null, text: 'do it', attachments: [], how: 'queue' }],
      ['toString', {}],
      ['__proto__', {}],
    ] as const)
      await assert.rejects(request(name as never, params as never), /does not understand/u, name);
    assert.deepEqual(stage.calls, []);
  });

  it('says once what is stale, however often it changed, and nothing to a page that is gone', async () => {
    const { clock, stage, send, posted, show, attached } = openCenter(fill);
    stage.changed('mcp');
    await clock.advance(200);
    assert.deepEqual(posted, [], 'a page that is not there yet reads everything itself');
    send({ type: 'ready' });
    for (let turn = 0; turn < 50; turn += 1) stage.changed('mcp', 'tools');
    stage.changed('rules');
    assert.deepEqual(posted, []);
    await clock.advance(200);
    assert.deepEqual(posted, [{ type: 'stale', sections: ['mcp', 'tools', 'rules'] }]);
    show(false);
    stage.changed('mcp');
    await clock.advance(200);
    assert.equal(posted.length, 1);
    show(true);
    send({ type: 'ready' });
    stage.changed('models');
    attached.dispose();
    await clock.advance(200);
    assert.equal(posted.length, 1);
  });

  it('keeps the place to go to until the page is there, and says it once', async () => {
    const { stage, send, posted, show } = openCenter(fill);
    stage.host.go({ section: 'rules' });
    stage.host.go({ section: 'mcp', item: 'files' });
    assert.deepEqual(posted, []);
    send({ type: 'ready' });
    send({ type: 'ready' });
    await setImmediate();
    assert.deepEqual(posted, [{ type: 'go', place: { section: 'mcp', item: 'files' } }]);
    show(false);
    stage.host.go({ section: 'tools' });
    assert.equal(posted.length, 1);
    send({ type: 'ready' });
    assert.equal(posted.length, 2);
  });

  it('lists, adds, switches off and removes rules', async () => {
    const { request, stage } = openCenter();
    await request('addRule', { rule: push });
    assert.deepEqual(stage.rules, [push]);
    await request('switchRule', { rule: push, off: true });
    const { rows, mayChange, tools } = await request('readRules', {});
    assert.deepEqual(
      rows.map(({ text, source, idle }) => [text, source, idle]),
      [['Deny the command git push', 'your settings', true]],
    );
    assert.deepEqual([mayChange, tools], [true, ['run_command']]);
    await request('removeRule', { rule: push });
    assert.deepEqual(stage.rules, []);
  });

  it('says what would happen, with the rule, and runs nothing', async () => {
    const { request, stage } = openCenter();
    const test = async (argument: string) =>
      request('testRules', { tool: 'run_command', argument });
    assert.equal((await test('git push')).verdict, 'ask');
    stage.rules = [push];
    const answer = await test('git push --force');
    assert.equal(answer.verdict, 'refuse');
    assert.equal(answer.rule, 'Deny the command git push (your settings)');
    assert.equal((await test('{"command":"git pull"}')).verdict, 'ask');
    const unknown = await request('testRules', { tool: 'nothing', argument: 'x' });
    assert.match(unknown.reason, /no tool nothing/u);
  });

  it('security 8: a rule that is none, and a change below the level owner, change nothing', async () => {
    const { request, stage } = openCenter();
    await assert.rejects(request('addRule', { rule: { effect: 'allow' } }), /needs tool/u);
    stage.trusted = false;
    await assert.rejects(request('addRule', { rule: push }), /level owner/u);
    assert.deepEqual(stage.rules, []);
  });
});
