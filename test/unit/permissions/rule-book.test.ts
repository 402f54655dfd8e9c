import { inEnglish, type Told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DeniedPaths } from '../../../src/core/permissions/rules/denied-paths.ts';
import { RuleBook } from '../../../src/core/permissions/rules/rule-book.ts';
import { ruleText } from '../../../src/core/permissions/rules/rule-text.ts';
import { readRule } from '../../../src/core/permissions/rules/read-rule.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';

const said = (note: Told | undefined): string => (note === undefined ? '' : inEnglish(note));

describe('the book of rules', () => {
  let root: string;
  let stored: readonly unknown[];
  let workspace: readonly unknown[];
  let owner: boolean;
  let book: RuleBook;
  const npm: PermissionRule = { effect: 'allow', command: 'npm test', in: '/ws' };
  const push: PermissionRule = { effect: 'deny', command: 'git push' };

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'belay-rules-'));
    stored = [];
    workspace = [];
    owner = true;
    book = new RuleBook({
      files: new NodeFileSystem(),
      userRules: () => stored,
      workspaceRules: () => workspace,
      writeUserRules: async (rules) => {
        stored = rules;
      },
      mayChange: () => owner,
    });
  });
  afterEach(() => rm(root, { recursive: true }));

  const file = async (text: string | Buffer): Promise<void> => {
    await mkdir(path.join(root, '.belay'), { recursive: true });
    await writeFile(path.join(root, '.belay/permissions.json'), text);
  };
  const listed = async (session?: string): Promise<string[]> =>
    (await book.list(session, [root])).rules.map(
      ({ rule, origin }) => `${origin}: ${inEnglish(ruleText(rule))}`,
    );

  it('adds, switches and removes rules of the settings, and says so', async () => {
    let told = 0;
    book.onChange(() => (told += 1));
    await book.add([npm, push]);
    await book.add([npm]);
    assert.deepEqual(stored, [npm, push]);
    await book.switch(push, true);
    assert.deepEqual(stored, [npm, { ...push, off: true }]);
    await book.switch(push, false);
    await book.remove(npm);
    assert.deepEqual(stored, [push]);
    assert.equal(told, 5);
  });

  it('A5: below the level owner nothing is changed', async () => {
    owner = false;
    for (const change of [book.add([npm]), book.remove(npm), book.switch(npm, true)])
      await assert.rejects(change, { code: 'permission' });
    assert.deepEqual(stored, []);
  });

  it('keeps what was said for a session to that session', async () => {
    book.addForSession('s1', [npm, npm]);
    assert.deepEqual(await listed('s1'), ['session: Allow the command npm test in /ws']);
    assert.deepEqual(await listed('s2'), []);
    await book.remove(npm, 's1');
    assert.deepEqual(await listed('s1'), []);
    assert.deepEqual(stored, []);
  });

  it('a workspace file makes things stricter; what it allows counts for nothing and is told', async () => {
    await file(JSON.stringify({ rules: [push, { effect: 'allow', tool: '*' }] }));
    const { rules, notes } = await book.list(undefined, [root]);
    assert.deepEqual(
      rules.map(({ origin }) => origin),
      ['workspace', 'workspace'],
    );
    assert.equal(notes.length, 1);
    assert.match(said(notes[0]), /a workspace allows nothing/u);
  });

  for (const [what, text, fault] of [
    ['no JSON', '{ rules: [', /is not JSON/u],
    ['no list', '{"rules": {}}', /has no list of rules/u],
    ['no text', '\u0000\ufffd"', /is not JSON/u],
    ['a rule that is none', '[{"effect":"deny","cmd":"x"}]', /A rule has no "cmd"/u],
    [
      'no UTF-8',
      Buffer.from('[{"effect":"deny","command":"\u00ff"}]', 'latin1'),
      /cannot be read/u,
    ],
    ['more than 32 kB', `[${' '.repeat(32_768)}]`, /is larger than 32,768 bytes/u],
    ['deep nesting', `[${'['.repeat(16_000)}${']'.repeat(16_000)}]`, /too many values or levels/u],
    [
      'a deep value',
      `[{"effect":"deny","path":${'{"a":'.repeat(6000)}1`,
      /too many values or levels/u,
    ],
  ] as const) {
    it(`a workspace file with ${what}: everything is asked about, and why`, async () => {
      await file(text);
      const { rules, notes } = await book.list(undefined, [root]);
      assert.deepEqual(
        rules.map(({ rule }) => rule),
        [{ effect: 'ask', tool: '*' }],
      );
      assert.match(said(notes[0]), fault);
      assert.match(said(notes[0]), /Until it is put right, everything is asked about\.$/u);
    });
  }

  it('is read anew each time', async () => {
    assert.deepEqual(await listed(), []);
    await file(JSON.stringify([push]));
    assert.deepEqual(await listed(), ['workspace: Deny the command git push']);
    workspace = [{ effect: 'ask', host: 'a.test' }];
    stored = [npm];
    assert.deepEqual(await listed(), [
      'user: Allow the command npm test in /ws',
      'workspace: Ask about requests to a.test',
      'workspace: Deny the command git push',
    ]);
  });

  it('E7: a rule of one’s own that is wrong is named; unless it allows, everything is asked about', async () => {
    stored = [{ effect: 'deny', paht: 'x' }, { effect: 'allow' }, npm];
    const { rules, notes } = await book.list(undefined, []);
    assert.deepEqual(
      rules.map(({ rule }) => rule),
      [{ effect: 'ask', tool: '*' }, npm],
    );
    assert.match(said(notes[0]), /A rule has no "paht".*everything is asked about/u);
    assert.match(said(notes[1]), /A rule needs tool, path.*It counts for nothing/u);
  });

  it('ignores rules for kinds of commands, and names their replacements in one notice', async () => {
    stored = [
      { effect: 'allow', commands: 'readers' },
      { effect: 'deny', commands: 'network' },
      npm,
    ];
    workspace = [{ effect: 'deny', commands: 'package managers' }];
    const { rules, notes } = await book.list(undefined, []);
    assert.deepEqual(
      rules.map(({ rule }) => rule),
      [npm],
    );
    assert.deepEqual(notes.map(said), [
      'belay.permissions.rules: rules for kinds of commands no longer exist, so these are ignored: allow “readers”, deny “network”. Instead of “readers”: commands that only read run without a rule. Instead of “network”: add a rule for each command, such as {"effect":"deny","command":"git push"}.',
      'the settings of this workspace (belay.permissions.workspaceRules): rules for kinds of commands no longer exist, so these are ignored: deny “package managers”. Instead of “package managers”: add a rule for each command, such as {"effect":"deny","command":"npm install"}.',
    ]);
  });

  it('what may not be read is kept from everything that walks through folders', async () => {
    stored = [
      { effect: 'deny', path: 'secret/**' },
      { effect: 'deny', path: 'w', access: 'write' },
      { effect: 'deny', path: 'off', off: true },
      { effect: 'deny', path: 't', tool: 'read_file' },
    ];
    const denied = new DeniedPaths({
      others: {
        ruleFor: async (one) => (one === '/x' ? { file: '/.belayignore' } : undefined),
        ruleForAny: async (all) => (all.includes('/x') ? { file: '/.belayignore' } : undefined),
      },
      rules: async () => (await book.list(undefined, [])).rules,
      roots: () => ['/ws'],
    });
    assert.deepEqual(await denied.ruleFor('/ws/secret/a'), {
      file: 'your settings',
      pattern: 'secret/**',
    });
    assert.deepEqual(await denied.ruleFor('/x'), { file: '/.belayignore' });
    assert.equal((await denied.ruleForAny(['/ws/a', '/ws/secret/b']))?.pattern, 'secret/**');
    assert.equal(await denied.ruleForAny(['/ws/a']), undefined);
    for (const open of ['/ws/w', '/ws/off', '/ws/t', '/ws/src'])
      assert.equal(await denied.ruleFor(open), undefined, open);
  });

  it('reads rules as people write them, and names what is wrong', () => {
    const problems: readonly (readonly [raw: unknown, problem: RegExp])[] = [
      ['deny', /is an object/u],
      [[], /is an object/u],
      [{ effect: 'forbid', tool: 'x' }, /one of deny, ask, allow/u],
      [{ effect: 'deny', command: '' }, /command of a rule is a text/u],
      [{ effect: 'deny', command: 1 }, /command of a rule is a text/u],
      [{ effect: 'deny', command: 'a', path: 'b' }, /about one of path and command/u],
      [{ effect: 'deny' }, /needs tool, path/u],
      [{ effect: 'deny', tool: 'x', access: 'read' }, /belongs to a rule with a path/u],
      [{ effect: 'deny', path: 'x', access: 'both' }, /read or write/u],
      [{ effect: 'deny', tool: 'x', serverTool: 'y' }, /belongs to a rule with a server/u],
      [{ effect: 'deny', tool: 'x', off: 'yes' }, /true or false/u],
      [[{ effect: 'deny' }], /A list of rules is expected.*not \{"effect":"deny"\}/u],
      [{ effect: 'deny', command: 'x'.repeat(1001) }, /command of a rule is a text/u],
      [{ effect: 'deny', commands: 'writers' }, /A rule has no "commands"/u],
      [{ effect: 'allow', tool: 'x', hash: 'h' }, /hash belongs to a rule with/u],
      [{ effect: 'deny', subject: 's' }, /needs tool, path/u],
      [{ effect: 'deny', server: 'a', subject: 's' }, /subject belongs to a rule with a tool/u],
      [{ effect: 'deny', tool: 'a', path: 'b', subject: 's' }, /and nothing else/u],
      [{ effect: 'allow', tool: 'x', subject: 's' }, /needs its hash/u],
      ['x'.repeat(200), /not "x{119}\.$/u],
    ];
    for (const [raw, problem] of problems) {
      const read = readRule(raw);
      assert.match('problem' in read ? inEnglish(read.problem) : 'none', problem);
    }
    for (const rule of [
      npm,
      { effect: 'deny', command: 'x'.repeat(1000) },
      { effect: 'deny', tool: 'x', subject: 's' },
      { effect: 'allow', tool: 'x', subject: 's', hash: 'h' },
      { effect: 'allow', server: 'a', serverTool: 'b', hash: 'h' },
    ])
      assert.deepEqual(readRule(rule), { rule });
  });
});
