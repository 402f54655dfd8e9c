import assert from 'node:assert/strict';
import { RememberedApprovals } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import type { ApprovalMemory } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import { hashRunnerFiles } from '../../../src/core/permissions/rules/runner-files.ts';
import type { RunnerFilesParts } from '../../../src/core/permissions/rules/runner-files.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';

/** Files in memory, by absolute path. */
function filesOf(texts: Map<string, string>): RunnerFilesParts {
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
  } as unknown as RunnerFilesParts['files'];
  return { files, hash: (text) => text, roots: () => ['/r'] };
}

describe('the files that decide what a command runs', () => {
  const texts: Readonly<Record<string, string>> = {
    '/r/package.json': '{"scripts":{"test":"node --import ./hook.mjs tools/run x.test.ts"}}',
    '/r/package-lock.json': '{}',
    '/r/p/package.json': '{"scripts":{"test":"FOO=1 sh go && ./tool a.test.ts"}}',
    '/r/p/go': 'true',
    '/r/p/tool': 'true',
    '/r/p/vitest.config.ts': 'x',
    '/r/p/test/vitest.setup.ts': 'x',
    '/r/p/test/conftest.py': 'x',
    '/r/p/scripts/lib.sh': 'true',
    '/r/p/.cargo/odd.name': 'x',
    '/r/p/Makefile': 'x:',
    '/r/p/a.test.ts': 'test',
    '/r/p/src/a.ts': 'x',
    '/r/p/README.md': 'x',
    '/r/p/other.json': '{}',
    '/r/p/node_modules/x/package.json': '{}',
    '/r/node_modules/.bin/vitest': 'bin',
    '/eslint.config.js': 'above the workspace',
  };
  const find = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const parts = filesOf(new Map(Object.entries({ ...texts, ...more })));
    return hashRunnerFiles(parts, line.split(' '), '/r/p');
  };

  it('are manifests, lock files, settings, setup files, scripts of shells and the program', async () => {
    assert.deepEqual(Object.keys(await find('npx vitest run a.test.ts')).toSorted(), [
      '/r/node_modules/.bin/vitest',
      '/r/p/.cargo/odd.name',
      '/r/p/Makefile',
      '/r/p/go',
      '/r/p/package.json',
      '/r/p/scripts/lib.sh',
      '/r/p/test/conftest.py',
      '/r/p/test/vitest.setup.ts',
      '/r/p/tool',
      '/r/p/vitest.config.ts',
      '/r/package-lock.json',
      '/r/package.json',
    ]);
  });

  it('are code that an interpreter is given, and files behind options, but no tests', async () => {
    const has = async (line: string, path: string): Promise<boolean> =>
      Object.hasOwn(await find(line), path);
    assert.ok(await has('node src/a.ts', '/r/p/src/a.ts'));
    assert.ok(await has('node -r ./src/a.ts x', '/r/p/src/a.ts'));
    assert.ok(await has('./tool', '/r/p/tool'));
    assert.ok(await has('x --file=other.json', '/r/p/other.json'));
    assert.ok(await has('pytest -c other.json a.test.ts', '/r/p/other.json'));
    assert.ok(!(await has('pytest -q a.test.ts src', '/r/p/src/a.ts')));
    assert.ok(!(await has('node src/a.ts other.json', '/r/p/other.json')));
  });

  it('are compared by content, long ones by size and time, and no more than 1000', async () => {
    const first = await find('make', { '/r/p/a.mk': 'A=1' });
    const second = await find('make', { '/r/p/a.mk': 'A=2' });
    assert.notEqual(first['/r/p/a.mk'], second['/r/p/a.mk']);
    const long = await find('make', { '/r/p/a.mk': 'x'.repeat(2_000_001) });
    assert.equal(long['/r/p/a.mk'], '2000001 1');
    const many = Array.from({ length: 1100 }, (_, at) => [`/r/p/m/f${at}.mk`, 'x'] as const);
    assert.equal(Object.keys(await find('make', Object.fromEntries(many))).length, 1000);
  });

  it('of a manifest that is no JSON are the manifest alone', async () => {
    assert.ok(
      Object.hasOwn(await find('npm test', { '/r/p/package.json': '{' }), '/r/p/package.json'),
    );
  });
});

describe('a yes that is remembered', () => {
  const rule: PermissionRule = { effect: 'allow', command: 'make x', in: '/p' };
  const opened = (texts: Map<string, string>, stored?: Json) => {
    const kept: { value: Json | undefined } = { value: stored };
    const memory: ApprovalMemory = {
      read: async () => kept.value,
      write: async (value) => void (kept.value = value),
    };
    return { yes: new RememberedApprovals(filesOf(texts), memory), kept };
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
      (await again.changes(rule)).map(({ name }) => name);
    assert.deepEqual(await names(), ['Makefile']);
    assert.deepEqual(await again.list(), [rule]);
    texts.set('/p/package.json', '{"scripts":{"a":"b"}}');
    for (let at = 0; at < 6; at += 1) texts.set(`/p/${at}.mk`, 'x');
    assert.equal((await names()).length, 8);
    assert.ok((await names()).includes('Makefile'));
    await again.add([rule]);
    assert.deepEqual(await again.changes(rule), []);
    texts.set('/p/package.json', '{"scripts":{"a":"c"}}');
    assert.deepEqual(await names(), ['package.json']);
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
