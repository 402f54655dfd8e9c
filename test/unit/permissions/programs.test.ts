import assert from 'node:assert/strict';
import { expectReasons, expectVerdicts, judging } from './disk-rig.ts';

describe('programs that read', () => {
  it('read what their operands name, below folders too, and the current folder where they have none', () =>
    expectVerdicts({
      allow: `cat src/a.ts docs/x.md
        grep foo
        grep -r foo src
        grep .env README.md
        grep -m3 .env README.md
        cd docs && rg foo
        rg foo plain
        rg foo away
        fd foo
        fd foo /ws/src
        ls
        tree -L 2
        wc -l -
        tr @a b
        basename /other/x
        uniq README.md
        sed -n -e p -e d README.md
        sed p README.md
        ss -tlnp
        date +%F`,
      always: `cat src/a.ts .env
        ss -tr
        grep foo .env
        grep -r foo
        grep -r foo plain
        grep -r foo away
        grep -R foo plain
        grep -m 3 .env README.md
        grep -e x -f .env README.md
        grep * README.md
        rg --hidden foo plain
        rg -u foo plain
        rg foo /other
        fd foo /other
        strings @x
        strings README.md @x
        whoami x
        uniq README.md out
        uniq s*
        basename *
        sed -n
        sed -e p -e 'w x' README.md
        sed 'w x' README.md
        date 0101
        cat --unknown README.md`,
    }));

  it('below folders read what patterns of names and types leave', () =>
    expectVerdicts({
      allow: `grep -r foo --include='*.ts' plain
        grep -r foo --exclude='.env*' plain
        grep -r foo --exclude='.e*' --exclude=x plain
        rg -g '!x' foo plain
        rg -g '*.ts' foo plain
        rg -g '*.d.ts' foo plain
        rg -t ts foo plain`,
      always: `grep -r foo --include='*' plain
        grep -r foo --include='*' --exclude='.env*' plain
        grep -r foo --exclude='*.ts' plain
        rg -g '.e*' foo plain
        rg -g '*' foo plain
        rg -g '*.{ts,js}' foo plain
        rg -t sh foo plain
        rg -t all foo plain`,
    }));

  it('go into hidden folders by patterns that may mean one', async () => {
    const judge = judging({ files: { '/ws/.kept/x.d.key': '', '/ws/a.ts': '' } });
    await expectVerdicts(
      {
        allow: `rg foo
          rg -g '*.key' foo
          rg -g './*.key' foo
          rg -g 'a.b/*.key' foo`,
        always: `rg -g '*.d.key' foo
          rg -g '**' foo
          rg -g 'x*' foo`,
      },
      judge,
    );
  });

  it('read the current folder where it lies outside of the workspace, too', async () => {
    const judge = judging({ files: { '/other/a.ts': '' } }, {}, '/other');
    await expectVerdicts({ always: 'ls\nrg x\nfd x\ndu', allow: 'grep foo\nsort\nwhoami' }, judge);
  });

  it('hand names on, where they print them whole and it is known which ones', () =>
    expectVerdicts({
      allow: `find src -name '*.ts' | head -5 | xargs cat
        find src -name '*.ts' | sort -r | uniq -u | xargs cat
        find src -name '*.ts' | grep -v x | xargs cat
        rg -l foo src | xargs cat
        rg -l foo plain | xargs cat
        rg --files plain | xargs cat
        fd . src | xargs cat
        grep -l foo src/a.ts | xargs cat`,
      always: `find src -name '*.ts' | head -c 5 | xargs cat
        find src -name '*.ts' | head README.md | xargs cat
        find src -name '*.ts' | grep -o x | xargs cat
        find src -name '*.ts' | grep -r foo src | xargs cat
        rg foo src | xargs cat
        fd . plain | xargs cat
        grep foo src/a.ts | xargs cat
        grep -l foo .env | xargs cat`,
    }));

  it('are told with what is not known of them', () =>
    expectReasons([
      ['cat --unknown x', /cat is not known to be harmless with --unknown/u],
      ['strings @x', /strings may read its arguments from @x/u],
      ['whoami x', /whoami changes something when it is given x/u],
      ['uniq README.md out', /uniq writes to its last argument/u],
      ['grep * x', /grep is given a pattern that the shell fills in/u],
      ['sed "w x" README.md', /sed may write files, run commands or print the environment/u],
      ['date 0101', /date sets the clock/u],
    ]));
});

