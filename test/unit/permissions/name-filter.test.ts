import assert from 'node:assert/strict';
import { mayPass } from '../../../src/core/permissions/command/name-filter.ts';
import { expectRisks, expectVerdicts, judging } from './disk-rig.ts';

/** Patterns, a name, and if a file of that name is looked into by what is meant, and by all but what is left out. */
const NAMES: readonly (readonly [pattern: string, name: string, only: boolean, but: boolean])[] = [
  ['a.ts', 'a.ts', true, false],
  ['a.ts', 'A.TS', true, true],
  ['A.TS', 'a.ts', true, true],
  ['a.ts', 'b.ts', false, true],
  ['a.ts', 'a.tsx', false, true],
  ['a.tsx', 'a.ts', false, true],
  ['*', '.env', true, false],
  ['*', '', true, false],
  ['*.ts', 'a.ts', true, false],
  ['*.ts', 'a.ts.ts', true, false],
  ['*.ts', 'a.js', false, true],
  ['*.ts', 'a.ts.js', false, true],
  ['a*', 'a', true, false],
  ['a*b*c', 'axbxbxc', true, false],
  ['a*b*c', 'axcxb', false, true],
  ['a**', 'a', true, false],
  ['a**b', 'axb', true, false],
  ['*ab', 'aab', true, false],
  ['*abc', 'ababc', true, false],
  ['.e?v', '.env', true, false],
  ['.e?v', '.ev', false, true],
  ['?', '', false, true],
  ['?', 'ab', false, true],
  ['*?', 'ab', true, false],
  ['??bung', 'übung', true, true],
  ['?bung', 'übung', true, true],
  ['*bung', 'übung', true, false],
  ['', 'a', false, true],
  ['', '', true, false],
  // What is not understood is compared by its end, and leaves nothing out.
  ['{a,b}.ts', 'x.TS', true, true],
  ['{a,b}.ts', 'x.js', false, true],
  ['*.{ts,env}', '.env', true, true],
  ['[.]env', '.env', true, true],
  ['[.]env', '.key', false, true],
  ['src/*.ts', 'a.ts', true, true],
  ['!a.ts', 'a.ts', true, true],
];

describe('files that a program looks into by their names', () => {
  it('are those that are meant, in doubt more, but those left out, in doubt fewer', () => {
    for (const [pattern, name, only, but] of NAMES) {
      assert.equal(mayPass(name, { include: [pattern] }), only, `only ${pattern}: ${name}`);
      assert.equal(mayPass(name, { exclude: [pattern] }), but, `all but ${pattern}: ${name}`);
    }
    assert.equal(mayPass('a', {}), true);
    assert.equal(mayPass('a', { include: [] }), false);
    assert.equal(mayPass('a', { include: ['b', 'a'] }), true);
    assert.equal(mayPass('a', { include: ['a'], exclude: ['b', 'a'] }), false);
  });
});

describe('folders that are read through', () => {
  it('hold packages and repositories, which count where the program reads them', async () => {
    const judge = judging({
      files: {
        '/ws/a.ts': '',
        '/ws/docs/a.md': '',
        '/ws/node_modules/x.key': '',
        '/ws/docs/.git/config': '',
        '/other/id_rsa': '',
      },
      links: { '/ws/src/.venv/up': '/other', '/ws/src/.git/up.ts': '/other/id_rsa' },
    });
    await expectVerdicts(
      {
        allow: `rg foo
          grep -rn foo --include='*.md' docs
          grep -rn foo --exclude-dir=.git docs
          grep -rn foo --exclude-dir=.git --exclude-dir=.venv src`,
        always: `grep -r foo .
          rg --no-ignore foo
          grep -rn foo docs
          diff -r docs src
          grep -R foo --include='*.md' src
          grep -R foo --include='*.ts' --exclude-dir=.venv src`,
      },
      judge,
    );
    await expectRisks(
      [
        ['grep -rn foo docs', 'secret /ws/docs/.git/config'],
        ["grep -R foo --include='*.md' src", 'outside-read /ws/src/.venv/up (/other)'],
      ],
      judge,
    );
  });

  it('have links, whose targets count as if they were there', async () => {
    const judge = judging({
      files: {
        '/ws/docs/a.md': '',
        '/ws/up/a.md': '',
        '/ws/own/a.md': '',
        '/ws/secret/a.md': '',
        '/ws/folder/a.md': '',
        '/ws/packages/a.md': '',
        '/ws/kept/plan.md': '',
        '/ws/plain/.env': '',
        '/own/x': '',
      },
      links: {
        '/ws/up/up': '/ws/up',
        '/ws/own/x.md': '/own/x',
        '/ws/secret/x.md': '/ws/plain/.env',
        '/ws/folder/plain': '/ws/plain',
        '/ws/packages/node_modules': '/ws/plain',
        '/ws/docs/gone': '/ws/nowhere',
      },
      ignored: ['/ws/kept/plan.md'],
    });
    await expectVerdicts(
      {
        allow: `grep -R foo docs up
          grep -R foo --include='*.ts' secret own folder`,
        always: `grep -R foo packages
          grep -R foo own
          grep -R foo secret
          grep -R foo folder
          grep -R foo kept`,
      },
      judge,
    );
    await expectRisks(
      [
        ['grep -R foo own', 'records /ws/own/x.md (/own/x)'],
        ['grep -R foo secret', 'secret /ws/secret/x.md (/ws/plain/.env)'],
        ['grep -R foo folder', 'secret /ws/plain/.env'],
        ['grep -R foo kept', 'hidden-below the person keeps it from you ("x" in /ws/.belayignore)'],
      ],
      judge,
    );
  });

  it('show hidden files to ripgrep that an ignore file takes back, or that is too large to tell', async () => {
    const judge = (length: number) =>
      judging({ files: { '/ws/.env': '', '/ws/.ignore': '#'.repeat(length) } });
    await expectVerdicts({ allow: 'rg x' }, judge(1_000_000));
    await expectVerdicts({ always: 'rg x' }, judge(1_000_001));
    for (const [line, verdict, folder] of [
      ['!.env', 'always', 'always'],
      ['.env', 'allow', 'allow'],
      ['!/sub/.e* ', 'always', 'always'],
      ['!.env/', 'allow', 'allow'],
      ['!.kept/', 'always', 'allow'],
      ['!.kept', 'always', 'allow'],
      ['!.example', 'allow', 'allow'],
      ['!', 'allow', 'allow'],
    ] as const) {
      const files = { '/ws/sub/.env': '', '/ws/.kept/id_rsa': '', '/ws/.ignore': `x\n${line}\n` };
      await expectVerdicts({ [verdict]: 'rg x' }, judging({ files }));
      await expectVerdicts({ [folder]: 'rg x sub' }, judging({ files }));
    }
  });
});
