import type { StdioOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { run } from './processes.ts';

/**
 * Chromium's engine without a browser's window: a window of VS Code starts with three fifths of the processor time, a page
 * of the panel with half.
 */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The first executable of that name on the PATH. */
export function onPath(name: string): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix)))
    .find(isExecutable);
}

/** The browser of the end-to-end tests: CHROME_PATH, else a Chromium on the PATH, one without a window first, or in its usual place. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') return isExecutable(chosen) ? chosen : undefined;
  for (const name of names) {
    const file = onPath(name);
    if (file !== undefined) return file;
  }
  return usual.find(isExecutable);
}

/** Finds a browser, and where none is, or only one with a window, installs Debian's when this user may. */
export async function ensureBrowser(say: (line: string) => void): Promise<string> {
  const chosen = process.env['CHROME_PATH'] ?? '';
  if (chosen === '' && onPath(shell) === undefined) await (installing ??= install(say));
  const found = findBrowser();
  if (found !== undefined) return found;
  throw new Error(
    'The tests in a real VS Code need a Chromium, and there is none: install chromium or Google Chrome ' +
      `(Debian: sudo apt-get install ${shell}), or set CHROME_PATH to one.`,
  );
}

let installing: Promise<void> | undefined;

/** An older Debian has only the one with a window. */
async function install(say: (line: string) => void): Promise<void> {
  const apt = onPath('apt-get');
  if (apt === undefined || process.getuid?.() !== 0) return;
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'] satisfies StdioOptions,
  };
  say('Installing a Chromium without a window with apt-get …');
  await run(apt, ['-q', 'update'], options);
  for (const name of findBrowser() === undefined ? [shell, 'chromium'] : [shell])
    if ((await run(apt, ['-qy', 'install', name], options)) === 0) return;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
