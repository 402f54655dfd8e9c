import assert from 'node:assert/strict';
import { DISK, expectRisks, expectVerdicts, judging } from './disk-rig.ts';

describe('what the judge does not understand', () => {
  it('requires approval, each time where a word is a protected file', async () => {
    await expectVerdicts({
      unclear: `echo "$(ls)"
        echo "$(rm x)"
        echo "$HOME"
        echo "\`ls\`"
        echo "$((1+1))"
        for f in src/*.ts; do cat "$f"; done
        if ls; then ls src; fi
        while true; do ls; done
        ls | while read -r l; do npm run "$l"; done
        [[ -f README.md ]] && echo yes
        { ls; }
        (ls) > out`,
      'unclear, always': `echo "$(cat .env)"
        for f in .env; do cat "$f"; done
        { tee .vscode/settings.json; }`,
      refuse: '{ ls; } > .git/config\nfor f in a; do ls >> ./.git/hooks/x; done',
      allow: 'echo "exit: $?"\nset -e; ls\nset -euo pipefail; ls',
      ask: 'set -f\nset -- x\nset -o posix',
    });
    await expectRisks([['for f in a; do ls; done', 'unclear']]);
  });
});

describe('the folder in which a line runs', () => {
  it('is the current one, or that of a leading cd', async () => {
    await expectVerdicts({
      edit: `touch x
        cd src && touch x
        cd -- src && touch x
        (cd .vscode) && touch x
        (cd src && touch x) ; touch y`,
      allow: `cd src
        cd src && cat a.ts || ls; cat b.ts
        (cd src && cat a.ts) | head -3`,
      always: `cd .vscode && touch x
        cd .vscode || touch x
        cd .vscode; touch x
        cd src && cd ../.vscode && touch x
        ls && cd src && ls
        cd nowhere && ls
        cd README.md && ls
        ! cd .vscode && touch x
        ls | cd .vscode && touch x
        (cd .vscode && touch x)
        cd link && cat y
        cd link/.. && ls`,
    });
    await expectRisks([
      ['ls && cd src && ls', 'unknown-folder'],
      ['cd nowhere && ls', 'unknown-folder'],
      ['! cd src && ls', 'unknown-folder'],
    ]);
  });

  it('counts with its real path', () =>
    expectVerdicts({
      always: `cat link/../x
        cat sub/../../other/x
        cat src/../src/../.env
        touch src/up/../../x`,
      allow: `cat src/../README.md
        cat ./src//./a.ts
        cat sub/deep/../../README.md`,
    }));
});

describe('what a program is given to read', () => {
  it('is told beside its words: by a redirection, a pipe, or a group that has one', async () => {
    const judge = judging(DISK);
    for (const [line, fed] of [
      ['npm test', undefined],
      ['npm test < README.md', ['npm test']],
      ['cat README.md | npm test', ['npm test']],
      ['npm test | cat', undefined],
      ['ls | npm test | npm run x; npm run y', ['npm test', 'npm run x']],
      ['ls | (npm test); npm run x', ['npm test']],
      ['timeout 5 npm test <<< x', ['npm test']],
      ['npm test > /dev/null', undefined],
    ] as const)
      assert.deepEqual(
        (await judge(line)).fed?.map((words) => words.join(' ')),
        fed,
        line,
      );
  });

  it('and a redirection alone is no program', async () => {
    const { programs, asking } = await judging(DISK)('> out; npm test; prog');
    const both = [['npm', 'test'], ['prog']];
    assert.deepEqual([programs, asking], [both, both]);
  });

  it('may be names of files, which are not known', async () => {
    await expectVerdicts({
      always: `find src -name '*.ts' | xargs cat
        ls | xargs cat
        xargs cat
        xargs -x cat`,
      ask: 'ls | xargs rm\nls | xargs sort -o',
    });
    await expectRisks([
      ['ls src | xargs cat', 'unknown-files xargs'],
      ['ls src | xargs rm', 'deletes-found', 'unknown-files xargs'],
    ]);
  });
});

