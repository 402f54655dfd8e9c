// `npm run test:electron`: the host suite in desktop VS Code, which @vscode/test-electron downloads.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { buildAll } from '../../esbuild.mjs';
import { bundleHostSuite } from './host-suite.ts';
import { root } from './processes.ts';
import { copySampleWorkspace } from './sample-workspace.ts';

await buildAll();
const folder = await copySampleWorkspace();
const data = await mkdtemp(path.join(os.tmpdir(), 'belay-electron-'));
try {
  process.exitCode = await runTests({
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleHostSuite(),
    extensionTestsEnv: {
      BELAY_TEST_VERBOSE: '1',
      ANTHROPIC_API_KEY: undefined,
      BELAY_USER_DATA: data,
    },
    launchArgs: [
      folder,
      '--disable-extensions',
      '--disable-workspace-trust',
      '--user-data-dir',
      data,
    ],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(
    'Desktop VS Code could not be downloaded or run. The same suite runs without a download: npm run test:host.',
  );
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
}
