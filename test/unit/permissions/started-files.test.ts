import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import {
  reachedScripts,
  scriptsNamed,
} from '../../../src/core/permissions/rules/package-scripts.ts';
import { ProjectYes } from '../../../src/core/permissions/rules/project-yes.ts';
import type { ProjectMemory } from '../../../src/core/permissions/rules/project-yes.ts';
import { startedFiles } from '../../../src/core/permissions/rules/started-files.ts';
import type { StartedFilesParts } from '../../../src/core/permissions/rules/started-files.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';

/** Files in memory, by absolute path. */
function filesOf(texts: Map<string, string>): StartedFilesParts {
  const children = (folder: string): string[] => [
    ...new Set(
      [...texts.keys()].flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0] ?? ''] : [],
      ),
    ),
  ];
  const files = {
    stat: async (path: string) =>
      texts.has(path)
        ? { type: 'file', size: (texts.get(path) ?? '').length, modifiedAt: 1 }
        : children(path).length > 0
          ? { type: 'directory', size: 0, modifiedAt: 1 }
          : undefined,
    read: async (path: string) => new TextEncoder().encode(texts.get(path) ?? assert.fail(path)),
    list: async (folder: string) =>
      children(folder).map((name) => ({
        name,
        type: texts.has(`${folder}/${name}`) ? 'file' : 'directory',
      })),
  } as unknown as StartedFilesParts['files'];
  return { files, hash: (text) => text };
}