describe('find', () => {
  it('only prints names, or has a program read what it finds', async () => {
    await expectVerdicts({
      allow: `find
        find src docs -type f
        find . -size +1k -newer .env -print0
        find . -name x -ls
        find src -exec cat {} \\;
        find src -exec cat {} +
        find src -exec grep {} \\;
        find src -exec cat {} \\; -exec wc -l {} +
        find src -exec cat {} README.md \\;
        find src -exec echo {} + -print`,
      always: `find /other
        find . -newer /other/x
        find . -delete
        find . -name
        find . -name *.ts
        find src -exec cat {}
        find src -exec cat {} x +
        find src -exec rm {} \\;
        find src -exec touch {} \\;
        find src -exec cat .env {} +
        find src -exec cat x{} \\;
        find src -exec git log {} \\;
        find src -exec grep -r x {} \\;
        find plain -exec cat {} +
        find . -exec cat {} +`,
    });
    await expectReasons([
      ['find . -delete', /find may write or run something with -delete/u],
      ['find src -exec cat {}', /find runs a program that is not told completely/u],
      ['find src -exec rm {} \\;', /find runs a program: rm is not one of the commands/u],
      ['find src -exec touch {} \\;', /find runs a program: it changes files/u],
      ['find src -exec cat x{} \\;', /\{\} as a part of a word/u],
      ['find . -name', /names by a pattern after -name/u],
      ['find . -type *', /names by a pattern after -type/u],
      ['find . -type f *.md', /is given names by the pattern \*\.md/u],
    ]);
  });

  it('finds no file but those of the names in each of its alternatives', () =>
    expectVerdicts({
      allow: `find . -name '*.ts' -exec cat {} +
        find . -iname '*.ts' -type f -exec cat {} +
        find . -name '*.ts' -o -name '*.md' -exec cat {} +
        find . -name '*.ts' -exec cat {} + -o -name '*.md' -exec cat {} +
        find . -path ./plain -prune -o -name '*.ts' -exec cat {} +
        find . -not -path x -name '*.ts' -exec cat {} +
        find . \\( -name '*.ts' \\) -exec cat {} +`,
      always: `find . -iname '*.ENV' -exec cat {} +
        find . -not -name '*.ts' -exec cat {} +
        find . ! -name '*.ts' -exec cat {} +
        find . -name '*.ts' -o -type f -exec cat {} +
        find . -type f -o -name '*.ts' -exec cat {} +
        find . -name '*.ts' -o -type f -o -name '*.md' -exec cat {} +
        find . -exec cat {} + -name '*.ts'
        find . -name '*.ts' , -exec cat {} +
        find . -not \\( -name '*.ts' \\) -exec cat {} +
        find . -mindepth 1 \\( -prune -o -name '*.ts' \\) -exec cat {} +
        find . ! -path -name -type f -exec cat {} +
        find . ! -path -name -type f | xargs cat`,
    }));

  it('leaves out folders that it is told to, wherever that holds', async () => {
    const judge = judging({
      files: { '/ws/keep/.env': '', '/ws/a.ts': '', '/ws/b/keep/.env': '' },
    });
    const top = judging({ files: { '/ws/keep/.env': '', '/ws/a.ts': '' } });
    const cat = '-print | xargs cat';
    await expectVerdicts(
      {
        allow: `find . -name keep -prune -o -type f ${cat}
          find . -type f -not -path '*/keep/*' | xargs cat
          find b -name keep -prune -o -type f ${cat}
          find . -type f ! -path '*/keep/*' ${cat}`,
        always: `find . -path ./keep -prune -o -type f ${cat}
          find . -type f -not -path './keep/*' | xargs cat
          find . -name k -prune -o -type f ${cat}
          find . -name keep -prune -o -type f -depth ${cat}
          find . -name keep -prune -o -mindepth 2 -type f ${cat}
          find . -type f -name keep -prune -o -type f ${cat}
          find . -name 'k*' -prune -o -type f ${cat}
          find . -type f -path '*/keep/*' | xargs cat
          find . -type f -print -not -path '*/keep/*' | xargs cat
          find . -type f -not -path '*/keep/*' -o -type f | xargs cat
          find . -type f -not -path '*/keep' | xargs cat
          find . -name keep -print -o -type f ${cat}
          find . -type f -user -not -path '*/keep/*' | xargs cat`,
      },
      judge,
    );
    await expectVerdicts(
      {
        allow: `find . -path ./keep -prune -o -type f ${cat}
          find -path ./keep -prune -o -type f ${cat}
          find . -type f -not -path './keep/*' | xargs cat
          find . -name a.ts -o -name keep -prune | xargs cat`,
        always: `find ./ -path ./keep -prune -o -type f ${cat}
          find ./ -type f -not -path './keep/*' | xargs cat
          find . . -path ./keep -prune -o -type f ${cat}
          find . -path keep -prune -o -type f ${cat}
          find . -type f -o -name keep -prune | xargs cat`,
      },
      top,
    );
  });

  it('tells names to others as it prints them alone', () =>
    expectVerdicts({
      always: "find src -name '*.ts' -ls | xargs cat\nfind src -name '*.ts' -printf %f | xargs cat",
      allow: "find src -name '*.ts' -print | xargs cat",
    }));
});

