import assert from 'node:assert/strict';
import { NearbyFiles } from '../../../src/core/permissions/rules/nearby-files.ts';
import { startedFiles } from '../../../src/core/permissions/rules/started-files.ts';
import { diskOf } from './disk-rig.ts';

type Case = readonly [
  command: string,
  files: Readonly<Record<string, string>>,
  started: readonly string[],
];

/** Ways in which commands and scripts name what they start. */
const CASES: readonly Case[] = [
  [
    'make test',
    {
      Makefile: 'include common\ntest:\n\tsh run\n\tpython3 gen\n',
      common: 'x',
      run: 'x',
      gen: 'x',
    },
    ['common', 'run', 'gen'],
  ],
  ['make test', { Makefile: 'test:\n\tcd sub && ./run.sh\n', 'sub/run.sh': 'x' }, ['sub/run.sh']],
  [
    'make test',
    {
      Makefile: 'test:\n\t$(MAKE) -C sub test\n',
      'sub/Makefile': 'test:\n\t./go.sh',
      'sub/go.sh': 'x',
    },
    ['sub/Makefile', 'sub/go.sh'],
  ],
  [
    'make test',
    { Makefile: 'SRC=scripts\ntest:\n\tsh $(SRC)/run.sh\n', 'scripts/run.sh': 'x' },
    ['scripts/run.sh'],
  ],
  ['make test', { Makefile: 'include mk/*.mk\ntest:\n\ttrue', 'mk/a.mk': 'x' }, ['mk/a.mk']],
  [
    'make test',
    { Makefile: 'test:\n\tpython3 -m tools.check', 'tools/check.py': 'x' },
    ['tools/check.py'],
  ],
  [
    'make test',
    { Makefile: 'test:\n\tnode scripts/run', 'scripts/run.js': 'x' },
    ['scripts/run.js'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"node scripts/run"}}', 'scripts/run.js': 'x' },
    ['scripts/run.js'],
  ],
  ['npm test', { 'package.json': '{"scripts":{"test":"node run"}}', 'run.js': 'x' }, ['run.js']],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"node scripts"}}', 'scripts/index.js': 'x' },
    ['scripts/index.js'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"node ."},"main":"lib/a.js"}', 'lib/a.js': 'x' },
    ['lib/a.js'],
  ],
  ['npm test', { 'package.json': '{"scripts":{"test":"sh run"}}', run: 'x' }, ['run']],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"node -r ./setup t.js"}}', 'setup.js': 'x', 't.js': 'x' },
    ['setup.js', 't.js'],
  ],
  [
    'npm test',
    {
      'package.json': '{"scripts":{"test":"npm run x -w packages/a"}}',
      'packages/a/package.json': '{"scripts":{"x":"sh ./y.sh"}}',
      'packages/a/y.sh': 'x',
    },
    ['packages/a/package.json', 'packages/a/y.sh'],
  ],
  [
    'npm test',
    {
      'package.json': '{"workspaces":["packages/*"],"scripts":{"test":"npm run x --workspaces"}}',
      'packages/a/package.json': '{"scripts":{"x":"sh ./y.sh"}}',
      'packages/a/y.sh': 'x',
    },
    ['packages/a/package.json', 'packages/a/y.sh'],
  ],
  [
    'npm test --workspaces',
    {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"scripts":{"test":"sh ./y.sh"}}',
      'packages/a/y.sh': 'x',
    },
    ['packages/a/package.json', 'packages/a/y.sh'],
  ],
  [
    'npm test -w a',
    {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"sh ./y.sh"}}',
      'packages/a/y.sh': 'x',
    },
    ['packages/a/package.json', 'packages/a/y.sh'],
  ],
  [
    'npm --prefix sub test',
    {
      'package.json': '{}',
      'sub/package.json': '{"scripts":{"test":"sh ./y.sh"}}',
      'sub/y.sh': 'x',
    },
    ['sub/package.json', 'sub/y.sh'],
  ],
  [
    'yarn workspace a test',
    {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"x"}}',
    },
    ['packages/a/package.json'],
  ],
  [
    'pnpm -r test',
    {
      'package.json': '{}',
      'pnpm-workspace.yaml': 'packages:\n - packages/*\n',
      'packages/a/package.json': '{"scripts":{"test":"x"}}',
    },
    ['packages/a/package.json'],
  ],
  [
    'npm test',
    {
      'package.json': '{"scripts":{"pretest":"sh a.sh","test":"true","posttest":"sh b.sh"}}',
      'a.sh': '',
      'b.sh': '',
    },
    ['a.sh', 'b.sh'],
  ],
  [
    'npm test',
    {
      'package.json': '{"scripts":{"test":"sh a.sh"}}',
      'a.sh': '. ./lib\nsh b\npython3 -m c\n',
      lib: 'x',
      b: 'x',
      'c.py': 'x',
    },
    ['a.sh', 'lib', 'b', 'c.py'],
  ],
  [
    'npm test',
    {
      'package.json': '{"scripts":{"test":"lerna run test"}}',
      'lerna.json': '{"packages":["packages/*"]}',
      'packages/a/package.json': '{"scripts":{"test":"x"}}',
    },
    ['packages/a/package.json'],
  ],
  ['node scripts/gen', { 'scripts/gen.js': 'x' }, ['scripts/gen.js']],
  ['node .', { 'package.json': '{"main":"a.js"}', 'a.js': 'x' }, ['a.js']],
  ['node scripts', { 'scripts/index.js': 'x' }, ['scripts/index.js']],
  ['python3 -m tools.check', { 'tools/check.py': 'x' }, ['tools/check.py']],
  ['python3 tools', { 'tools/__main__.py': 'x' }, ['tools/__main__.py']],
  ['python3 -m pytest', { 'pytest.py': 'x', 'tests/a.py': 'x' }, ['pytest.py']],
  ['go run ./cmd/x', { 'cmd/x/main.go': 'x', 'go.mod': '' }, ['cmd/x/main.go']],
  ['go run .', { 'main.go': 'x', 'go.mod': '' }, ['main.go']],
  [
    'cargo test',
    { 'Cargo.toml': '[workspace]\nmembers=["a"]', 'a/build.rs': 'x', 'a/Cargo.toml': 'x' },
    ['a/Cargo.toml', 'a/build.rs'],
  ],
  [
    './gradlew test',
    {
      gradlew: 'x',
      'build.gradle': 'apply from: "x.gradle"',
      'x.gradle': 'x',
      'app/build.gradle': 'x',
      'settings.gradle': 'include ":app"',
      'buildSrc/build.gradle': 'x',
    },
    ['gradlew', 'x.gradle', 'app/build.gradle', 'buildSrc/build.gradle'],
  ],
  [
    'mvn test',
    { 'pom.xml': '<modules><module>a</module></modules>', 'a/pom.xml': 'x' },
    ['a/pom.xml'],
  ],
  ['make -C sub test', { 'sub/Makefile': 'x' }, ['sub/Makefile']],
  ['make -Csub test', { 'sub/Makefile': 'x' }, ['sub/Makefile']],
  ['make --directory=sub test', { 'sub/Makefile': 'x' }, ['sub/Makefile']],
  ['make -f build/x test', { 'build/x': 'x' }, ['build/x']],
  ['make -fx test', { x: 'x' }, ['x']],
  [
    'bash scripts/a',
    { 'scripts/a': '. "$(dirname "$0")/lib.sh"\n', 'scripts/lib.sh': 'x' },
    ['scripts/a', 'scripts/lib.sh'],
  ],
  [
    'bash a.sh',
    { 'a.sh': 'source ${DIR}/lib.sh\nDIR=scripts', 'scripts/lib.sh': 'x' },
    ['scripts/lib.sh'],
  ],
  ['./run', { run: '#!/usr/bin/env node\nrequire("./x")', 'x.js': 'x' }, ['run', 'x.js']],
  ['ruby -Ilib test/a.rb', { 'test/a.rb': 'x' }, ['test/a.rb']],
  [
    'rake test',
    { Rakefile: 'Dir["tasks/*.rake"].each{|f| load f}', 'tasks/a.rake': 'x' },
    ['Rakefile', 'tasks/a.rake'],
  ],
  ['just test', { justfile: 'test:\n  sh run', run: 'x' }, ['justfile', 'run']],
  ['tox', { 'tox.ini': '[testenv]\ncommands=sh ./a.sh', 'a.sh': 'x' }, ['a.sh']],
  [
    'pytest',
    { 'pytest.ini': '[pytest]\naddopts=-p plug', 'plug.py': 'x', 'src/conftest.py': 'x' },
    ['plug.py', 'src/conftest.py'],
  ],
  [
    'npx vitest',
    {
      'package.json': '{}',
      'vitest.config.ts': 'export default {setupFiles:["./s.ts"]}',
      's.ts': 'x',
    },
    ['vitest.config.ts', 's.ts'],
  ],
  [
    'npx jest',
    { 'package.json': '{"jest":{"setupFiles":["<rootDir>/s.js"]}}', 's.js': 'x' },
    ['s.js'],
  ],
  ['npx tsx scripts/a', { 'scripts/a.ts': 'x' }, ['scripts/a.ts']],
  [
    'docker compose up',
    { 'docker-compose.yml': 'build: ./app', 'app/Dockerfile': 'x' },
    ['docker-compose.yml', 'app/Dockerfile'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"cd sub && sh run.sh"}}', 'sub/run.sh': 'x' },
    ['sub/run.sh'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"sh \\"scripts/a b.sh\\""}}', 'scripts/a b.sh': 'x' },
    ['scripts/a b.sh'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"sh scripts/*.sh"}}', 'scripts/a.sh': 'x' },
    ['scripts/a.sh'],
  ],
  [
    'npm test',
    { 'package.json': '{"scripts":{"test":"sh ./a.sh"},"config":{}}', 'a.sh': 'x' },
    ['a.sh'],
  ],
  ['sh a.sh', { 'a.sh': 'sh ./ü.sh', 'ü.sh': 'x' }, ['ü.sh']],
  ['sh a.sh', { 'a.sh': 'sh ./b+c.sh', 'b+c.sh': 'x' }, ['b+c.sh']],
];