describe('where a line writes and reads', () => {
  it('a redirection counts as the file that it leads to', async () => {
    await expectVerdicts({
      allow: `ls > /dev/null
        ls 2>&1
        cat < README.md
        echo x > /dev/stderr
        echo x >> /dev/stdout
        ls src 2> /proc/self/fd/2 | cat /dev/stdin
        cat - < /dev/fd/0`,
      edit: `ls > out
        ls >> out
        ls &> docs/out
        cat README.md > src/new.ts`,
      always: `ls > /other/out
        ls > -x
        ls > .env
        cat <> .env
        cat <> txt.key
        ls > out && rg x
        cat < .env
        cat < *.md
        cat < /other/x
        npm test > out
        npm test > "$?"`,
      refuse: `ls > .git/config
        cat < /dev/sda
        echo x > /dev/stdin
        cat /dev/stdout
        echo x > /dev/fd/3
        echo x 1< README.md > /dev/stdout
        cat < README.md 1<&0 > /dev/stdout
        cat /dev/stdin 0> out
        npm test > .git/config
        ls > out; cat /proc/self/environ
        (ls > .git/config)`,
    });
    await expectRisks([
      ['ls > out', 'writes out'],
      ['ls > .vscode/out', 'obeyed .vscode/out'],
      ['cat < *.md', 'unknown-files < *.md'],
      ['ls > out > .git/x', 'repository .git/x'],
    ]);
  });

  it('an edit is one as the tools for files make it, and nothing beside it', async () => {
    await expectVerdicts({
      edit: `touch x
        mkdir -p a/b && touch a/b/c
        cp src/a.ts c.ts
        ls; mv docs/x.md docs/y.md
        touch x > out
        touch x; ls > out
        rmdir sub`,
      always: `touch .vscode/x
        touch x && touch package.json`,
      ask: 'touch x && npm test',
    });
    await expectRisks([
      ['mkdir a', 'changes a'],
      ['touch x > out', 'writes out', 'changes x'],
    ]);
  });

  it('an unknown program is asked about each time when a word of it is a protected file', async () => {
    await expectVerdicts({
      ask: `rm x
        rm README.md
          git reset --soft HEAD~1
        prog --file=README.md`,
      always: `rm .env
        rm .vscode/settings.json
        cd plain && rm .env
        cd plain; rm .env
        prog --file=Makefile
        prog ~/.ssh/id_rsa
        FOO=1 npm test`,
      'unclear, always': 'rm $(x) .env',
      unclear: 'rm $(x) README.md',
    });
    await expectVerdicts({ ask: 'prog configure\nprog build' });
    const files = {
      '/ws/configure': '',
      '/ws/gradlew': '',
      '/ws/src/a': '',
      '/ws/tsconfig.json': '',
    };
    const judge = judging({ files }, { home: '/ws' });
    const words = Array.from({ length: 399 }, (_, at) => `w${at}`).join(' ');
    await expectVerdicts(
      {
        ask: `./gradlew test
          prog src/a
          tsc --noEmit -p tsconfig.json
          prog ${words}
          prog ${'a'.repeat(256)} ${'a/'.repeat(2100)}Makefile`,
        always: `prog configure
          prog ./gradlew
          prog ~/Makefile
          tsc -p tsconfig.json
          tsc --noEmit tsconfig.json
          prog ${words} w399
          prog ${'./'.repeat(600)}Makefile
          prog ${'a'.repeat(255)}/Makefile`,
        'unclear, always': 'cp $(x) .vscode/',
      },
      judge,
    );
    await expectRisks([
      [
        'aa; bb; cc; dd; ee',
        'system dd',
        'unknown-program aa',
        'unknown-program bb',
        'unknown-program cc',
        'unknown-program ee',
      ],
    ]);
    await expectRisks([['rm .env', 'deletes .env', 'protected .env']]);
  });

  it('without a POSIX shell nothing is told beforehand', async () => {
    const judged = await judging(DISK, { platform: 'windows' })('ls');
    assert.deepEqual(
      [judged.verdict, judged.programs, judged.always],
      ['ask', undefined, undefined],
    );
  });
});