describe('programs that run others', () => {
  it('count as the program that they run', async () => {
    await expectVerdicts({
      allow: `timeout 5 cat README.md
        timeout -k 5 1.5m cat README.md
        time -p ls
        nice -n 5 ls
        env ls
        command cat README.md
        command -v node
        command -V node
        stdbuf -o L ls
        time nice timeout 5 ls`,
      ask: `timeout
        timeout 5
        nice npm test
        command
        env`,
      always: `timeout x cat README.md
        timeout 5x ls
        timeout * ls
        env A=1 ls
        env -i ls
        nice --x ls
        command cd src
        command read -r x
        timeout 5 cat .env
        timeout 5 sort -o x README.md
        nice rm .env`,
    });
    const { asking } = await judging({})('nice npm test && time nice -n 5 npm run x');
    assert.deepEqual(asking, [
      ['npm', 'test'],
      ['npm', 'run', 'x'],
    ]);
    await expectReasons([
      ['timeout x ls', /timeout without its number/u],
      ['env A=1 ls', /the variable A=1 may change what is run/u],
      ['command cd src', /command in front of cd, which changes the shell or not/u],
      ['timeout 5', /timeout alone/u],
      ['env -i ls', /env with -i is not known/u],
    ]);
  });

  it('xargs: only in front of a program that reads files, and nothing else of what it is given', async () => {
    const names = "find src -name '*.ts'";
    await expectVerdicts({
      allow: `${names} | xargs
        ${names} | xargs cat
        ${names} | xargs -n 1 wc -l
        ${names} | xargs -I{} cat {}
        ${names} | xargs -I % grep foo %
        ${names} | xargs -I FILE head -5 FILE README.md
        ${names} | xargs -d '\\n' cat
        ${names} -print0 | xargs -0 grep foo
        ${names} | xargs grep
        ${names} | xargs -I{} grep {} README.md
        ${names} | xargs ls`,
      ask: `${names} | xargs rm
        ${names} | xargs touch
        ${names} | xargs git log
        ${names} | xargs grep -e
        ${names} | xargs grep -r foo
        ${names} | xargs -I{} cat a{}
        ${names} | xargs cd
        ${names} | xargs uniq
        ${names} | xargs xargs cat
        ${names} | xargs sort -o`,
      always: `${names} | xargs -I a cat a
        ${names} | xargs -d , cat
        ${names} | xargs -x cat
        ${names} | xargs cat .env
        xargs cat < README.md`,
    });
    await expectReasons([
      [`${names} | xargs -I a cat a`, /xargs with an odd placeholder/u],
      [`${names} | xargs -d , cat`, /xargs with names that end at ,/u],
      [`${names} | xargs -x cat`, /xargs with -x is not known/u],
      [`${names} | xargs touch`, /xargs runs a program: it changes files/u],
      [`${names} | xargs git log`, /what it does with the files it is given/u],
      [`${names} | xargs cat "$?"`, /a word that the shell fills in|filled in by the shell/u],
    ]);
  });

  it('xargs: names that would be taken for something else are asked about by how they are handed on', async () => {
    const odd = (name: string) => judging({ files: { [`/ws/src/${name}`]: '' } });
    for (const [name, raw, lines, words] of [
      ['a.ts', 'allow', 'allow', 'allow'],
      ['a b.ts', 'allow', 'allow', 'always'],
      ["a'b.ts", 'allow', 'always', 'always'],
      [' a.ts', 'allow', 'always', 'always'],
      ['-a.ts', 'always', 'always', 'always'],
    ] as const) {
      await expectVerdicts({ [raw]: 'find src -type f -print0 | xargs -0 cat' }, odd(name));
      await expectVerdicts({ [raw]: 'find src -type f -print0 | xargs --null cat' }, odd(name));
      await expectVerdicts({ [lines]: 'find src -type f | xargs -I{} cat {}' }, odd(name));
      await expectVerdicts({ [lines]: "find src -type f | xargs -d '\\n' cat" }, odd(name));
      await expectVerdicts({ [words]: 'find src -type f | xargs cat' }, odd(name));
    }
  });
});

