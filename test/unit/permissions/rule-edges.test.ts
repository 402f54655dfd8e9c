import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { isCheck } from '../../../src/core/permissions/rules/checks.ts';
import { DeniedPaths, searchWithout } from '../../../src/core/permissions/rules/denied-paths.ts';
import {
  commandAllowed,
  commandCaught,
} from '../../../src/core/permissions/rules/command-pattern.ts';
import { folderOfPrograms } from '../../../src/core/permissions/rules/line-folder.ts';
import { createApprovalRules } from '../../../src/core/permissions/rules/approval-rules.ts';
import { RuleBook } from '../../../src/core/permissions/rules/rule-book.ts';
import {
  userRuleProblems,
  workspaceRuleProblems,
} from '../../../src/core/permissions/rules/rule-list.ts';
import type { Search } from '../../../src/core/ports/files/search.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { KnownRule, PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Mode, Tool } from '../../../src/core/tool-call/tool-call.ts';
import { decide, TOOLS, user } from './rules-rig.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const words = (line: string): string[] => line.split(' ');

describe('edges of command rules', () => {
  it('allow: a star at the end is any number of words, elsewhere one; none reaches over a line or a path', () => {
    for (const [pattern, command, fits] of [
      ['ls *', 'ls', true],
      ['ls *', 'ls a b', true],
      ['npm run *', 'npm test', false],
      ['npm * --silent', 'npm test --silent', true],
      ['* test', 'npm test', false],
      ['*pm test', 'npm test', true],
      ['*pm test', '/tmp/evil/npm test', false],
      ['*/npm test', './npm test', true],
      ['cat *.md', 'cat docs/a.md', true],
      ['cat *x', 'cat a\nx', false],
    ] as const)
      assert.equal(commandAllowed(pattern, words(command)), fits, `${pattern} ← ${command}`);
  });

  it('deny: words in their order, each its own; a star catches paths; what is too long catches all', () => {
    for (const [pattern, command, hit] of [
      ['*', 'ls', true],
      ['git *', 'git', true],
      ['git push *', 'git status', false],
      ['git a b', 'git a b', true],
      ['git a a', 'git a', false],
      ['git a a', 'git a a', true],
      ['rm *x', 'rm a/x', true],
      [`rm ${'*a'.repeat(600)}`, 'rm b', true],
    ] as const)
      assert.equal(
        commandCaught(pattern, words(command)),
        hit,
        `${pattern.slice(0, 20)} ← ${command}`,
      );
  });

  it('the folder of a line that is not understood is its own, unless it speaks of another', () => {
    const folder = (text: string, programs?: string[][]): string | undefined =>
      folderOfPrograms({
        text,
        cwd: '/w',
        verdict: 'ask',
        ...(programs === undefined ? {} : { programs }),
      });
    assert.equal(folder('echo $(x)'), '/w');
    assert.equal(folder('cd a && echo $(x)'), undefined);
    assert.equal(folder('cd -- a && make', [['cd', '--', 'a'], ['make']]), '/w/a');
    assert.equal(folder('make && cd a', [['make'], ['cd', 'a']]), undefined);
    assert.equal(folder('cd a && make; ls', [['cd', 'a'], ['make'], ['ls']]), undefined);
    assert.equal(folder('cd a && make || ls', [['cd', 'a'], ['make'], ['ls']]), undefined);
  });
});

