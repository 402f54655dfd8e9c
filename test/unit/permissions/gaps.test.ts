import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { protectionBelow } from '../../../src/core/permissions/protected-paths.ts';
import { isSecretFile } from '../../../src/core/permissions/secret-files.ts';
import { folderOfPrograms } from '../../../src/core/permissions/rules/line-folder.ts';
import { visibleCommand } from '../../../src/core/permissions/command/visible-command.ts';
import { escaped } from '../../../src/core/permissions/rules/path-pattern.ts';
import { readRule } from '../../../src/core/permissions/rules/read-rule.ts';
import { makeVisible } from '../../../src/domain/text/honest-text.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { manageFilesTool } from '../../../src/tools/manage-files/manage-files.ts';
import type { ToolParts } from '../../../src/tools/tool-parts.ts';

const words = (text: string): string[] => text.trim().split(/\s+/u);

describe('files by their role', () => {
  it('rule 1: what builds, installs, checks, hooks in or is started is configuration that is run', () => {
    for (const name of words(`
      eslint.config.js .prettierrc Makefile CMakeLists.txt .pylintrc App.csproj node_modules/.bin/eslint lefthook.toml
      vite.config.ts karma.conf.js jest.setup.ts .eslintrc.cjs .mocharc.yml GNUmakefile rules.mk foo.cmake meson.build
      build.gradle settings.gradle.kts gradlew mvnw.cmd pom.xml build.sbt mix.exs go.mod Cargo.toml Rakefile Gemfile
      Dockerfile Dockerfile.dev docker-compose.yml compose.yaml justfile Taskfile.yml tox.ini pytest.ini setup.cfg
      requirements.txt package-lock.json yarn.lock .flake8 .rubocop.yml .golangci.yml gulpfile.js Gruntfile.js
      .lintstagedrc.json commitlint.config.js lefthook-local.yml .gitlab-ci.yml .venv/bin/activate venv/lib/x.py
      lib/site-packages/a.py tool.exe run.bat noxfile.py phpunit.xml.dist a.vcxproj a.sln Vagrantfile webpack.prod.js
      turbo.json .nvmrc .python-version flake.nix BUILD.bazel defs.bzl .storybook/main.ts x.pth .bash_aliases
      tsconfig.json tsconfig.build.json app.tsconfig.json jsconfig.json typedoc.json mkdocs.yml foundry.toml
      configure config.ru dune BUCK launchSettings.json hooks/pre-commit commit-msg Snakefile cdk.json .Rprofile
      Pulumi.dev.yaml .gitpod.yml .replit .ghci .ocamlinit biome.json rustfmt.toml .clippy.toml conanfile.py config.nims
      x.nimble Caddyfile x.timer .htaccess AGENT.md .goosehints .trunk/trunk.yaml
      BUILD src/WORKSPACE TARGETS .eleventy.js .lazy.lua .size-limit.cjs .hygen.py .vim/vimrc .helix/languages.toml .emacs
      coc-settings.json .clangd compile_commands.json compile_flags.txt omnisharp.json zls.json nbproject/x.xml Jamroot Tupfile
      cpanfile dist.ini pavement.py conf.py docs/conf.py manage.py gunicorn.conf.py .pytest.ini spec/spec_helper.rb setupTests.ts
      test/globalSetup.ts a.xcscheme a.xcconfig Project.swift local.properties gradle/libs.versions.toml Setup.hs hie.yaml .ghcid
      cabal.project.local mix.lock renv.lock renv/activate.R _targets.R src/Makevars .lintr nim.cfg a.nims grumphp.yml captainhook.json
      .user.ini terragrunt.hcl a.pkr.hcl amplify.yml serverless.ts renovate.json app.json tauri.conf.json wails.json moon.yml
      knexfile.ts plopfile.js bs-config.js lighthouserc.js sqlc.yaml buf.yaml cucumber.yml _quarto.yml hugo.toml air.toml .air.toml
      bacon.toml .goreleaser.yml .zuul.yaml Cross.toml platformio.ini a.spec a.ebuild PKGBUILD guix.scm tests.edn .clj-kondo/x.clj
      .dart_tool/a.json dart_test.yaml a.uproject Game.Build.cs Move.toml Scarb.toml .arcconfig .pyre_configuration .checkov.yaml
      mprocs.yaml process-compose.yml .tmuxinator.yml local/a.ejs.t requirements.yml
      .run/app.run.xml .tekton/push.yaml ios/.xcode.env .busted .unheard-of/settings.json heroku.yml nixpacks.toml sub/dvc.toml
      app.pro rebar.config.script test/mocha.opts hatch_build.py prisma/schema.prisma modd.conf startup.m .gitconfig.local`))
      assert.equal(protectionBelow(name), 'config', name);
  });

  it('rule 12: what only has a similar name is a file like others', () => {
    for (const name of words(`
      src/a.ts README.md src/config.ts src/app.configuration.ts docs/rc.md src/main.rs index.html styles.css src/tsconfig.ts
      test/a.test.ts data.json .gitignore .editorconfig src/build.ts src/makefile.ts LICENSE db/schema.rb main.go lib.py
      src/setup.ts tests/test_a.py docs/docker.md src/taskfile.rs notes.txt src/package.ts src/lockfile.ts main.c
      src/configure.ts build docs/hooks.md pre-commit.md src/update.ts elm.md plist.ts charts/values.yaml src/dune.rs workspace src/update
      targets package src/conf.ts .env.example .dockerignore docs/data.yml src/rebuild.py src/install.md src/helper.rb main.tf docs/spec.md src/spec.ts src/lock.ts src/hcl.go src/app.ts src/manage.ts`))
      assert.equal(protectionBelow(name), 'none', name);
  });

  it('rule 1: of a name that no file system takes nothing is known', () => {
    assert.equal(protectionBelow('x'.repeat(1000)), 'none');
    assert.equal(protectionBelow('x'.repeat(1001)), 'config');
  });

  it('rule 9: secrets by role, whatever a copy of them is called', () => {
    for (const name of words(`
      server.key .dev.vars .env~ .env.local.bak id_rsa.old #.env# .env.swp .env.save .env-prod id_ed25519_work deploy_rsa
      tls.key.orig secrets.yaml.old app.secrets.json db-credentials.yml credentials.csv client_secret_1.json .bash_history
      .credentials.json .secrets.yaml api-keys.json api_key.txt .sentryclirc
      .env~~~~~~~ .ssh/config .aws/x.txt .config/gh/hosts.yml .terraform.d/x
      kubeconfig AuthKey_ABC.p8 local.settings.json .npmrc.bak passwords.txt .env.2024-01-31 .env.gz .vault_pass .netrc~
      deploy_key private.asc secret.gpg gcp-key.json a-adminsdk-x.json key4.db login.keychain-db kaggle.json ngrok.yml .flaskenv
      .token github-token access_token.txt token.txt wallet.dat seed.txt wg0.conf sftp-config.json .secrets/x secrets/prod.json
      config/credentials/a.yml .config/hub passwd pip.conf .erlang.cookie kube.config .restic-password`))
      assert.ok(isSecretFile(`/w/${name}`), name);
    for (const name of words(`
      a.ts keys.ts secret.ts secrets.py credentials.go .env.example .env.sample id_rsa.pub tokens.json token.ts README.md
      monkey.md keyboard.json .env.d.ts password.tsx backup.sh old.txt history.ts package.json a.gz secrets`))
      assert.ok(!isSecretFile(`/w/${name}`), name);
  });
});