describe('commands of the shell itself', () => {
  it('print, test and go where it is told', async () => {
    await expectVerdicts({
      allow: `: x
        echo a *.md "$?"
        printf '%s %5s %%\\n'
        printf %s a
        printf -- %s a
        printf '%-5s|%q' a
        test -f README.md
        test ! -f README.md
        test -z "$?"
        test a = b
        test a != b
        test "$?" -eq 0
        [ -d src ]
        [ 1 -lt 2 ]
        cd src
        cd -- src
        read -r line
        read x
        type node
        exit 0
        exit
        exit "$?"
        for f in a; do break; done
        for f in a; do continue; done`,
      unclear: 'exit "$?+a[1]"\nread -n 1 x',
      ask: 'for f in a; do break 2; done\nfor f in a; do continue 2; done',
      always: `printf -v x
        printf
        printf %x a
        printf '%*d' 1
        printf -- -v
        printf -- %d 1
        test -n
        test -f
        test
        test a
        test -v a
        test a = b c
        test -f *.md
        test -nt a
        test a -eq 1
        test 1 -eq a
        test 1 -eq 1234567890
        test a -nt b
        [ -d src
        cd
        cd -
        cd +1
        cd ''
        cd src docs
        cd s*
        exit x
        exit 1234
        test "$?x" -eq 0
        echo /other/*`,
    });
    await expectReasons([
      ['printf -v x', /printf may set a variable/u],
      ['printf %x a', /this format of printf may evaluate its arguments/u],
      ['test -f *.md', /a test with a pattern/u],
      ['test a', /the shell evaluates what is compared here/u],
      ['[ -d src', /a test without its end/u],
      ['cd', /cd to a folder that is not named/u],
    ]);
  });

  it('a variable in front counts where it may change what is run', () =>
    expectVerdicts({
      allow: 'LC_ALL=C ls\nCI=1 NO_COLOR=1 ls\nLANG=de_DE.UTF-8 ls\nCI=1',
      always: 'FOO=1 ls\nCI=1 FOO=1 ls\nLANG=a/b ls\nFOO=1\nPATH=. ls\nLC_x=C ls',
    }));

  it('a program that is not named, or has a word that the shell fills in, is asked about', async () => {
    await expectVerdicts({
      always: '*.sh\n~/run x\n"$?"',
      ask: 'cat "$?"\nexit_ "$?"\nconstructor x\nhasOwnProperty\ngit constructor',
      allow: 'echo "$?"\nprintf %s "$?"',
    });
    await expectReasons([
      ['*.sh', /the program is not named/u],
      ['cat "$?"', /a word is filled in by the shell/u],
    ]);
  });
});