describe('what a command starts', () => {
  const base: Readonly<Record<string, string>> = {
    '/r/p/package.json': '{"version":"1","scripts":{"test":"sh scripts/run.sh"},"jest":{"a":1}}',
    '/r/p/scripts/run.sh': '. ./lib.sh\nnode tools/x\n',
    '/r/p/scripts/lib.sh': 'true',
    '/r/p/Makefile': 'include build/a.mk\n',
    '/r/p/build/a.mk': 'A=1',
    '/r/p/README.md': 'x',
    '/r/p/AGENTS.md': 'x',
    '/r/p/src/a.ts': 'x',
    '/r/p/tool.sh': 'source ./one.sh',
    '/r/p/one.sh': 'source ./two.sh',
    '/r/p/two.sh': 'source ./three.sh',
    '/r/p/three.sh': 'source ./four.sh',
    '/r/p/four.sh': 'true',
    '/r/p/data.txt': './one.sh',
    '/r/p/node_modules/.bin/eslint': '#!/usr/bin/env node',
    '/r/p/gradle/wrapper/gradle-wrapper.properties': 'url=x',
    '/r/p/sub/Makefile': 'x:',
    '/r/p/sub/deep/x.ts': 'x',
    '/r/package.json': '{"scripts":{"test":"x"}}',
  };
  const started = async (
    line: string,
    folder = '/r/p',
    more: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> =>
    Object.keys(
      await startedFiles(
        filesOf(new Map(Object.entries({ ...base, ...more }))),
        line.split(' '),
        folder,
      ),
    );
  const has = async (line: string, wanted: string, folder?: string): Promise<void> => {
    const found = await started(line, folder);
    for (const name of wanted.split(' '))
      assert.ok(found.includes(name), `${line}: ${name} of ${found.join()}`);
  };
  const hasNot = async (line: string, wanted: string, folder?: string): Promise<void> => {
    const found = await started(line, folder);
    for (const name of wanted.split(' ')) assert.ok(!found.includes(name), `${line}: ${name}`);
  };

  it('the manifest, the scripts that it names, those that they name, and what the folder keeps', async () => {
    await has(
      'npm test',
      '/r/p/package.json /r/p/scripts/run.sh /r/p/scripts/lib.sh /r/p/Makefile',
    );
    await has('npm test', '/r/p/build/a.mk /r/p/gradle/wrapper/gradle-wrapper.properties');
    await hasNot(
      'npm test',
      '/r/p/README.md /r/p/AGENTS.md /r/p/src/a.ts /r/p/data.txt /r/p/one.sh',
    );
  });

  it('a script by its name, three scripts deep; what is no script names nothing', async () => {
    await has('./tool.sh', '/r/p/tool.sh /r/p/one.sh /r/p/two.sh /r/p/three.sh');
    await hasNot('./tool.sh', '/r/p/four.sh');
    await has('x --file=data.txt', '/r/p/data.txt');
    await hasNot('x --file=data.txt', '/r/p/one.sh');
    await hasNot('x -data.txt', '/r/p/data.txt');
  });

  it('a tool that is installed, a folder that is named, and manifests above for package managers', async () => {
    await has('npx eslint .', '/r/p/node_modules/.bin/eslint /r/package.json');
    await hasNot('a b c d eslint', '/r/p/node_modules/.bin/eslint');
    await has('make sub', '/r/p/sub/Makefile');
    await hasNot('make', '/package.json /r/p/sub/Makefile');
    await has('npm test', '/r/p/package.json /r/package.json', '/r/p/sub/deep');
    await has('/usr/bin/npm test', '/r/p/package.json', '/r/p/sub/deep');
    await has('make', '/r/p/package.json', '/r/p/sub/deep');
  });

  it('of a manifest the scripts and what runners read; of what is no JSON everything', async () => {
    const of = async (text: string): Promise<string | undefined> => {
      const all = { ...base, '/r/p/package.json': text };
      const found = await startedFiles(filesOf(new Map(Object.entries(all))), ['npm'], '/r/p');
      return found['/r/p/package.json'];
    };
    const first = await of('{"version":"1","scripts":{"a":"b"},"jest":{"a":1}}');
    assert.equal(await of('{"version":"2","scripts":{"a":"b"},"jest":{"a":1}}'), first);
    assert.notEqual(await of('{"version":"1","scripts":{"a":"c"},"jest":{"a":1}}'), first);
    assert.notEqual(await of('{"version":"1","scripts":{"a":"b"},"jest":{"a":2}}'), first);
    assert.notEqual(await of('{"version":"1"'), await of('{"version":"2"'));
  });

  it('scripts that begin with what they start, each three deep from where they are named', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`/r/q/s${at}.sh`, `./s${at + 1}.sh`]),
    );
    const more = { ...chain, '/r/q/package.json': '{"scripts":{"test":"./s0.sh"}}' };
    const names = (found: readonly string[]): string => found.join(' ').replaceAll('/r/q/', '');
    assert.equal(
      names(await started('npm test', '/r/q', more)),
      'package.json s0.sh s1.sh s2.sh s3.sh /r/package.json',
    );
    const making = { ...chain, '/r/q/Makefile': 'x:\n\t./s1.sh' };
    assert.equal(names(await started('make', '/r/q', making)), 'Makefile s1.sh s2.sh s3.sh');
    assert.equal(names(await started('./s0.sh', '/r/q', chain)), 's0.sh s1.sh s2.sh s3.sh');
  });

  it('what a script names by a path, with an ending or without', async () => {
    const more = {
      '/r/q/a.sh': './x; ./y.z; tools/v; plain; ./1.2; 3.4; ./w/w',
      '/r/q/x.js': '',
      '/r/q/y.z.js': '',
      '/r/q/tools/v.js': '',
      '/r/q/plain': '',
      '/r/q/3.4': '',
      '/r/q/w/w.py': '',
    };
    assert.deepEqual(await started('./a.sh', '/r/q', more), [
      '/r/q/a.sh',
      '/r/q/x.js',
      '/r/q/tools/v.js',
      '/r/q/w/w.py',
    ]);
    await has('eslint .', '/r/p/node_modules/.bin/eslint');
  });

  it('scripts of a manifest beside those that are run, only where a started file may run them', async () => {
    const of = async (script: string, build: string): Promise<string> => {
      const scripts = { test: 'sh r.sh', build };
      const texts = {
        '/q/package.json': JSON.stringify({ scripts, version: build }),
        '/q/r.sh': script,
      };
      const files = filesOf(new Map(Object.entries(texts)));
      return JSON.stringify(await startedFiles(files, ['npm', 'test'], '/q'));
    };
    assert.equal(await of('true', 'a'), await of('true', 'b'));
    assert.equal(await of('cat package.json', 'a'), await of('cat package.json', 'b'));
    assert.notEqual(await of('npm run build', 'a'), await of('npm run build', 'b'));
  });

  it('each file is read once, however many name it', async () => {
    const parts = filesOf(
      new Map([
        ['/q/Makefile', './a.sh ./b.sh'],
        ['/q/a.sh', './b.sh ./c.sh'],
        ['/q/b.sh', './a.sh ./c.sh'],
        ['/q/c.sh', './a.sh ./b.sh'],
      ]),
    );
    const seen: string[] = [];
    const read: typeof parts.files.read = async (path, most) => {
      seen.push(path);
      return parts.files.read(path, most);
    };
    await startedFiles({ ...parts, files: { ...parts.files, read } }, ['make'], '/q');
    assert.deepEqual(seen.toSorted(), ['/q/Makefile', '/q/a.sh', '/q/b.sh', '/q/c.sh']);
  });

  it('a long file counts by its size and time, and beside the manifest never more than 300', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`/r/p/f${at}.mk`, `A=${at}`]),
    );
    assert.equal((await started('make', '/r/p', many)).length, 301);
    const long = await startedFiles(
      filesOf(new Map([['/r/p/a.mk', 'x'.repeat(2_000_001)]])),
      ['make'],
      '/r/p',
    );
    assert.deepEqual(long, { '/r/p/a.mk': '2000001 1' });
    const text = 'x'.repeat(2_000_000);
    const whole = await startedFiles(filesOf(new Map([['/r/p/a.mk', text]])), ['make'], '/r/p');
    assert.deepEqual(whole, { '/r/p/a.mk': text });
  });
});

