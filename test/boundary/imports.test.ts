import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleGraphs, hostEntries, panelEntries } from '../../esbuild.mjs';
import { root } from '../rig/processes.ts';
import { assertNone } from './assert-none.ts';
import { edgesOf, isOwn, ringOf, violations } from './rings.ts';
import { importCircles, sourceFiles, sourceImports, unreachedFiles } from './source-graph.ts';

/** The program that writes what package.json is generated from. */
const MANIFEST = 'src/manifest/write.ts';

/** Files that wait in their rooms for what will call them, with the reason; everything else is reached or goes. */
const WAITING: Readonly<Record<string, string>> = {};

describe('the source', () => {
  const imports = sourceImports();

  it('imports in one direction only, types included', () => {
    assert.ok(sourceFiles().length > 200 && imports.length > 400, 'the graph must not be empty');
    assertNone(violations(imports));
  });

  it('gives every file a ring', () => {
    assertNone(
      sourceFiles().filter((file) => ringOf(file) === undefined),
      'These files have no ring in test/boundary/rings.ts',
    );
  });

  it('has no circles of imports, types included', () => {
    assertNone(importCircles(imports).map((circle) => circle.join(' ↔ ')));
    const circle = [
      ...imports,
      { from: 'src/domain/data/json.ts', to: 'src/domain/message.ts', kind: 'type' as const },
    ];
    assert.equal(importCircles(circle).length, 1, 'an injected circle is found');
  });

  it('is reached from an entry, or named with what it waits for', () => {
    const entries = [...Object.values(hostEntries), ...Object.values(panelEntries), MANIFEST];
    const unreached = unreachedFiles(imports, entries);
    assertNone(
      unreached.filter((file) => !Object.hasOwn(WAITING, file)),
      'No entry reaches these files: delete them, or name them in WAITING with the reason',
    );
    assertNone(
      Object.keys(WAITING).filter((file) => !unreached.includes(file)),
      'These files are reached: take them out of WAITING',
    );
  });

  for (const [file, code, expected] of [
    ['src/domain/failure.ts', "import '../core/policy.ts';", 'domain may not import core'],
    ['src/domain/failure.ts', "import 'zod';", 'the domain imports nothing'],
    ['src/core/policy.ts', "import 'node:fs';", 'core must not need Node'],
    ['src/core/policy.ts', "void import('vscode');", 'only src/hosts/vscode may import vscode'],
    ['src/core/policy.ts', "import '../extension.ts';", 'core may not import extension.ts'],
    [
      'src/panel/html.ts',
      "type A = import('vscode').Uri;",
      'only src/hosts/vscode may import vscode',
    ],
  ] as const) {
    it(`finds an injected fault: ${expected}`, () => {
      const found = violations(sourceImports({ [file]: code }));
      assert.deepEqual(
        found.filter((line) => line.startsWith(`${file} imports`) && line.endsWith(expected))
          .length,
        1,
        `found only: ${found.join('; ')}`,
      );
    });
  }

  it('knows every forbidden direction between rings', () => {
    const edge = (from: string, to: string) => violations([{ from, to }]).length;
    assert.equal(edge('src/tools/a.ts', 'src/store/b.ts'), 1);
    assert.equal(edge('src/store/a.ts', 'src/core/b.ts'), 0);
    assert.equal(edge('src/protocol/a.ts', 'src/core/b.ts'), 1);
    assert.equal(edge('webview/a.tsx', 'src/protocol/b.ts'), 0);
    assert.equal(edge('webview/a.tsx', 'src/core/b.ts'), 1);
    assert.equal(edge('src/hosts/node/a.ts', 'src/hosts/vscode/b.ts'), 1);
    assert.equal(edge('src/hosts/node/a.ts', 'src/compose/engine.ts'), 1);
    assert.equal(edge('src/panel/a.ts', 'src/hosts/vscode/b.ts'), 1);
    assert.equal(edge('src/hosts/vscode/a.ts', 'src/panel/b.ts'), 0);
    assert.equal(edge('src/headless.ts', 'src/compose/engine.ts'), 0);
    assert.equal(edge('src/headless.ts', 'src/compose/vscode/window.ts'), 1);
    assert.equal(edge('src/headless.ts', 'src/hosts/vscode/a.ts'), 1);
    assert.equal(edge('src/compose/engine.ts', 'src/hosts/node/a.ts'), 1);
    assert.equal(edge('src/somewhere/a.ts', 'src/core/b.ts'), 1);
  });
});

describe('the bundles', function () {
  this.timeout(60_000);
  let host: Metafile;
  let panel: Metafile;
  let center: Metafile;
  let diagram: Metafile;

  before(async () => {
    ({ host, panel, center, diagram } = await bundleGraphs());
  });

  it('obey the direction of imports too', () => {
    const own = Object.keys({
      ...host.inputs,
      ...panel.inputs,
      ...center.inputs,
      ...diagram.inputs,
    }).filter(isOwn);
    assert.ok(own.length > 100, `only ${own.length} files are bundled`);
    assertNone(violations([...edgesOf(host), ...edgesOf(panel), ...edgesOf(center)]));
  });

  it('need vscode in the extension only', () => {
    for (const name of Object.keys(hostEntries)) {
      if (name === 'extension') continue;
      assert.ok(!imported(host, `dist/${name}.cjs`).has('vscode'), `${name} needs vscode`);
    }
  });

  it('leave nothing to be installed: packages are bundled, Node and vscode are there', () => {
    const outside = Object.values({
      ...host.outputs,
      ...panel.outputs,
      ...center.outputs,
      ...diagram.outputs,
    })
      .flatMap((output) => output.imports)
      .filter((one) => one.external === true && !/^(node:|vscode$)/.test(one.path))
      .map((one) => one.path)
      .filter((name) => !isBuiltin(name));
    assertNone(outside, 'These packages are not bundled');
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as object;
    assert.ok(!('dependencies' in manifest), 'the package ships no node_modules');
  });

  it('keep the engine out of the panel, and the panel out of the host', () => {
    const files = Object.keys({ ...panel.inputs, ...center.inputs, ...diagram.inputs }).filter(
      isOwn,
    );
    for (const file of files) assert.match(file, /^(webview|src\/protocol|src\/domain)\//);
    assertNone(
      Object.keys(host.inputs).filter((file) => file.startsWith('webview/')),
      'The host bundles these files of the panel',
    );
    assert.ok(Object.keys(panelEntries).length > 0);
  });
});

/** Everything an output imports from outside, directly or through its chunks. */
function imported(metafile: Metafile, output: string): Set<string> {
  const outside = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const one of metafile.outputs[name]?.imports ?? []) {
      if (one.external === true) outside.add(one.path);
      else visit(one.path);
    }
  };
  visit(output);
  return outside;
}
