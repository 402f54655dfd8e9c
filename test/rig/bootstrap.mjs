// The one file of the rig that runs on whatever Node a fresh clone has (20 or newer) with nothing installed.
// `node bootstrap.mjs SCRIPT [ARGUMENTS]` installs the dependencies when they are missing or out of date and then runs
// the TypeScript file SCRIPT on the Node 24 that is one of them (which runs TypeScript as it is).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const windows = process.platform === 'win32';

/** Node 24: the binary itself, so that a signal reaches it without a shell in between. */
const node24 = path.join(root, 'node_modules/node/bin', windows ? 'node.exe' : 'node');

/** What npm has installed, against what the lock file asks for: `null` when they agree, else the reason to install. */
function reasonToInstall() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return 'no dependencies yet';
  if (!existsSync(node24)) return 'Node 24 is missing';
  const want = packages(path.join(root, 'package-lock.json'));
  const have = packages(installed);
  for (const [name, entry] of Object.entries(want)) {
    if (name === '' || entry.optional || entry.devOptional) continue;
    if (have[name]?.version !== entry.version)
      return `${name.replace('node_modules/', '')} is not ${entry.version}`;
  }
  return null;
}

/** @type {(file: string) => Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} */
const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

const [script = 'test/rig/test.ts', ...args] = process.argv.slice(2);
const reason = reasonToInstall();
if (reason !== null) {
  console.log(`Installing dependencies (${reason}) …`);
  const started = Date.now();
  // `npm ci` begins by removing everything: right for the first time, slow for a few changed packages.
  const how = existsSync(path.join(root, 'node_modules/.package-lock.json'))
    ? ['install', '--no-save']
    : ['ci'];
  const result = spawnSync('npm', [...how, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  });
  if (result.status !== 0) {
    console.error(
      'The dependencies could not be installed: see what npm says above, then try again.',
    );
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
  console.log(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

const child = spawn(node24, [path.join(root, script), ...args], {
  cwd: root,
  // The channel tells the child when this process has gone, however it went.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    PATH: [path.join(root, 'node_modules/.bin'), path.dirname(node24), process.env.PATH].join(
      path.delimiter,
    ),
  },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
// npm's shell does not pass a signal on when it is ended alone: its death is the signal.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 500).unref();
child.on('error', (error) => {
  console.error(`Node 24 did not start: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
