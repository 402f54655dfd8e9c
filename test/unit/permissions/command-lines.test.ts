import assert from 'node:assert/strict';
import { DISK, expectReasons, expectVerdicts, judging } from './disk-rig.ts';

describe('commands and variables within texts', () => {
  it('are judged like others; what they print is not known', () =>
    expectVerdicts({
      allow: `echo "$(ls)"
        echo "src: $(ls src | wc -l), $(ls docs)"
        test "$(cat README.md)" = x && echo yes
        [ -n "$(ls)" ]
        for d in src docs; do echo "$d: $(ls $d)"; done
        printf '%s' "$(head -1 README.md)"
        echo $HOME "$PWD" $PATH
        set -e; ls
        set -euo pipefail; ls
        [[ -f README.md ]] && echo yes
        [[ "$(ls)" == x ]]
        while IFS=, read -r a b; do echo "$a"; done < README.md`,
      edit: 'echo "$(touch x)"',
      ask: 'echo "$(rm x)"\necho "$(ls && rm x)"\nset -f\nset -- x\nset -o posix',
      always: `echo "$(cat .env)"
        echo "$(ls ..)"
        echo "$(cd .vscode && touch x)"
        cd .vscode && echo "$(cd ../src)" && touch x
        test -f "$HOME"
        test "$(ls)"
        [ "$(ls)" -gt 1 ]
        [[ a -eq 1 ]]
        IFS=x ls
        IFS= cat README.md`,
      unclear: `cat "$(ls)"
        rm "$HOME"
        git "$(echo push)"
        timeout 5 echo "$(ls)"
        ls | while read -r l; do npm run "$l"; done
        echo "$API_KEY"
        echo "\`ls\`"
        echo "$((1+1))"
        cat <<< "$(ls)" <<< "$(rm x)" | { rm y; } <<< "$(ls)"`,
    }));
});