describe('files that a command starts, however they are named', () => {
  for (const [command, texts, wanted] of CASES)
    it(`${command}: ${JSON.stringify(texts).slice(0, 100)}`, async () => {
      const all = Object.entries(texts).map(([name, text]) => [`/w/${name}`, text] as const);
      const { files } = diskOf({ files: Object.fromEntries(all) });
      const found = await startedFiles({ files, hash: (text) => text }, command.split(' '), '/w');
      const missing = wanted.filter((name) => !Object.hasOwn(found, `/w/${name}`));
      assert.deepEqual(missing, [], Object.keys(found).join(' '));
    });

  it('are not those that only have a similar name', async () => {
    const names = [
      'Makefile',
      'sub/Makefile',
      'src/test.ts',
      'src/run.ts',
      'docs/a.md',
      'lib/x.sh',
    ];
    const all = names.map(
      (name) => [`/w/${name}`, name === 'Makefile' ? 'test: run' : 'x'] as const,
    );
    const { files } = diskOf({ files: Object.fromEntries(all) });
    const found = await startedFiles({ files, hash: (text) => text }, ['make', 'test'], '/w');
    assert.deepEqual(Object.keys(found), ['/w/Makefile']);
  });

  it('are looked for with turns for others, whatever a script is made of', async () => {
    const entries = Array.from({ length: 9000 }, (_, index) => ({
      name: index % 2 === 0 ? `${index}.c` : `a b ${index}`,
      type: 'file' as const,
    }));
    const nearby = await NearbyFiles.below(
      { list: async () => entries, stat: async () => undefined },
      '/w',
    );
    for (const name of ['*%.c', 'run a%', 'a/%', 'a b']) {
      let turns = 0;
      const counting = setInterval(() => (turns += 1), 0);
      const text = Array.from({ length: 20_000 }, (_, index) => name.replace('%', `${index}`));
      await nearby.named(text.join(' '), ['/w', '/w/x']);
      clearInterval(counting);
      assert.ok(turns > 0, name);
    }
  });
});
