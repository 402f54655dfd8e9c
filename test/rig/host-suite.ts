import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { root } from './processes.ts';
import type { SuiteResult } from './reporter.ts';
import { copySampleWorkspace } from './sample-workspace.ts';
import { judge, readNotes, testFiles, timeLeft } from './suite.ts';
import type { Print } from './tally.ts';
import { Workbench } from './workbench.ts';

/** Bundles tests into one file that exports `run()`, which VS Code calls in its extension host. */
export async function bundleHostSuite(
  files: readonly string[] = testFiles('host'),
): Promise<string> {
  const outfile = path.join(root, `.vscode-test/host-suite-${process.pid}.cjs`);
  const tests = files.map((file) => `  '${file}': () => import('./${file}'),`);
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `import { runInHost } from './test/rig/host-run.ts';
export const run = () => runInHost({\n${tests.join('\n')}\n});`,
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

/** Runs test/host, or these files of it, in the extension host of a real VS Code. `dist/` must be built. */
export async function runHostSuite(
  print: Print,
  files: readonly string[] = testFiles('host'),
): Promise<SuiteResult | null> {
  if (files.length === 0) return null;
  const tests = await bundleHostSuite(files);
  const folder = await copySampleWorkspace();
  const notes = await mkdtemp(path.join(os.tmpdir(), 'belay-results-'));
  const results = path.join(notes, 'results.json');
  const output = path.join(notes, 'output.txt');
  await writeFile(output, '');
  const printing = new AbortController();
  const printed = printAsItGrows(output, print, printing.signal);
  try {
    await using workbench = await Workbench.start({
      folder,
      development: [root],
      // Other extensions' tools and models: a page can name only one extension under development.
      present: ['tool-extension', 'model-extension'].map((name) =>
        path.join(root, 'test/fixtures', name),
      ),
      tests,
      // Nobody looks, and every pixel is drawn by the processor.
      viewport: { width: 1024, height: 640 },
      env: {
        BELAY_TEST_RESULTS: results,
        BELAY_TEST_OUTPUT: output,
        BELAY_TEST_VERBOSE: process.env['BELAY_TEST_VERBOSE'],
      },
    });
    const code = await Promise.race([
      workbench.exitCode,
      delay(timeLeft(), 'limit' as const, { ref: false }),
    ]);
    printing.abort();
    await printed;
    return judge(readNotes(results), code, (line) => print(`${line}\n`));
  } finally {
    printing.abort();
    await printed;
    await rm(tests, { force: true });
    await rm(folder, { recursive: true, force: true });
    await rm(notes, { recursive: true, force: true });
  }
}

/** Prints what is written to a file, until told to end. */
async function printAsItGrows(file: string, print: Print, signal: AbortSignal): Promise<void> {
  let printed = 0;
  for (let last = false; !last;) {
    last = signal.aborted;
    const text = await readFile(file);
    // Whole lines: a cut in the middle of a character would garble it.
    const end = last ? text.length : text.lastIndexOf('\n') + 1;
    if (end > printed) print(text.toString('utf8', printed, end));
    printed = Math.max(printed, end);
    if (!last) await delay(200, undefined, { signal }).catch(() => undefined);
  }
}
