import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { run } from './processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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

/** The browser the end-to-end tests use: CHROME_PATH, else a Chromium on the PATH or in its usual place. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') return isExecutable(chosen) ? chosen : undefined;
  for (const name of names) {
    const file = onPath(name);
    if (file !== undefined) return file;
  }
  return usual.find(isExecutable);
}

/** Finds a browser, and where there is none installs Debian's Chromium when this user may. */
export async function ensureBrowser(say: (line: string) => void): Promise<string> {
  const found = findBrowser();
  if (found !== undefined) return found;
  const apt = onPath('apt-get');
  if (apt !== undefined && process.getuid?.() === 0) {
    say('No Chromium found: installing it with apt-get …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] as const };
    await run(apt, ['-q', 'update'], { ...quiet, stdio: [...quiet.stdio] });
    await run(apt, ['-qy', 'install', 'chromium'], { ...quiet, stdio: [...quiet.stdio] });
    const installed = findBrowser();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The tests in a real VS Code need a Chromium, and there is none: install chromium or Google Chrome ' +
      '(Debian: sudo apt-get install chromium), or set CHROME_PATH to one.',
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
