import { expectReasons, expectVerdicts, judging } from './disk-rig.ts';

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
    await expectReasons([
      ['mkdir', /mkdir without the name of a file/u],
      ['mkdir a/-b', /a\/-b would be taken for an option/u],
      ['cp src/a.ts src/b.ts docs', /cp with several files/u],
      ['cp src/a.ts README.md', /README\.md is replaced/u],
      ['cp docs/x.md docs', /docs\/x\.md is replaced/u],
      ['cp src/up y', /src\/up is a link, or lies behind one/u],
      ['cp -r src new', /would be a link that leads elsewhere/u],
      ['cp -r docs .husky', /run or obey/u],
      ['cp Makefile docs', /: \/ws\/docs\/Makefile: other programs run or obey/u],
      ['mv -f a b', /mv is not known to be harmless with -f/u],
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
    await expectReasons(
      [
        ['cp -r odd new', /\/ws\/new\/deep\/-b would be taken for an option/u],
        ['cp -r pack new', /: \/ws\/new\/deep\/Makefile: other programs run/u],
        ['cp -r pack docs', /: \/ws\/docs\/pack\/deep\/Makefile: other programs run/u],
        ['mv pack new', /: \/ws\/pack\/deep\/Makefile: other programs run/u],
      ],
      judge,
    );
    await expectReasons([['mv txt.key new', /txt\.key: it may hold passwords or keys/u]]);
    const top = '/me/.config/ws';
    const inside = judging({ files: { [`${top}/docs/x.md`]: '' } }, {}, top, ['/other', top]);
    await expectVerdicts({ edit: 'cp -r docs new' }, inside);
  });

  it('a folder with too many files is not looked through', async () => {
    const many = (count: number) =>
      judging({
        files: Object.fromEntries(Array.from({ length: count }, (_, at) => [`/ws/m/-${at}`, ''])),
      });
    await expectReasons([['cp -r m n', /would be taken for an option/u]], many(5000));
    await expectReasons(
      [['cp -r m n', /\/ws\/m holds too many files to look through/u]],
      many(5001),
    );
    const links = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, at) => [`/ws/m/${at}`, '/x']),
    );
    const judge = judging({ links });
    await expectVerdicts({ allow: 'rg x m' }, judge);
    await expectReasons([['rg x', /: \/ws holds too many files/u]], judge);
  });
});
