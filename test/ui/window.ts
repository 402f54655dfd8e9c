import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { A_MOMENT, happens, themes } from '../rig/workbench.ts';
import { say } from '../support/model-server/turn.ts';
import { BelayPage } from './belay-page.ts';
import type { BelayOptions } from './belay-page.ts';

/** Milliseconds of a start: more than all of its waits, so that the one that fails is told. */
const START_LIMIT = 600_000;

const pictures = path.join(root, '.vscode-test/failures');

/** Waits of the model's client are short here; their length is tested elsewhere. */
const sharedOptions: BelayOptions = {
  settings: {
    'belay.advanced': {
      modelRetryDelaySeconds: 0.01,
      modelRetries: 2,
      // A busy machine may need longer to show a page than Belay waits for a database that another process has.
      databaseTimeoutSeconds: 60,
    },
    'workbench.editor.useModal': 'off',
  },
};

/**
 * One VS Code for many cases, because a start costs more than most of them. Each case finds the window as after a start:
 * nothing open, an empty session, nothing pending, the workspace as it was. A case that failed leaves a picture and no
 * window behind, so the next case has a new one.
 */
class Window {
  private readonly options: BelayOptions;
  private belay: BelayPage | undefined;
  /** That sessions begin with. */
  private mode = '';

  constructor(options: BelayOptions) {
    this.options = options;
  }

  async fresh(): Promise<BelayPage> {
    if (this.belay !== undefined) {
      await tidy(this.belay, this.mode);
      // What was prepared for a window stays.
      if (this.options.prepare === undefined && this.options.noFolder !== true)
        await likeSample(this.belay.folder);
      return this.belay;
    }
    this.belay = await BelayPage.start(this.options);
    this.mode = await this.belay.presentMode();
    return this.belay;
  }

  /** Saves what the window shows, for whoever looks for the cause of a failure. */
  async picture(title: string): Promise<void> {
    const file = path.join(pictures, `${title.replaceAll(/[^\w]+/gu, '-').slice(0, 100)}.png`);
    await mkdir(pictures, { recursive: true });
    await this.belay?.workbench
      .screenshot(file)
      .then(() => console.log(`  What the window showed: ${path.relative(root, file)}`))
      .catch((error: unknown) => console.log(`  No picture of the window: ${String(error)}`));
  }

  async close(): Promise<void> {
    const { belay } = this;
    this.belay = undefined;
    await belay?.[Symbol.asyncDispose]();
  }
}

const shared = new Window(sharedOptions);
const permissive = new Window({
  settings: {
    'belay.permissions.mode': 'auto',
    'belay.permissions.rules': [{ effect: 'allow', tool: '*' }],
  },
});

after('the shared VS Codes end', async () => {
  await shared.close();
  await permissive.close();
});

/** Gives each case of a `describe` the window that all files share, of the packaged extension with a key. */
export function useSharedWindow(take: (belay: BelayPage) => void): void {
  useWindow(shared, take);
}

/** The same of a window where everything that may be allowed is. */
export function useSharedPermissiveWindow(take: (belay: BelayPage) => void): void {
  useWindow(permissive, take);
}

/** Gives each case of a `describe` one window of its own kind, which ends with the `describe`. */
export function useOwnWindow(options: BelayOptions, take: (belay: BelayPage) => void): void {
  const own = new Window(options);
  useWindow(own, take);
  after('its VS Code ends', () => own.close());
}

function useWindow(window: Window, take: (belay: BelayPage) => void): void {
  beforeEach('a window', async function () {
    this.timeout(START_LIMIT);
    take(await window.fresh());
  });
  afterEach('what a failed case left behind', async function () {
    if (this.currentTest?.state === 'passed') return;
    await window.picture(this.currentTest?.fullTitle() ?? 'unknown');
    await window.close();
  });
}

/** Brings a window back to what it was after its start. */
async function tidy(belay: BelayPage, mode: string): Promise<void> {
  const { page, workbench } = belay;
  belay.use(() => say('Hello.'));
  await page.setViewportSize({ width: 1280, height: 800 });
  const dialog = page.locator('.monaco-dialog-box');
  if ((await dialog.count()) > 0)
    throw new Error(`A dialog was left open: ${(await dialog.allInnerTexts()).join(' ')}`);
  await belay.until('nothing is asked', async () => {
    if (!(await workbench.palette.isVisible())) return true;
    await page.keyboard.press('Escape');
    return false;
  });
  await belay.until('the panel is in sight', async () => {
    if (await belay.side.isVisible()) return true;
    await belay.icon.click();
    return happens(() => belay.side.waitFor({ timeout: A_MOMENT }));
  });
  const stop = (await belay.panel())
    .locator('.run-status, .composer-bar')
    .getByRole('button', { name: /^Stop/u });
  // A run that is about to end by itself takes its button with it.
  if ((await stop.count()) > 0)
    await stop
      .first()
      .click({ timeout: 1000 })
      .catch(() => undefined);
  await belay.idle();
  await nothingPending(belay);
  await belay.closeEditors();
  if ((await page.locator('.notification-list-item').count()) > 0)
    await workbench.runCommand('Notifications: Clear All Notifications');
  if ((await page.locator('.monaco-workbench.vs-dark').count()) === 0)
    await workbench.updateSettings({ 'workbench.colorTheme': themes.dark });
  await belay.newSession();
  await belay.mode(mode);
  belay.forget();
}

/** Keeps what is pending. */
async function nothingPending({ page, workbench }: BelayPage): Promise<void> {
  const pending = page.locator('.statusbar-item', { hasText: /changes? to review/u });
  // The status bar is a moment behind what was just decided.
  const isGone = await pending.waitFor({ state: 'detached', timeout: 2000 }).then(
    () => true,
    () => false,
  );
  if (isGone) return;
  await workbench.runCommand('Belay: Keep All Pending Changes');
  await pending.waitFor({ state: 'detached' });
}

const sample = path.join(root, 'test/fixtures/sample-workspace');

/** Removes from a copy of the sample what is not in it, and brings back what is missing or has changed. */
async function likeSample(folder: string): Promise<void> {
  const wanted = new Set(await readdir(sample, { recursive: true }));
  for (const name of await readdir(folder, { recursive: true }))
    if (!wanted.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  for (const name of wanted) {
    const [from, to] = [path.join(sample, name), path.join(folder, name)];
    const content = await readFile(from).catch(() => undefined); // a folder has none
    if (content === undefined) await mkdir(to, { recursive: true });
    else if (!content.equals(await readFile(to).catch(() => Buffer.of()))) await cp(from, to);
  }
}
