// `npm start`: opens VS Code with Belay and a workspace to try it on.
//   --workspace DIR   that folder instead of a copy of the sample
//   --port N          the port of the VS Code in the browser (a free one otherwise)
//   --no-open         print the address, open no browser
//   --browser         the VS Code in the browser, even where desktop VS Code is installed
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from '../../esbuild.mjs';
import { onPath } from './browser.ts';
import { ensureVisualStudioCode } from './code-server.ts';
import { isUpToDate } from './freshness.ts';
import { packageFile } from './package.ts';
import { capture, onEnd, ProcessTree, root } from './processes.ts';
import { copySampleWorkspace, installNode } from './sample-workspace.ts';
import { VisualStudioCodeServer } from './visual-studio-code.ts';

/** Opens the panel when the window is there. */
const showPanel = path.join(import.meta.dirname, 'show-panel');

const say = (line: string): void => console.log(line);

const { values: options } = parseArgs({
  options: {
    workspace: { type: 'string' },
    port: { type: 'string' },
    'no-open': { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
  },
});

/** What must be undone at the end, last first. */
const undo: (() => Promise<void>)[] = [];
onEnd(async () => {
  for (const step of undo.toReversed()) await step();
  say('\nStopped.');
});

const sample = options.workspace === undefined;
const folder = await workspace();
say(
  (process.env['ANTHROPIC_API_KEY'] ?? '').trim() === ''
    ? 'ANTHROPIC_API_KEY is not set: Belay answers with its built-in demo model.'
    : '“Belay: Set API Key…” offers the key in ANTHROPIC_API_KEY.',
);
const desktop = onPath('code');
if (desktop !== undefined && !options.browser) await openDesktop(desktop);
else await openInBrowser();

async function workspace(): Promise<string> {
  if (options.workspace !== undefined) {
    const chosen = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), options.workspace);
    if (!existsSync(chosen) || !statSync(chosen).isDirectory()) {
      console.error(
        `There is no folder ${chosen}. Name one that exists: npm start -- --workspace DIR`,
      );
      process.exit(2);
    }
    return chosen;
  }
  const copy = await copySampleWorkspace();
  await installNode(copy);
  undo.push(() => rm(copy, { recursive: true, force: true }));
  return copy;
}

async function openDesktop(code: string): Promise<void> {
  await buildAll();
  const data = await mkdtemp(path.join(os.tmpdir(), 'belay-desktop-'));
  undo.push(() => rm(data, { recursive: true, force: true, maxRetries: 3 }));
  const extensions = [root, showPanel].map((place) => `--extensionDevelopmentPath=${place}`);
  const args = [...extensions, '--new-window', '--wait', folder];
  if (sample) args.push(`--user-data-dir=${data}`, '--disable-workspace-trust');
  const tree = new ProcessTree(code, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  undo.push(() => tree.stop());
  say(`Desktop VS Code opens ${folder} with Belay. Ctrl-C ends it.`);
  tree.child.once('exit', () => process.kill(process.pid, 'SIGTERM'));
}

async function openInBrowser(): Promise<void> {
  const [program] = await Promise.all([ensureVisualStudioCode(say), packageQuietly()]);
  const token = randomBytes(16).toString('hex');
  const server = await VisualStudioCodeServer.start({
    program,
    folder,
    token,
    trust: !sample,
    // Kept from one start to the next: sessions and settings are still there.
    data: path.join(root, '.vscode-test/start'),
    install: [packageFile],
    present: [showPanel],
    ...(options.port === undefined ? {} : { port: Number(options.port) }),
  });
  undo.push(() => server.stop());
  const address = `http://127.0.0.1:${server.port}/?tkn=${token}`;
  say(`\nVS Code with Belay: ${address}`);
  say(`Workspace: ${folder}${sample ? ' (a copy of the sample, removed at the end)' : ''}`);
  say('Ctrl-C ends it.');
  if (!options['no-open']) openBrowser(address);
  server.tree.child.once('exit', () => process.kill(process.pid, 'SIGTERM'));
}

/** Builds and packs; what the packager prints is shown only when it fails. */
async function packageQuietly(): Promise<void> {
  if (isUpToDate(packageFile)) return;
  say('Building Belay …');
  const { code, output } = await capture(process.execPath, [
    path.join(root, 'test/rig/package.ts'),
  ]);
  if (code !== 0) throw new Error(`Belay could not be built:\n${output}`);
}

/** Opens the person's own browser where there is a display; it is theirs and stays open. */
function openBrowser(address: string): void {
  const display = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'];
  const opener =
    process.platform === 'darwin'
      ? onPath('open')
      : display !== undefined && display !== ''
        ? (onPath('xdg-open') ?? onPath('sensible-browser'))
        : undefined;
  if (opener === undefined) return;
  const tree = new ProcessTree(opener, [address], { stdio: 'ignore' });
  tree.child.on('error', () => say('The browser did not open: visit the address above.'));
  tree.child.unref();
}