describe('edges of rules in a decision', () => {
  const all: PermissionRule = { effect: 'allow', tool: '*' };
  const run = (command: string, cwd = '/ws'): readonly [Tool, JsonObject] => [
    TOOLS.run,
    { command, cwd },
  ];
  const edit = (path: string): readonly [Tool, JsonObject] => [TOOLS.edit, { path }];
  const ofWorkspace = (rule: PermissionRule): KnownRule => ({
    ...user(rule),
    origin: 'workspace',
  });
  const code: Tool = {
    ...TOOLS.task,
    starts: async ({ text }) => ({
      lines: [],
      code: { subject: `task ${JSON.stringify(text)}`, text: JSON.stringify(text) },
    }),
  };
  const table: readonly (readonly [
    what: string,
    call: readonly [Tool, JsonObject],
    rules: readonly (PermissionRule | KnownRule)[],
    verdict: string,
    mode?: Mode,
  ])[] = [
    [
      'a workspace allows nothing: a path',
      edit('/ws/src/a.ts'),
      [ofWorkspace({ effect: 'allow', path: 'src/**' })],
      'ask',
    ],
    ['nor a tool', run('make x'), [ofWorkspace(all)], 'ask', 'auto'],
    [
      'nor a command',
      run('npm test'),
      [ofWorkspace({ effect: 'allow', command: 'npm test' })],
      'ask',
    ],
    [
      'a denied path may hide in a command',
      run('x y'),
      [all, { effect: 'deny', path: 'secret/**' }],
      'ask',
      'auto',
    ],
    [
      'a denied command may hide in another program',
      run('cargo fmt'),
      [all, { effect: 'deny', command: 'git push' }],
      'ask',
      'auto',
    ],
    [
      'or in a task',
      [code, { text: 'a' }],
      [all, { effect: 'deny', command: 'git push' }],
      'ask',
      'auto',
    ],
    [
      'but not in a command that is known to be harmless',
      run('ls'),
      [all, { effect: 'deny', command: 'git push' }],
      'allow',
      'auto',
    ],
    [
      'and a rule for another tool hides nothing',
      run('cargo fmt'),
      [all, { effect: 'deny', tool: 'read_file', path: 'secret/**' }],
      'allow',
      'auto',
    ],
    [
      'a rule that is switched off hides nothing',
      run('bash x.sh'),
      [all, { effect: 'deny', command: 'git push', off: true }],
      'allow',
      'auto',
    ],
    [
      'and in what is not understood',
      run('echo $x'),
      [all, { effect: 'deny', command: 'git push' }],
      'ask',
      'auto',
    ],
    [
      'nor where the very command is allowed',
      run('bash x.sh'),
      [
        { effect: 'allow', command: 'bash x.sh' },
        { effect: 'deny', command: 'git push' },
      ],
      'allow',
    ],
    [
      'a deny for one tool leaves the others',
      edit('/ws/src/a.ts'),
      [{ effect: 'deny', tool: 'read_file', path: 'src/**' }],
      'allow',
      'edit',
    ],
    [
      'a deny in a folder holds for what runs there',
      run('make x', '/ws/sub'),
      [{ effect: 'deny', command: 'make', in: '/ws/sub' }],
      'refuse',
    ],
    [
      'and not elsewhere',
      run('make x', '/ws/other'),
      [{ effect: 'deny', command: 'make', in: '/ws/sub' }],
      'ask',
    ],
    [
      'and for a line that goes there first',
      run('cd sub && make x'),
      [{ effect: 'deny', command: 'make', in: '/ws/sub' }],
      'refuse',
    ],
    [
      'a path that is allowed starts nothing',
      run('npm x'),
      [{ effect: 'allow', path: '/**' }],
      'ask',
    ],
    [
      'a path that is allowed in this workspace',
      edit('/ws/src/a.ts'),
      [{ effect: 'allow', path: 'src/**', in: '/ws' }],
      'allow',
    ],
    [
      'or in another',
      edit('/ws/src/a.ts'),
      [{ effect: 'allow', path: 'src/**', in: '/elsewhere' }],
      'ask',
    ],
    [
      'a task that is denied by its name',
      [code, { text: 'a' }],
      [{ effect: 'deny', tool: 'run_task', subject: 'task "a"' }],
      'refuse',
    ],
    [
      'another one',
      [code, { text: 'b' }],
      [{ effect: 'deny', tool: 'run_task', subject: 'task "a"' }],
      'ask',
    ],
    [
      'a task whose hash is not known is allowed by no hash',
      [code, { text: 'a' }],
      [{ effect: 'allow', tool: 'run_task', subject: 'task "a"', hash: 'x' }],
      'ask',
    ],
    [
      'a whole tool in mode Auto',
      [code, { text: 'a' }],
      [{ effect: 'allow', tool: 'run_task' }],
      'allow',
      'auto',
    ],
    ['not in Ask', [code, { text: 'a' }], [{ effect: 'allow', tool: 'run_task' }], 'ask'],
  ];
  for (const [what, [tool, input], rules, verdict, mode = 'ask'] of table)
    it(`${what}: ${verdict}`, async () => {
      const decided = await decide(tool, input, rules, { mode });
      assert.equal(decided.verdict, verdict);
    });

  it('no rule is offered for a tool that runs what was not shown', async () => {
    const decided = await decide(TOOLS.task, {});
    assert.ok(decided.verdict === 'ask' && decided.allowable !== undefined);
    assert.equal(createApprovalRules(decided.allowable), undefined);
  });
});

describe('commands that check the project', () => {
  it('are told by program, subcommand and options', () => {
    for (const [line, checks] of [
      ['npm run lint', true],
      ['npm run lint:fix', false],
      ['npm run deploy', false],
      ['npx eslint .', true],
      ['npx eslint --fix .', false],
      ['npx --no-install tsc --noEmit', true],
      ['npx tsc', false],
      ['npm exec eslint', true],
      ['npx cowsay', false],
      ['python3 -m pytest', true],
      ['python3 -c pytest', false],
      ['make test', true],
      ['make install', false],
      ['make -C other test', false],
      ['make -j4 -k test', true],
      ['make --file=x test', false],
      ['make --ev=x test', false],
      ['go build -o=src/main.go', false],
      ['go vet -vettool=./x ./...', false],
      ['go vet ./...', true],
      ['cargo test --config build.rustc=x', false],
      ['cargo test --release', true],
      ['eslint --config eslint.config.js src', true],
      ['eslint --config ../x.js .', false],
      ['eslint -c/tmp/x.js .', false],
      ['jest --config=/tmp/x', false],
      ['npm test --script-shell=./x', false],
      ['pytest --basetemp=src', false],
      ['node --test', true],
      ['node --test --test-name-pattern=x test/a.test.ts', true],
      ['node --test --import ./x.js', false],
      ['node --test --test-reporter-destination=x', false],
      ['node x.js --test', false],
      ['node -p x --test', false],
      ['yarn lint', true],
      ['npm lint', false],
      ['git commit', false],
      ['x push', false],
      ['npm', false],
      ['yarn why x', false],
      ['npm exec -- eslint src', true],
      ['cargo fmt --check', true],
      ['cargo fmt', false],
      ['cargo run', false],
      ['./gradlew test', true],
      ['./deploy.sh', false],
      ['/usr/bin/x', false],
    ] as const)
      assert.equal(isCheck(words(line)), checks, line);
    assert.ok(!isCheck([]));
  });
});