describe('the folder in which each command of a line runs', () => {
  it('is that of the command before when it worked, or did not', () =>
    expectVerdicts({
      edit: `touch x
        cd .vscode || touch x
        cd .vscode && cd ../src && touch x
        cd .vscode && cd .. && touch x
        cd -- src && touch x
        (cd .vscode) && touch x
        (cd .vscode; ls) ; touch x`,
      always: `cd .vscode && touch x
        cd .vscode; touch x
        cd .vscode && ls && touch x
        cd .vscode && ls || touch x
        cd .vscode || ls; touch x
        cd nowhere || cd .vscode && touch x
        ls || cd .vscode && touch x
        ! cd .vscode && touch x
        ! cd .vscode || touch x
        ls | cd .vscode && touch x
        ls | cd .vscode || touch x
        { cd .vscode; } && touch x
        (cd .vscode && touch x)`,
    }));

  it('is not known behind a loop or a branch that changes it', async () => {
    await expectVerdicts({
      always: `if cd src; then ls; fi
        for f in a b; do cd src; done
        while cd src; do ls; done
        if ls; then cd src && ls; else ls; fi`,
      allow: `if ls; then ls src; fi
        for f in a b; do (cd src); done
        for f in a b; do ls; done`,
      edit: 'for f in a b; do ls; done; touch x',
    });
    await expectReasons([['if cd src; then ls; fi', /a loop or a branch changes the folder/u]]);
  });

  it('goes up from behind a link by its real path, too', () =>
    expectVerdicts({
      always: `cat link/../x
        cd link && cat ../x
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
      ['{ npm test; } < README.md', ['npm test']],
      ['{ ls; } < README.md && npm test', undefined],
      ['ls | { npm test; }; npm run x', ['npm test']],
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

  it('may be names of files, where it is known which ones', async () => {
    await expectVerdicts({
      allow: `find src -name '*.ts' | xargs cat
        find . -name '*.ts' | sort | xargs wc -l
        find 'a b' -name '*.ts' -print0 | xargs -0 cat
        grep -rl foo src | xargs cat
        find src | xargs echo`,
      always: `ls | xargs cat
        xargs cat
        find . -name '*.ts' | sort -o x | xargs cat
        find . -name '*.ts' | sed s/a/b/ | xargs cat
        find 'a b' -name '*.ts' | xargs cat
        find . | xargs cat
        find . -name '*.ts' | npm x | xargs cat`,
    });
    await expectReasons([
      ['ls src | xargs cat', /which files it is given cannot be told/u],
      ["find 'a b' -name '*.ts' | xargs cat", /names with blanks are taken apart/u],
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
        cat - < /dev/fd/0
        { cat; } < README.md`,
      always: `ls > out
        ls >> out
        ls > /other/out
        cat < .env
        cat < *.md
        cat < /other/x
        { ls; } > out
        { ls; } > .vscode/out
        npm test > out
        npm test > "$?"`,
      refuse: `ls > .git/config
        { ls; } > .git/config
        cat < /dev/sda
        echo x > /dev/stdin
        cat /dev/stdout
        echo x > /dev/fd/3
        echo x 1< README.md > /dev/stdout
        { echo x > /dev/stdout; } 1< README.md
        cat < README.md 1<&0 > /dev/stdout
        cat < README.md && { echo x > /dev/stdout; } >&0
        cat /dev/stdin 0> out
        npm test > .git/config
        ls > out; cat /proc/self/environ`,
    });
    await expectReasons([
      ['ls > out', /> out writes a file\.$/u],
      ['ls > .vscode/out', /run or obey/u],
      ['cat < *.md', /where < \*\.md leads to is not known/u],
      ['ls > out > .git/x', /^This command is not run: \.git\/x .*changed by git only/u],
    ]);
  });

  it('an edit is one as the tools for files make it, and nothing beside it', async () => {
    await expectVerdicts({
      edit: `touch x
        mkdir -p a/b && touch a/b/c
        cp src/a.ts c.ts
        ls; mv docs/x.md docs/y.md`,
      always: `touch .vscode/x
        touch x > out
        touch x; ls > out
        touch x && touch package.json`,
      ask: 'touch x && npm test',
    });
    await expectReasons([
      ['mkdir a', /: mkdir changes files\.$/u],
      ['touch x > out', /^Why it is asked about: > out writes a file\.$/u],
    ]);
  });

  it('an unknown program is asked about each time when a word of it is a protected file', async () => {
    await expectVerdicts({
      ask: `rm x
        rm README.md
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
    await expectReasons([
      ['aa; bb; cc; dd; ee', /^Why it is asked about: aa [^;]*; bb [^;]*; cc [^;]*; dd [^;]*\.$/u],
    ]);
    await expectReasons([['rm .env', /rm is not one of the commands .*; \.env: .*run or obey/u]]);
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
        cat src/u*`,
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
        cat p*/.e*`,
    });
    const odd = judging({
      files: { '/ws/-n': '', '/ws/a b': '', '/ws/a': '', '/ws/x/--pre=x': '' },
    });
    await expectReasons(
      [
        ['cat *', /\* stands for -n, which is an option/u],
        ['cd x && rg a *', /stands for --pre=x, which is an option/u],
        ['for f in a*; do cat $f; done', /\$f stands for a b, which the shell takes apart/u],
      ],
      odd,
    );
    await expectVerdicts({ allow: `cat ./*\nfor f in a*; do cat "$f"; done` }, odd);
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`/ws/m/${at}`, '']));
    const judge = judging({ files: many });
    await expectReasons([['cat m/*', /m\/\* stands for too many files to look at/u]], judge);
    await expectReasons([[`cat ${'.*/'.repeat(11)}x`, /stands for too many files/u]]);
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
    await expectReasons([['grep -e .env README.md', /\.env is the name of a file, too: \.env/u]]);
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
    expectReasons([
      ['cat linked', /linked \(\/other\/x\) lies outside the workspace/u],
      ['cat /other/x', /: \/other\/x lies outside the workspace/u],
      ['cat /own/x', /\/own\/x may not be used: it belongs to Belay/u],
      ['cat .env', /\.env \(\/ws\/\.env\): it may hold passwords or keys/u],
    ]));
});

describe('programs that are chosen by a file', () => {
  const judge = (file: string, cwd = '/ws') => judging({ files: { [file]: '' } }, {}, cwd);

  it('are asked about where there is one, in the folder or above', async () => {
    for (const file of ['/ws/rust-toolchain', '/ws/rust-toolchain.toml', '/rust-toolchain'])
      for (const cwd of ['/ws', '/ws/a/b', '/'])
        await expectReasons(
          cwd === '/' && file.startsWith('/ws')
            ? []
            : [['cargo --version', new RegExp(`: ${file} says which program it is`, 'u')]],
          judge(file, cwd),
        );
    await expectVerdicts(
      { allow: 'cargo --version\ncd a && cargo --version' },
      judge('/ws/global.json'),
    );
    await expectVerdicts({ always: 'dotnet --version' }, judge('/ws/global.json'));
    await expectVerdicts({ allow: 'node --version' }, judge('/ws/rust-toolchain'));
    await expectVerdicts({ always: 'cd a && rustc -V' }, judge('/ws/a/rust-toolchain'));
  });
});