describe('a yes that is remembered', () => {
  const rule: PermissionRule = { effect: 'allow', command: 'make x', in: '/p' };
  const opened = (texts: Map<string, string>, stored?: Json) => {
    const kept: { value: Json | undefined } = { value: stored };
    const memory: ProjectMemory = {
      read: async () => kept.value,
      write: async (value) => void (kept.value = value),
    };
    return { yes: new ProjectYes(filesOf(texts), memory), kept };
  };

  it('names what has changed since, and survives the window', async () => {
    const texts = new Map([['/p/Makefile', 'a']]);
    const { yes, kept } = opened(texts);
    await yes.add([rule]);
    assert.deepEqual(await yes.list(), [rule]);
    assert.deepEqual(await yes.changes(rule), []);
    texts.set('/p/Makefile', 'b');
    assert.deepEqual(
      (await yes.changes(rule)).map(({ name }) => name),
      ['Makefile'],
    );
    const again = opened(texts, kept.value).yes;
    const names = async (): Promise<readonly string[]> =>
      (await again.changes(rule)).map(({ name }) =>
        typeof name === 'string' ? name : inEnglish(name),
      );
    assert.deepEqual(await names(), ['Makefile']);
    assert.deepEqual(await again.list(), [rule]);
    texts.set('/p/package.json', '{"scripts":{"a":"b"}}');
    for (let at = 0; at < 6; at += 1) texts.set(`/p/${at}.mk`, 'x');
    assert.equal((await names()).length, 8);
    assert.ok((await names()).includes('Makefile'));
    await again.add([rule]);
    assert.deepEqual(await again.changes(rule), []);
    texts.set('/p/package.json', '{"scripts":{"a":"c"}}');
    assert.deepEqual(await names(), ['the scripts of package.json']);
    texts.delete('/p/0.mk');
    assert.ok((await names()).includes('0.mk'));
  });

  it('is bound to one command in one folder only', async () => {
    const texts = new Map([['/p/Makefile', 'a']]);
    const { yes, kept } = opened(texts);
    const wide: PermissionRule = { ...rule, in: '/p/**' };
    await yes.note([wide, { effect: 'deny', command: 'make x', in: '/p' }]);
    assert.equal(kept.value, undefined);
    await yes.note([rule]);
    assert.deepEqual(await yes.list(), [], 'the rule itself is kept elsewhere');
    assert.equal(await yes.remove(rule), false);
    texts.set('/p/Makefile', 'b');
    assert.deepEqual(await yes.changes(wide), []);
    assert.deepEqual(await yes.changes({ effect: 'allow', command: 'make y', in: '/p' }), []);
    assert.deepEqual(
      (await yes.changes(rule)).map(({ name }) => name),
      ['Makefile'],
    );
    await yes.add([rule]);
    assert.equal(await yes.remove(rule), true);
    assert.deepEqual(await yes.list(), []);
  });

  it('what is damaged is left out, the oldest go', async () => {
    const good = { rule: { ...rule }, files: {}, isProject: true } as unknown as Json;
    const bad: Json[] = [
      null,
      'x',
      [],
      {},
      { rule: { ...rule } as never, files: [] },
      { files: {} },
      { rule: { effect: 'allow' }, files: {} },
    ];
    const { yes } = opened(new Map(), [good, ...bad]);
    assert.deepEqual(await yes.list(), [rule]);
    assert.deepEqual(await opened(new Map(), 'x').yes.list(), []);
    const many = Array.from({ length: 301 }, (_, at): PermissionRule => ({
      ...rule,
      command: `make ${at}`,
    }));
    const { yes: full } = opened(new Map());
    await full.add(many);
    assert.equal((await full.list()).length, 300);
    assert.equal((await full.list())[0]?.command, 'make 1');
  });
});

