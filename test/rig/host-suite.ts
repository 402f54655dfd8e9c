import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './processes.ts';
import type { SuiteResult } from './reporter.ts';
import { judge, testFiles } from './suite.ts';
import { Workbench } from './workbench.ts';

/** Longest time of the host suite, in ms. */
const limit = 15 * 60_000;

/** Bundles test/host into one file that exports `run()`, which VS Code calls in its extension host. */
export async function bundleHostSuite(): Promise<string> {
  const outfile = path.join(root, '.vscode-test/host-suite.cjs');
  const imports = testFiles('host').map((file) => `  await import('./${file}');`);
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `import { runInHost } from './test/rig/host-run.ts';
export const run = () => runInHost(async () => {\n${imports.join('\n')}\n});`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'warning',
    define: { 'import.meta.url': '__moduleUrl' },
    banner: { js: 'const __moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
  });
  return outfile;
}

/** A fresh copy of the sample workspace in a temporary folder. */
export async function copySampleWorkspace(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-workspace-'));
  await cp(path.join(root, 'test/fixtures/sample-workspace'), folder, { recursive: true });
  return folder;
}

/** Runs test/host in the extension host of a real VS Code. `dist/` must be built. */
export async function runHostSuite(): Promise<SuiteResult | null> {
  if (testFiles('host').length === 0) return null;
  const tests = await bundleHostSuite();
  const folder = await copySampleWorkspace();
  const results = path.join(folder, '../', `${path.basename(folder)}-results.json`);
  try {
    await using workbench = await Workbench.start({
      folder,
      development: [root],
      tests,
      env: { BELAY_TEST_RESULTS: results },
    });
    const timer = Promise.withResolvers<'limit'>();
    const timeout = setTimeout(() => timer.resolve('limit'), limit);
    const code = await Promise.race([workbench.exitCode, timer.promise]);
    clearTimeout(timeout);
    for (const line of workbench.logged) if (isTestOutput(line)) console.log(line);
    return judge(await readResults(results), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(results, { force: true });
  }
}

async function readResults(file: string): Promise<SuiteResult | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as SuiteResult);
}

const isTestOutput = (line: string): boolean => line.startsWith('log:');