describe('files that words stand for', () => {
  it('a pattern counts as what it finds, and as itself where it finds nothing', async () => {
    await expectVerdicts({
      allow: `cat src/*.ts
        cat /ws/src/*.ts
        cat none*
        cat s*/a.ts
        cat s?c/a.ts
        cat src/[ab].ts
        cat *.md
        ls s*
        cat src/u*
        cat src/{a,b}.ts {README,none}.md
        cat {src,docs}/*.ts`,
      always: `cat .e*
        cat .E*
        cat /ws/.e*
        cat /nowhere/*
        cat .*
        cat *.key
        cat l*
        cat /other/*
        cat */../.env
        cat .[e]nv
        ls .*
        cat p*/.e*
        cat {README.md,.env}`,
    });
    const odd = judging({
      files: { '/ws/-n': '', '/ws/a b': '', '/ws/a': '', '/ws/x/--pre=x': '' },
    });
    await expectRisks(
      [
        ['cat *', 'option-name -n'],
        ['cd x && rg a *', 'option-name --pre=x'],
      ],
      odd,
    );
    await expectVerdicts({ allow: 'cat ./*\ncat {a,x/y}*', always: 'cat {./,}-n' }, odd);
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`/ws/m/${at}`, '']));
    const judge = judging({ files: many });
    await expectRisks([['cat m/*', 'too-many-files m/*']], judge);
    await expectRisks([[`cat ${'.*/'.repeat(11)}x`, `too-many-files ${'.*/'.repeat(11)}x`]]);
    const { '/ws/m/0': _, ...fewer } = many;
    await expectVerdicts({ allow: 'cat m/*' }, judging({ files: fewer }));
  });

  it('a home folder lies outside the workspace, whether it is known or not', async () => {
    await expectVerdicts({ always: 'cat ~/x\ncat ~' });
    await expectVerdicts({ always: 'cat ~/x\ncat ~' }, judging(DISK, { home: undefined } as never));
    await expectVerdicts({ allow: 'cat ~/ws/README.md' }, judging(DISK, { home: '/' }));
  });

  it('a text counts when there is a protected file of that name', async () => {
    await expectVerdicts({
      allow: `sort -t. -k none README.md
        grep -e README.md src/a.ts
        grep -e src/a.ts README.md`,
      always: `grep -e .env README.md
        grep --regexp=.env README.md
        grep -e linked README.md`,
    });
    await expectRisks([['grep -e .env README.md', 'secret .env']]);
  });

  it('names may be shown of secrets in the workspace, and of nothing outside', () =>
    expectVerdicts({
      allow: `ls .env
        ls -la plain
        test -f .env
        stat .env`,
      always: `ls /other
        ls ~/.ssh
        stat /other/.env
        test -f linked`,
      refuse: 'ls /own/x\ncat /own/x',
    }));

  it('a path that is reached by another one is told with it', () =>
    expectRisks([
      ['cat linked', 'outside-read linked (/other/x)'],
      ['cat /other/x', 'outside-read /other/x'],
      ['cat /own/x', 'records /own/x'],
      ['cat .env', 'secret .env'],
    ]));
});

describe('programs of the workspace', () => {
  it('require approval where the search path finds them under a known name', async () => {
    const searchPath = ['/usr/bin', '/ws/bin', ''];
    const judge = judging({ files: { '/ws/bin/cat': '', '/ws/ls': '' } }, { searchPath });
    await expectVerdicts({ always: 'cat a\nls\ntimeout 5 ls', allow: 'head a\necho a' }, judge);
    const pathed = judging({ files: { '/ws/.tool-versions': 'nodejs path:./x\n' } });
    await expectVerdicts({ always: 'node --version', allow: 'echo a' }, pathed);
    const plain = judging({ files: { '/ws/.tool-versions': 'nodejs 24\n' } });
    await expectVerdicts({ allow: 'node --version' }, plain);
  });
});

describe('programs that are chosen by a file', () => {
  const judge = (file: string, cwd = '/ws') => judging({ files: { [file]: '' } }, {}, cwd);

  it('are asked about where there is one, in the folder or above', async () => {
    for (const file of ['/ws/rust-toolchain', '/ws/rust-toolchain.toml', '/rust-toolchain'])
      for (const cwd of ['/ws', '/ws/a/b', '/'])
        await expectRisks(
          cwd === '/' && file.startsWith('/ws')
            ? []
            : [['cargo --version', `chosen-program ${file}`]],
          judge(file, cwd),
        );
    await expectVerdicts({ allow: 'cargo --version' }, judge('/ws/global.json'));
    await expectVerdicts({ always: 'dotnet --version' }, judge('/ws/global.json'));
    await expectVerdicts({ allow: 'node --version' }, judge('/ws/rust-toolchain'));
    await expectVerdicts({ always: 'cd a && rustc -V' }, judge('/ws/a/rust-toolchain'));
  });
});