describe('rules without gaps', () => {
  it('E7: a pattern that can fit nothing is named', () => {
    for (const [raw, said] of [
      [{ effect: 'deny', path: 'a.[t' }, /"a\.\[t".*not closed/u],
      [{ effect: 'deny', path: 'src/{a,b' }, /not closed/u],
      [{ effect: 'deny', path: 'a(b' }, /not closed/u],
      [{ effect: 'deny', path: '../x' }, /leads out of the workspace/u],
      [{ effect: 'deny', path: '/ws/../x' }, /"\/ws\/\.\.\/x".*without \. and \.\./u],
      [{ effect: 'deny', path: 'src/./a.txt' }, /without \. and \.\./u],
      [{ effect: 'deny', path: '.' }, /without \. and \.\./u],
      [{ effect: 'deny', path: 'src//a.txt' }, /two slashes/u],
      [{ effect: 'deny', path: '~//a.txt' }, /two slashes/u],
      [{ effect: 'deny', path: ' src/**' }, /blank at its beginning or end/u],
      [{ effect: 'deny', path: 'src/**\n' }, /blank at its beginning or end/u],
      [{ effect: 'deny', path: String.raw`src\secret.txt` }, /folders with \//u],
      [{ effect: 'deny', path: '${workspaceFolder}/src/**' }, /variable/u],
      [{ effect: 'deny', path: '$HOME/.ssh/**' }, /variable/u],
      [{ effect: 'deny', path: 'file:///ws/a.txt' }, /without two slashes/u],
      [{ effect: 'deny', path: '!src/**' }, /is not understood.*\{a,b\}/u],
      [{ effect: 'deny', path: 'src/+(a|b)' }, /is not understood.*\{a,b\}/u],
      [{ effect: 'deny', command: 'npm "test' }, /quote/u],
      [{ effect: 'deny', host: 'https://example.org/x' }, /without scheme/u],
      [{ effect: 'deny', command: 'git push; rm' }, /"git push; rm".*one command, and ; stands/u],
      [{ effect: 'ask', command: 'cat a | sh' }, /and \| stands/u],
      [{ effect: 'deny', command: 'a && b' }, /and && stands/u],
      [{ effect: 'deny', command: 'a', in: 'packages/a' }, /"packages\/a".*from the root/u],
    ] as const) {
      const read = readRule(raw);
      assert.match('problem' in read ? inEnglish(read.problem) : 'no problem', said);
    }
    for (const raw of [
      { effect: 'deny', path: 'a.[tj]s' },
      { effect: 'deny', path: String.raw`a.\[t` },
      { effect: 'deny', path: 'src/{a,b}/**' },
      { effect: 'deny', path: '[]a]' },
      { effect: 'deny', path: String.raw`C:\a\b[1]` },
      { effect: 'deny', path: String.raw`\\server\share\a` },
      { effect: 'deny', path: '//server/share/a' },
      { effect: 'deny', path: './src/' },
      { effect: 'deny', path: '/' },
      { effect: 'deny', path: '~/.ssh/**' },
      { effect: 'deny', path: String.raw`\ lead\ ` },
      { effect: 'deny', path: String.raw`a\.b\!c` },
      { effect: 'deny', path: 'price$/a' },
      { effect: 'deny', path: '...' },
      { effect: 'deny', path: '$lib/**' },
      { effect: 'deny', path: String.raw`a\\b` },
      { effect: 'allow', path: escaped('/ws/ a (1) [b]/..c/ ') },
      { effect: 'deny', command: `git commit -m "a b"` },
      { effect: 'deny', host: '*.example.org' },
      { effect: 'deny', host: '*' },
      { effect: 'deny', host: '[::1]' },
      { effect: 'deny', command: `grep "a | b" x` },
      { effect: 'ask', command: 'find . -exec cat {} ;', in: '/ws' },
      { effect: 'allow', command: 'grep | x' },
      { effect: 'deny', command: 'a', in: String.raw`C:\a` },
    ])
      assert.ok('rule' in readRule(raw), JSON.stringify(raw));
  });

  it('folders are matched with all that is below them', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'belay-gaps-'));
    try {
      await mkdir(path.join(root, 'db/old'), { recursive: true });
      await mkdir(path.join(root, 'docs'));
      await mkdir(path.join(root, 'keys'));
      await mkdir(path.join(root, 'build'));
      await writeFile(path.join(root, 'db/old/schema.rb'), '');
      await writeFile(path.join(root, 'docs/a.md'), '');
      await writeFile(path.join(root, 'keys/server.key'), '');
      await writeFile(path.join(root, 'build/Makefile'), '');
      const files = new NodeFileSystem();
      const ignored = { ruleFor: async () => undefined, ruleForAny: async () => undefined };
      const deny: PermissionRule = { effect: 'deny', path: 'db/old/schema.rb', access: 'write' };
      const decide = createDecide({
        guard: new PathGuard({ files, ownFolders: [], ignored }),
        mode: () => 'edit',
        level: () => 'owner',
        rules: async () => [{ rule: deny, origin: 'user', source: 'settings' }],
      });
      const tool = manageFilesTool({} as ToolParts);
      const verdict = async (kind: string, from: string, to?: string): Promise<string> => {
        const operation = to === undefined ? { kind, path: from } : { kind, path: from, to };
        const input = { operations: [operation] };
        const part = { type: 'tool_call' as const, id: 'c', name: tool.name, input };
        return (await decide(tool, { part, context: { sessionId: 's', roots: [root] } })).verdict;
      };
      assert.equal(await verdict('delete', 'db'), 'refuse');
      assert.equal(await verdict('delete', 'db/old'), 'refuse');
      assert.equal(await verdict('rename', 'db', 'data'), 'refuse');
      assert.equal(await verdict('copy', 'db', 'data'), 'allow');
      await rm(path.join(root, 'db'), { recursive: true });
      await mkdir(path.join(root, 'new/old'), { recursive: true });
      await writeFile(path.join(root, 'new/old/schema.rb'), '');
      assert.equal(await verdict('rename', 'new', 'db'), 'refuse');
      assert.equal(await verdict('copy', 'new', 'db'), 'refuse');
      assert.equal(await verdict('copy', 'keys', 'other'), 'ask');
      assert.equal(await verdict('rename', 'keys', 'other'), 'ask');
      assert.equal(await verdict('delete', 'build'), 'ask');
      assert.equal(await verdict('delete', 'docs'), 'allow');
      assert.equal(await verdict('rename', 'docs', 'texts'), 'allow');
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('the folder of a line is the one that it goes into first, or none that can be told', () => {
    const folder = (text: string): string | undefined =>
      folderOfPrograms({
        text,
        cwd: '/w',
        verdict: 'ask',
        programs: text
          .split(/\s*(?:&&|\|\|?|;|[()])\s*/u)
          .filter(Boolean)
          .map((one) => one.split(' ')),
      });
    assert.equal(folder('make test'), '/w');
    assert.equal(folder('cd a/b && make test'), '/w/a/b');
    assert.equal(folder('cd a && make test 2>&1 | tail -3'), '/w/a');
    for (const line of [
      'cd a; make',
      '(cd a && true); make',
      'cd a || make',
      'cd a && cd b && make',
    ])
      assert.equal(folder(line), undefined, line);
  });
});

describe('blanks of all kinds', () => {
  it('rule 3: what shows nothing is counted and named, wherever fonts draw nothing', () => {
    for (const blank of [
      '\u2800',
      '\u3164',
      '\u115f',
      '\u1160',
      '\uffa0',
      '\u17b4',
      '\u180e',
      '\u200b',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u3000',
      '\u1680',
      '\u2003',
      '\u00a0',
      '\ufffc',
      '\u{1d159}',
      '\u{16fe4}',
      '\u{13441}',
      '\u{13442}',
      '\u{e0020}',
    ]) {
      const name = blank.codePointAt(0)?.toString(16) ?? '';
      const shown = visibleCommand(`ls${blank.repeat(40)}; rm -rf x`);
      assert.equal(shown, 'ls ⟨40 blanks⟩ ; rm -rf x', name);
      const lines = visibleCommand(`ls${`${blank}\n`.repeat(30)}rm -rf x`);
      assert.equal(lines, 'ls\n⟨30 line ends⟩\nrm -rf x', name);
      assert.notEqual(visibleCommand(`a${blank}b`), `a${blank}b`, name);
    }
    assert.equal(makeVisible('a\u2800b'), 'a<U+2800>b');
    // Braille itself, spinners and emoji stay.
    for (const text of ['⠓⠑⠇⠇⠕⠀⠺', '⠋ building', '👨‍👩‍👧 ok', 'déjà vu'])
      assert.equal(makeVisible(text), text);
  });
});