describe('edges of the book of rules', () => {
  const raw = [
    { effect: 'deny', path: 'a.[t' },
    { effect: 'allow', path: 'a.[t' },
    null,
    'x',
    { effect: 'deny', command: 'git push' },
  ];

  it('E7: each wrong entry is named; only one that cannot forbid counts for nothing', () => {
    const notes = userRuleProblems(raw).map(inEnglish);
    assert.equal(notes.length, 4);
    assert.ok(notes.every((note) => note.startsWith('belay.permissions.rules: ')));
    assert.deepEqual(
      notes.map((note) => note.includes('everything is asked about')),
      [true, false, true, true],
    );
    const entries = [...raw, { effect: 'allow', tool: '*' }];
    const workspace = workspaceRuleProblems(entries).map(inEnglish);
    assert.equal(workspace.length, 5);
    assert.match(workspace.at(-1) ?? '', /a workspace allows nothing/u);
  });

  it('hosts are those of rules that hold everywhere', () => {
    const rules: readonly PermissionRule[] = [
      { effect: 'allow', host: 'a.org' },
      { effect: 'allow', host: 'b.org', off: true },
      { effect: 'allow', host: 'c.org', in: '/ws' },
      { effect: 'deny', host: 'd.org' },
      { effect: 'allow', command: 'ls' },
    ];
    const files = new MemoryFiles();
    const book = new RuleBook({
      files,
      userRules: () => rules,
      workspaceRules: () => [],
      mayChange: () => true,
    });
    assert.deepEqual(book.hosts('allow'), ['a.org']);
    assert.deepEqual(book.hosts('deny'), ['d.org']);
  });

  it('a rule of a session is told when it comes and goes, and goes nowhere else', async () => {
    let stored: readonly unknown[] = [];
    let told = 0;
    const files = new MemoryFiles();
    const book = new RuleBook({
      files,
      userRules: () => stored,
      workspaceRules: () => [],
      writeUserRules: async (rules) => {
        stored = rules;
      },
      mayChange: () => true,
    });
    book.onChange(() => (told += 1));
    const rule: PermissionRule = { effect: 'allow', command: 'npm test', in: '/ws' };
    book.addForSession('s', [rule]);
    assert.equal(told, 1);
    await book.add([rule]);
    await book.remove(rule, 's');
    assert.equal(told, 3);
    assert.deepEqual(stored, [rule]);
    // Without a memory of the project the yes is the session's.
    await book.addForProject('s', [rule]);
    assert.deepEqual(
      (await book.list('s', [])).rules.map(({ origin }) => origin),
      ['user', 'session'],
    );
    assert.deepEqual(await book.changes(rule), []);
    await book.remove(rule);
    assert.deepEqual(stored, []);
  });
});

describe('denied paths in searches', () => {
  it('are left out of what is found, also by their place below the home folder', async () => {
    const denied = new DeniedPaths({
      others: { ruleFor: async () => undefined, ruleForAny: async () => undefined },
      rules: async () => [
        user({ effect: 'deny', path: '~/w/secret/**' }),
        user({ effect: 'deny', path: '~/a.ts' }),
        user({ effect: 'deny', path: 'b.ts', access: 'write' }),
        user({ effect: 'deny', path: 'c.ts', off: true }),
        user({ effect: 'deny', path: 'd.ts', tool: 'read_file' }),
      ],
      roots: () => ['/home/me/w'],
      home: '/home/me',
    });
    const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'secret/e.ts'];
    const inner = {
      files: async () => ({ paths }),
      text: async () => ({ matches: paths.map((path) => ({ path })) }),
      counts: async () => ({ files: paths.map((path) => ({ path })) }),
    } as unknown as Search;
    const search = searchWithout(inner, denied);
    const request = { root: '/home/me/w' } as never;
    const signal = new AbortController().signal;
    const left = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
    assert.deepEqual((await search.files(request, signal)).paths, left);
    const inText = (await search.text(request, signal)).matches;
    assert.deepEqual(
      inText.map(({ path }) => path),
      left,
    );
    const counted = (await search.counts(request, signal)).files;
    assert.deepEqual(
      counted.map(({ path }) => path),
      left,
    );
  });
});
