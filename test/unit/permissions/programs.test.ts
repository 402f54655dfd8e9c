import assert from 'node:assert/strict';
import { expectRisks, expectVerdicts, judging } from './disk-rig.ts';

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
        lsof -nP -i :3000
        printenv PATH
        npm ls --depth 0
        unzip -l src/a.ts
        docker logs --tail 20 web
        cat /etc/os-release
        date +%F
        cat /dev/null
        ls | tee /dev/stderr
        wget --version`,
      always: `cat src/a.ts .env
        ss -tr
        lsof -i :3000
        printenv
        printenv TOKEN
        unzip src/a.ts
        cat /etc/hostname
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

  it('read the current folder where it lies outside of the workspace, too', async () => {
    const judge = judging({ files: { '/other/a.ts': '' } }, {}, '/other');
    await expectVerdicts({ always: 'ls\nrg x\nfd x\ndu', allow: 'grep foo\nsort\nwhoami' }, judge);
  });

  it('are told with what is not known of them', () =>
    expectRisks([
      ['cat --unknown x', 'unknown-option cat --unknown'],
      ['strings @x', 'unknown-option strings @x'],
      ['whoami x', 'unknown-option whoami x'],
      ['uniq README.md out', 'writes out'],
      ['grep * x', 'unknown-option grep *'],
      ['sed "w x" README.md', 'evaluates sed'],
      ['date 0101', 'system date'],
    ]));
});

describe('find', () => {
  it('only prints names', async () => {
    await expectVerdicts({
      allow: `find
        find src docs -type f
        find . -size +1k -newer .env -print0
        find . -name x -ls
        find . -path ./node_modules -prune -o -name '*.ts' -print
        find . -type f \\( -name '*.ts' -o -name '*.md' \\)`,
      always: `find /other
        find . -newer /other/x
        find . -delete
        find . -name
        find . -name *.ts
        find src -exec cat {} +
        find src -execdir cat {} +
        find src -ok cat {} +`,
    });
    await expectRisks([
      ['find . -delete', 'deletes-found'],
      ['find src -exec cat {} +', 'runs-found'],
      ['find . -name', 'unknown-option find -name'],
      ['find . -type *', 'unknown-option find -type'],
      ['find . -type f *.md', 'unknown-option find *.md'],
    ]);
  });
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
        timeout 5 cat .env
        timeout 5 sort -o x README.md
        nice rm .env`,
    });
    const { asking } = await judging({})('nice npm test && time nice -n 5 npm run x');
    assert.deepEqual(asking, [
      ['npm', 'test'],
      ['npm', 'run', 'x'],
    ]);
    await expectRisks([
      ['timeout x ls', 'unknown-option timeout x'],
      ['env A=1 ls', 'variable A=1'],
      ['command cd src', 'unknown-folder'],
      ['timeout 5', 'unknown-program timeout'],
      ['env -i ls', 'unknown-option env -i'],
    ]);
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
        type node
        exit 0
        exit
        exit "$?"`,
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
        exit "$?+a[1]"
        exit 1234
        test "$?x" -eq 0
        echo /other/*`,
    });
    await expectRisks([
      ['printf -v x', 'evaluates printf'],
      ['printf %x a', 'evaluates printf'],
      ['test -f *.md', 'evaluates test'],
      ['test a', 'evaluates test'],
      ['[ -d src', 'evaluates ['],
      ['cd', 'unknown-folder'],
    ]);
  });

  it('a variable in front counts where it may change what is run', () =>
    expectVerdicts({
      allow: 'LC_ALL=C ls\nCI=1 NO_COLOR=1 ls\nLANG=de_DE.UTF-8 ls\nCI=1',
      always: 'FOO=1 ls\nCI=1 FOO=1 ls\nLANG=a/b ls\nFOO=1\nPATH=. ls\nLC_x=C ls',
    }));

  it('a program that is not named, or has a word that the shell fills in, is asked about', async () => {
    await expectVerdicts({
      always: '*.sh\n~/run x\n"$?"\ncat "$?"\nexit_ "$?"',
      ask: 'constructor x\nhasOwnProperty\ngit constructor',
      allow: 'echo "$?"\nprintf %s "$?"',
    });
    await expectRisks([
      ['*.sh', 'unknown-program *.sh'],
      ['cat "$?"', 'unknown-option cat "$?"'],
    ]);
  });
});
