import { expectRisks, expectVerdicts, judging } from './disk-rig.ts';

describe('programs that make, move and copy files', () => {
  it('do so without a question of their own where nothing is lost, and nothing starts to act', async () => {
    await expectVerdicts({
      edit: `mkdir a
        mkdir -p a/b c
        touch a b
        cp src/a.ts c.ts
        cp src/a.ts docs
        cp -r sub new
        cp .vscode/settings.json s.json
        mv -n old.txt new.txt
        mv docs documents`,
      always: `mkdir
        mkdir -
        mkdir s*
        mkdir -m 700 a
        mkdir a/-b
        mkdir -- -b/
        touch -d x a
        touch
        cp src/a.ts
        cp src/a.ts src/b.ts docs
        cp src/a.ts README.md
        cp docs/x.md docs
        cp -r src new
        cp -r plain new
        cp -p src/a.ts c.ts
        cp linked y
        cp src/up y
        cp src/a.ts .vscode/a.ts
        cp src/a.ts .vscode
        cp .env x
        cp Makefile docs
        cp Makefile make.txt
        cp -r docs .husky
        mv Makefile make.txt
        mv -f old.txt x.txt
        mv src/up x
        mv plain x
        mv .vscode x
        mv .vscode/settings.json s.json
        mv /other/x x
        mv old.txt /other/x2`,
    });
    await expectRisks([
      ['mkdir', 'unknown-files mkdir'],
      ['mkdir a/-b', 'option-name a/-b'],
      ['cp src/a.ts src/b.ts docs', 'moves src/a.ts, src/b.ts, docs'],
      ['cp src/a.ts README.md', 'replaces README.md'],
      ['cp docs/x.md docs', 'replaces /ws/docs/x.md'],
      ['cp src/up y', 'link src/up'],
      ['cp -r src new', 'link /ws/new/up'],
      ['cp -r docs .husky', 'obeyed .husky'],
      ['cp Makefile docs', 'obeyed /ws/docs/Makefile'],
      ['mv -f a b', 'unknown-option mv -f'],
    ]);
  });

  it('a folder counts with what is in it, at the place where that would be', async () => {
    const judge = judging({
      files: {
        '/ws/old/hooks/deep/x.md': '',
        '/ws/odd/deep/-b': '',
        '/ws/pack/deep/Makefile': '',
        '/ws/keys/server.key': '',
        '/ws/docs/x.md': '',
      },
    });
    await expectVerdicts({ edit: 'cp -r old new\ncp -r old docs\nmv old new' }, judge);
    await expectVerdicts({ always: 'mv keys new\nmv pack new\ncp -r pack docs' }, judge);
    await expectRisks(
      [
        ['cp -r odd new', 'option-name /ws/new/deep/-b'],
        ['cp -r pack new', 'obeyed /ws/new/deep/Makefile'],
        ['cp -r pack docs', 'obeyed /ws/docs/pack/deep/Makefile'],
        ['mv pack new', 'obeyed /ws/pack/deep/Makefile', 'obeyed /ws/new/deep/Makefile'],
      ],
      judge,
    );
    await expectRisks([['mv txt.key new', 'secret /ws/txt.key']]);
    const top = '/me/.config/ws';
    const inside = judging({ files: { [`${top}/docs/x.md`]: '' } }, {}, top, ['/other', top]);
    await expectVerdicts({ edit: 'cp -r docs new' }, inside);
  });

  it('a folder with too many files is not looked through', async () => {
    const many = (count: number) =>
      judging({
        files: Object.fromEntries(Array.from({ length: count }, (_, at) => [`/ws/m/-${at}`, ''])),
      });
    await expectRisks([['cp -r m n', 'option-name /ws/n/-0']], many(5000));
    await expectRisks([['cp -r m n', 'too-many-files /ws/m']], many(5001));
    const links = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, at) => [`/ws/m/${at}`, '/x']),
    );
    const judge = judging({ links });
    await expectVerdicts({ allow: 'rg x m' }, judge);
    await expectRisks([['rg x', 'too-many-files /ws']], judge);
  });
});
