import assert from 'node:assert/strict';
import { delegatedRights, delegatedTools } from '../../../src/core/permissions/delegation.ts';
import { judgeLink } from '../../../src/core/permissions/network/link-guard.ts';
import { realTarget } from '../../../src/domain/text/shown-link.ts';

describe('links of answers', () => {
  it('rule 6: an honest link is opened as it is', () => {
    for (const [url, shown] of [
      ['https://code.visualstudio.com/docs', 'the docs'],
      ['https://github.com/a/b/blob/main/README.md', 'README.md'],
      ['https://docs.github.com/en', 'github.com'],
      ['https://www.python.org/', 'https://python.org'],
      ['https://example.com/', 'https://example.com/'],
      ['https://example.com/a?page=2', 'Node.js'],
      ['https://8.8.8.8/', 'here'],
    ] as const)
      assert.equal(judgeLink(url, shown).verdict, 'open', `${shown} → ${url}`);
  });

  it('rule 6: one that is not what it seems, or carries something along, is asked about with its real host', () => {
    for (const [url, shown] of [
      ['https://evil.example/login', 'https://github.com/login'],
      ['https://evil.example/', 'github.com'],
      ['https://github.com.evil.example/', 'https://github.com'],
      ['https://evil.example/', 'ｇｉｔｈｕｂ.com'],
      ['https://evil.example/', 'https://git\u200bhub.com'],
      ['https://xn--gthub-n4a.com/', 'the page'],
      ['https://gіthub.com/', 'the page'],
      ['http://docs.example.org/', 'docs'],
      ['http://127.0.0.1:8080/', 'here'],
      ['https://evil.example:8443/', 'here'],
      [`https://evil.example/?d=${'secret'.repeat(10)}`, 'here'],
    ] as const) {
      const judged = judgeLink(url, shown);
      assert.equal(judged.verdict, 'ask', `${shown} → ${url}`);
      assert.ok(judged.verdict === 'ask' && new URL(url).host === judged.host);
    }
  });

  it('rule 6: nothing but web addresses is opened', () => {
    for (const url of [
      'command:workbench.action.quit',
      'vscode://x/y',
      'file:///etc/passwd',
      'data:text/html,x',
      'https://user@evil.example/',
      'http://169.254.169.254/',
    ])
      assert.equal(judgeLink(url, url).verdict, 'refuse', url);
  });

  it('names the real host where the text names another', () => {
    assert.equal(realTarget('https://github.com', 'https://evil.example/x'), 'evil.example');
    assert.equal(realTarget('read more', 'https://evil.example/x'), undefined);
    assert.equal(realTarget('main.rs', 'https://github.com/x/main.rs'), undefined);
  });
});

describe('rights of a delegated session', () => {
  const parent = { mode: 'ask', level: 'user', roots: ['/w'], depth: 2 } as const;

  it('B13: are never more than those of the session that started it', () => {
    const rights = delegatedRights(parent, {
      mode: 'auto',
      level: 'owner',
      roots: ['/', '/w/src', '/w-evil', '/w'],
      depth: 9,
    });
    assert.deepEqual(rights, { mode: 'ask', level: 'user', roots: ['/w/src', '/w'], depth: 1 });
  });

  it('B13: may be less', () => {
    const rights = delegatedRights(
      { ...parent, tools: ['a', 'b'] },
      { mode: 'read', tools: ['b', 'c'] },
    );
    assert.deepEqual(rights, {
      mode: 'read',
      level: 'user',
      roots: ['/w'],
      depth: 1,
      tools: ['b'],
    });
    assert.equal(delegatedRights(rights, { depth: 5 }).depth, 0);
    assert.deepEqual(delegatedRights(parent, { tools: ['a'] }).tools, ['a']);
    assert.deepEqual(delegatedRights(rights, {}).tools, ['b']);
  });

  it('B13: are those of the session that started it, where a mode or a level is none that there is', () => {
    const rights = delegatedRights(parent, { mode: 'all' as 'auto', level: 'root' as 'owner' });
    assert.deepEqual([rights.mode, rights.level], ['ask', 'user']);
  });

  it('B13: a session that reads is offered nothing that changes something', () => {
    const tools = [
      { name: 'a', level: 'guest', permission: 'none' },
      { name: 'b', level: 'user', permission: 'execute' },
      { name: 'c', level: 'owner', permission: 'none' },
    ] as const;
    const names = (mode: 'read' | 'ask') =>
      delegatedTools(tools, { ...parent, mode }).map(({ name }) => name);
    assert.deepEqual(names('read'), ['a']);
    assert.deepEqual(names('ask'), ['a', 'b']);
  });
});
