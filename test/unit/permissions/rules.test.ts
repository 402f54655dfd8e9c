import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { Decision } from '../../../src/core/permissions/decide.ts';
import {
  isCheckOnly,
  createApprovalRules,
} from '../../../src/core/permissions/rules/approval-rules.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Mode, Tool } from '../../../src/core/tool-call/tool-call.ts';
import { decide, TOOLS, user } from './rules-rig.ts';

describe('rules', () => {
  const edit = { path: '/ws/src/a.ts' };
  const table: readonly (readonly [
    what: string,
    call: readonly [Tool, JsonObject],
    rules: readonly PermissionRule[],
    verdict: Decision['verdict'],
    mode?: Mode,
  ])[] = [
    [
      'an edit that a path allows',
      [TOOLS.edit, edit],
      [{ effect: 'allow', path: 'src/**' }],
      'allow',
    ],
    [
      'for reading only',
      [TOOLS.edit, edit],
      [{ effect: 'allow', path: 'src/**', access: 'read' }],
      'ask',
    ],
    ['the folder itself', [TOOLS.edit, edit], [{ effect: 'allow', path: 'src' }], 'ask'],
    [
      'in mode read nothing allows it',
      [TOOLS.edit, edit],
      [{ effect: 'allow', path: '**' }],
      'refuse',
      'read',
    ],
    ['nor in mode plan', [TOOLS.edit, edit], [{ effect: 'allow', path: '**' }], 'refuse', 'plan'],
    [
      'through a link, by what it is',
      [TOOLS.edit, { path: '/ws/link/a.ts' }],
      [{ effect: 'allow', path: 'link/**' }],
      'ask',
    ],
    [
      'configuration is asked each time',
      [TOOLS.edit, { path: '/ws/package.json' }],
      [{ effect: 'allow', path: '**' }],
      'ask',
      'auto',
    ],
    [
      'the repository never',
      [TOOLS.edit, { path: '/ws/.git/config' }],
      [{ effect: 'allow', path: '**' }],
      'refuse',
    ],
    [
      'own records never',
      [TOOLS.edit, { path: '/own/x' }],
      [{ effect: 'allow', path: '/own/**' }],
      'refuse',
    ],
    [
      'a place elsewhere that is named',
      [TOOLS.read, { path: '/docs/a' }],
      [{ effect: 'allow', path: '/docs/**' }],
      'allow',
    ],
    [
      'a home folder',
      [TOOLS.read, { path: '/home/me/notes/a' }],
      [{ effect: 'allow', path: '~/notes/**', access: 'read' }],
      'allow',
    ],
    [
      'deny before allow',
      [TOOLS.edit, edit],
      [
        { effect: 'allow', path: 'src/**' },
        { effect: 'deny', path: 'src/a.ts' },
      ],
      'refuse',
      'edit',
    ],
    [
      'ask before allow',
      [TOOLS.edit, edit],
      [
        { effect: 'ask', path: 'src/a.ts' },
        { effect: 'allow', path: 'src/**' },
      ],
      'ask',
      'edit',
    ],
    [
      'deny before ask',
      [TOOLS.edit, edit],
      [
        { effect: 'ask', path: 'src/a.ts' },
        { effect: 'deny', tool: 'edit_*' },
      ],
      'refuse',
      'edit',
    ],
    [
      'a rule that is off',
      [TOOLS.edit, edit],
      [{ effect: 'deny', path: 'src/**', off: true }],
      'allow',
      'edit',
    ],
    [
      'reading what is denied',
      [TOOLS.read, { path: '/ws/deep/.env' }],
      [{ effect: 'deny', path: '.env' }],
      'refuse',
      'auto',
    ],
    [
      'a denied name under another',
      [TOOLS.read, { path: '/ws/link/a.ts' }],
      [{ effect: 'deny', path: 'src/a.ts' }],
      'refuse',
    ],
    ['a harmless command', [TOOLS.run, { command: 'ls' }], [], 'allow'],
    [
      'a harmless command that is denied',
      [TOOLS.run, { command: 'ls' }],
      [{ effect: 'deny', command: 'ls' }],
      'refuse',
    ],
    [
      'a command that names what is denied',
      [TOOLS.run, { command: 'ls secret/x' }],
      [{ effect: 'deny', path: 'secret/**' }],
      'refuse',
    ],
    [
      'by a way round',
      [TOOLS.run, { command: 'ls src/../secret' }],
      [{ effect: 'deny', path: 'secret' }],
      'refuse',
    ],
    [
      'in a value of a flag',
      [TOOLS.run, { command: 'ls --from=secret/x' }],
      [{ effect: 'deny', path: 'secret' }],
      'refuse',
    ],
    [
      'in what is not understood',
      [TOOLS.run, { command: 'x $(cat secret/x)' }],
      [{ effect: 'deny', path: 'secret' }],
      'refuse',
    ],
    [
      'a command that is allowed',
      [TOOLS.run, { command: 'npm test' }],
      [{ effect: 'allow', command: 'npm test' }],
      'allow',
    ],
    [
      'and something else',
      [TOOLS.run, { command: 'npm test && rm x' }],
      [{ effect: 'allow', command: 'npm test' }],
      'ask',
    ],
    [
      'and something harmless is asked, too',
      [TOOLS.run, { command: 'npm test && npm ci' }],
      [
        { effect: 'allow', command: 'npm test' },
        { effect: 'allow', command: 'npm ci' },
      ],
      'allow',
    ],
    [
      'what is not understood',
      [TOOLS.run, { command: 'npm test $X' }],
      [{ effect: 'allow', command: 'npm test *' }],
      'ask',
    ],
    [
      'denied within what is not understood',
      [TOOLS.run, { command: 'x $(git push)' }],
      [{ effect: 'deny', command: 'git push' }],
      'refuse',
    ],
    [
      'in another folder',
      [TOOLS.run, { command: 'npm test', cwd: '/ws/sub' }],
      [{ effect: 'allow', command: 'npm test', in: '/ws' }],
      'ask',
    ],
    [
      'in the folders below',
      [TOOLS.run, { command: 'npm test', cwd: '/ws/sub' }],
      [{ effect: 'allow', command: 'npm test', in: '/ws/**' }],
      'allow',
    ],
    [
      'a rule of another workspace',
      [TOOLS.run, { command: 'npm test' }],
      [{ effect: 'allow', command: 'npm test', in: '/other' }],
      'ask',
    ],
    [
      'a whole tool in mode Ask',
      [TOOLS.run, { command: 'npm ci' }],
      [{ effect: 'allow', tool: 'run_command' }],
      'ask',
    ],
    [
      'a whole tool in mode Auto',
      [TOOLS.run, { command: 'npm ci' }],
      [{ effect: 'allow', tool: 'run_command' }],
      'allow',
      'auto',
    ],
    [
      'everything in mode Auto',
      [TOOLS.run, { command: 'npm $X' }],
      [{ effect: 'allow', tool: '*' }],
      'allow',
      'auto',
    ],
    [
      'everything in mode Edit',
      [TOOLS.run, { command: 'npm $X' }],
      [{ effect: 'allow', tool: '*' }],
      'ask',
      'edit',
    ],
    [
      'a tool that has nothing narrower',
      [TOOLS.task, {}],
      [{ effect: 'allow', tool: 'run_task' }],
      'allow',
    ],
    ['by letters of its name', [TOOLS.task, {}], [{ effect: 'allow', tool: 'run_*' }], 'ask'],
    [
      'a host',
      [TOOLS.fetch, { url: 'https://Docs.example.org/x' }],
      [{ effect: 'allow', host: 'docs.example.org' }],
      'allow',
    ],
    [
      'a host that begins like it',
      [TOOLS.fetch, { url: 'https://docs.example.org.evil/x' }],
      [{ effect: 'allow', host: 'docs.example.org' }],
      'ask',
    ],
    [
      'a host that ends like it',
      [TOOLS.fetch, { url: 'https://evilexample.org/' }],
      [{ effect: 'allow', host: '*.example.org' }],
      'ask',
    ],
    [
      'a name in the address’s user',
      [TOOLS.fetch, { url: 'https://docs.example.org@evil.test/' }],
      [{ effect: 'allow', host: 'docs.example.org' }],
      'ask',
    ],
    [
      'a host that is denied, with its dot',
      [TOOLS.fetch, { url: 'https://evil.test./' }],
      [
        { effect: 'deny', host: 'evil.test' },
        { effect: 'allow', tool: '*' },
      ],
      'refuse',
      'auto',
    ],
    [
      'a denied host in a command',
      [TOOLS.run, { command: 'ls http://evil.test/x' }],
      [{ effect: 'deny', host: '*.evil.test' }],
      'refuse',
    ],
    ['a server', [TOOLS.mcp, {}], [{ effect: 'allow', server: 'hub' }], 'allow'],
    [
      'its tool',
      [TOOLS.mcp, {}],
      [{ effect: 'allow', server: 'hub', serverTool: 'make' }],
      'allow',
    ],
    [
      'another tool of it',
      [TOOLS.mcp, {}],
      [{ effect: 'allow', server: 'hub', serverTool: 'take' }],
      'ask',
    ],
    [
      'security 5: its tool as it was',
      [TOOLS.mcp, {}],
      [{ effect: 'allow', server: 'hub', serverTool: 'make', hash: 'h1' }],
      'allow',
    ],
    [
      'security 5: its tool, changed since',
      [TOOLS.mcp, {}],
      [{ effect: 'allow', server: 'hub', serverTool: 'make', hash: 'h0' }],
      'ask',
    ],
    [
      'a denied server, in other letters',
      [TOOLS.mcp, {}],
      [{ effect: 'deny', server: 'HUB' }],
      'refuse',
    ],
  ];
  for (const [what, [which, input], rules, verdict, mode] of table) {
    it(`${what}: ${verdict}${mode === undefined ? '' : ` in mode ${mode}`}`, async () => {
      const decision = await decide(which, input, rules, mode === undefined ? {} : { mode });
      assert.equal(decision.verdict, verdict, JSON.stringify(decision));
    });
  }

  it('a decision names the rule that made it', async () => {
    const rule: PermissionRule = { effect: 'deny', command: 'git push' };
    const decision = await decide(TOOLS.run, { command: 'git push' }, [rule]);
    assert.deepEqual(decision.rule, user(rule));
    assert.match(
      'reasons' in decision ? (decision.reasons ?? []).map(inEnglish).join(' ') : '',
      /“Deny the command git push/u,
    );
    const allow: PermissionRule = { effect: 'allow', command: 'npm ci' };
    assert.deepEqual((await decide(TOOLS.run, { command: 'npm ci' }, [allow])).rule, user(allow));
  });

  it('A5: git writes need the level admin', async () => {
    const anything: PermissionRule = { effect: 'allow', tool: '*' };
    for (const [command, verdict] of [
      ['git commit -m x', 'refuse'],
      ['env git -C . push', 'refuse'],
      ['x $(git push)', 'refuse'],
      ['git status', 'allow'],
      ['npm ci', 'allow'],
    ] as const) {
      const options = { mode: 'auto', level: 'user' } as const;
      const decision = await decide(TOOLS.run, { command }, [anything], options);
      assert.equal(decision.verdict, verdict, command);
      const admin = await decide(TOOLS.run, { command }, [anything], {
        ...options,
        level: 'admin',
      });
      assert.equal(admin.verdict, 'allow', command);
    }
  });

  it('where nobody is there, what a rule wants asked still waits for a person', async () => {
    const options = { mode: 'auto', unattended: true } as const;
    const ask: PermissionRule = { effect: 'ask', command: 'git push' };
    assert.equal((await decide(TOOLS.run, { command: 'npm ci' }, [ask], options)).verdict, 'allow');
    assert.equal((await decide(TOOLS.run, { command: 'git push' }, [ask], options)).verdict, 'ask');
  });

  it('what is asked each time, or not understood, is not offered to be kept', async () => {
    const config = await decide(TOOLS.edit, { path: '/ws/package.json' });
    assert.equal('allowable' in config, false);
    const unclear = await decide(TOOLS.run, { command: 'x $Y' });
    assert.ok(unclear.verdict === 'ask' && unclear.allowable !== undefined);
    assert.equal(createApprovalRules(unclear.allowable), undefined);
  });

  it('security 3: only the project’s own tests are asked once', async () => {
    for (const [command, once] of [
      ['npm test', true],
      ['npm run test:unit', true],
      ['cargo test', true],
      ['npm run build', true],
      ['npx tsc --noEmit', true],
      ['cargo check', true],
      ['make', true],
      ['pytest -q', true],
      ['npx eslint . --fix', false],
      ['npm run deploy', false],
      ['make install', false],
      ['npm test && rm x', false],
      ['npm install', false],
    ] as const) {
      const decision = await decide(TOOLS.run, { command });
      assert.ok(decision.verdict === 'ask' && decision.allowable !== undefined);
      assert.equal(isCheckOnly(decision.allowable), once, command);
    }
  });

  describe('A5: an exception from the sandbox', () => {
    const harmless = { command: 'ls' };
    const outside = { command: 'ls', why: 'it needs the cache' };
    const allowing: readonly PermissionRule[] = [
      { effect: 'allow', command: 'ls' },
      { effect: 'allow', tool: 'run_command' },
    ];

    it('is asked about each time with its reason, whatever the mode and the rules allow', async () => {
      for (const mode of ['ask', 'edit', 'auto'] as const) {
        const plain = await decide(TOOLS.outside, harmless, allowing, { mode });
        assert.equal(plain.verdict, 'allow', mode);
        const decision = await decide(TOOLS.outside, outside, allowing, { mode });
        assert.ok(decision.verdict === 'ask', mode);
        assert.match(
          (decision.reasons ?? []).map(inEnglish).join(' '),
          /Outside the sandbox: it needs the cache/u,
        );
        assert.equal('allowable' in decision, false, 'no yes to it is kept');
      }
    });

    it('is refused where a mode or a rule refuses the command', async () => {
      for (const mode of ['read', 'plan'] as const)
        assert.equal((await decide(TOOLS.outside, outside, allowing, { mode })).verdict, 'refuse');
      const denied = await decide(TOOLS.outside, outside, [{ effect: 'deny', command: 'ls' }]);
      assert.equal(denied.verdict, 'refuse');
    });

    it('needs the level admin, and a person', async () => {
      const at = async (level: 'user' | 'admin'): Promise<Decision> =>
        decide(TOOLS.outside, outside, allowing, { mode: 'auto', level });
      const user = await at('user');
      assert.ok(user.verdict === 'refuse');
      assert.match(user.reasons.map(inEnglish).join(' '), /level admin/u);
      assert.equal((await at('admin')).verdict, 'ask');
      const nobody = { mode: 'auto', unattended: true } as const;
      const alone = await decide(TOOLS.outside, outside, allowing, nobody);
      assert.ok(alone.verdict === 'refuse');
      assert.match(alone.reasons.map(inEnglish).join(' '), /only a person/u);
      const plain = await decide(TOOLS.outside, harmless, [], nobody);
      assert.equal(plain.verdict, 'allow');
    });
  });
});