describe('scripts that a command names', () => {
  it('are told by their names and short forms; else it may be any', () => {
    for (const [line, scripts] of [
      ['npm test', ['test']],
      ['npm t -s', ['test']],
      ['/usr/bin/npm restart', ['restart', 'stop', 'start']],
      ['npm run lint', ['lint']],
      ['yarn run lint', ['lint']],
      ['npm run', undefined],
      ['npm install', undefined],
      ['npm constructor', undefined],
      ['npm', undefined],
      ['make test', undefined],
    ] as const) {
      const named = scriptsNamed(line.split(' '));
      assert.deepEqual(named === undefined ? undefined : [...named], scripts, line);
    }
  });

  it('reach those before and after them, and those that they run in turn', () => {
    const scripts = {
      test: 'npm run build --a lint',
      pretest: 'a',
      posttest: 'b',
      build: 'tsc',
      prebuild: 'c',
      lint: 'eslint',
      all: 'run-s "lint:*" $npm_x npm:test',
      'lint:css': 'stylelint',
      again: 'yarn t',
      loop: 'npm run loop',
      odd: ['npm run build'],
      echoes: 'echo build',
      other: 'x',
    };
    for (const [name, reached] of [
      ['test', 'test pretest posttest build prebuild lint'],
      ['build', 'build prebuild'],
      ['all', 'test pretest posttest build prebuild lint all lint:css again loop odd echoes other'],
      ['again', 'test pretest posttest build prebuild lint again'],
      ['loop', 'loop'],
      ['odd', 'odd'],
      ['echoes', 'echoes'],
      ['none', ''],
      ['constructor', ''],
    ] as const)
      assert.equal(Object.keys(reachedScripts(scripts, new Set([name]))).join(' '), reached, name);
    const { all: _, ...rest } = scripts;
    const some = { ...rest, all: 'run-s "lint:*"' };
    assert.deepEqual(Object.keys(reachedScripts(some, new Set(['all']))), ['lint:css', 'all']);
  });
});
