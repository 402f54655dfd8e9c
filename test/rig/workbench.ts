import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { ensureBrowser } from './browser.ts';
import { ensureVisualStudioCode } from './code-server.ts';
import { PATIENCE, until } from './until.ts';
import { VisualStudioCodeServer } from './visual-studio-code.ts';
import type { ServerOptions } from './visual-studio-code.ts';

/** VS Code's built-in themes, by what they stand for. */
export const themes = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

export type Theme = keyof typeof themes;

export interface WorkbenchOptions extends Omit<
  ServerOptions,
  'program' | 'automation' | 'token' | 'home'
> {
  /** The folder to open, absolute; none when absent. */
  readonly folder?: string;
  /** Extensions loaded from their source folders, absolute. VS Code then shows no notifications as toasts. */
  readonly development?: readonly string[];
  /** A CommonJS file that exports `run()`, loaded in the extension host; see `exitCode`. */
  readonly tests?: string;
  readonly theme?: Theme;
  /** Of the page, in CSS pixels. Default 1280 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real VS Code in a real browser. Dispose of it (`await using`, or `stop()`): it leaves no process behind. */
export class Workbench implements AsyncDisposable {
  readonly server: VisualStudioCodeServer;
  readonly browser: Browser;
  readonly page: Page;
  /** What the page and the extension host printed through VS Code's automation channel. */
  readonly logged: string[] = [];
  /** The exit code of `tests`. Pending for ever when there are none. */
  readonly exitCode: Promise<number>;
  private readonly options: WorkbenchOptions;

  private constructor(
    server: VisualStudioCodeServer,
    browser: Browser,
    page: Page,
    options: WorkbenchOptions,
  ) {
    this.server = server;
    this.browser = browser;
    this.page = page;
    this.options = options;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.exitCode = promise;
    this.resolveExit = resolve;
  }

  private readonly resolveExit: (code: number) => void;

  /** Starts VS Code and a browser, opens the folder and waits until the workbench is usable. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const say = (line: string): void => console.log(line);
    const program = await ensureVisualStudioCode(say);
    const executablePath = await ensureBrowser(say);
    const server = await VisualStudioCodeServer.start({
      ...options,
      program,
      // With its automation VS Code shows no notifications, so it is on only where it is needed.
      automation: options.development !== undefined || options.tests !== undefined,
      settings: settingsOf(options),
      // Whatever serves models on this machine is no part of a test.
      env: { ...withoutSecrets(), BELAY_LOCAL_SERVERS: '{}', ...options.env },
      home: true,
    });
    let browser: Browser | undefined;
    try {
      browser = await chromium.launch({
        executablePath,
        args: browserArgs,
        // Whoever runs the tests ends them; the browser goes with this process in any case.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      const context = await browser.newContext({
        viewport: options.viewport ?? { width: 1280, height: 800 },
      });
      const workbench = new Workbench(server, browser, await context.newPage(), options);
      await workbench.expose(context);
      await workbench.open();
      return workbench;
    } catch (error) {
      await browser?.close();
      await server.stop();
      throw error;
    }
  }

  /** The page's address. */
  get address(): string {
    const { folder, development, tests } = this.options;
    const authority = `127.0.0.1:${this.server.port}`;
    const remote = (file: string): string => `vscode-remote://${authority}${file}`;
    const payload = [
      ...(development ?? []).map((file) => ['extensionDevelopmentPath', remote(file)]),
      ...(tests === undefined ? [] : [['extensionTestsPath', remote(tests)]]),
    ];
    const query = new URLSearchParams();
    if (folder === undefined) query.set('ew', 'true');
    else query.set('folder', folder);
    if (payload.length > 0) query.set('payload', JSON.stringify(payload));
    return `http://${authority}/?${query.toString()}`;
  }

  /** Reloads the window by VS Code's own command, so that it can save its state, and waits until it is usable. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: PATIENCE });
    await Promise.all([loaded, this.choose('Developer: Reload Window')]);
    await this.usable();
  }

  /** Loads the page anew as a browser does, which VS Code is not told before, and waits until it is usable. */
  async loadAnew(): Promise<void> {
    await this.page.reload({ timeout: PATIENCE });
    await this.usable();
  }

  /** Runs a command of the palette by its title, as shown there, e.g. `Belay: New Session`. */
  async runCommand(title: string): Promise<void> {
    await this.choose(title);
    // Gone, or taken by what the command asks.
    await this.page.waitForFunction(() => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      const input = widget?.querySelector<HTMLInputElement>('input[type=text]');
      return widget?.offsetParent === null || input?.value.startsWith('>') !== true;
    });
  }

  /** Changes settings while VS Code runs; see `VisualStudioCodeServer.setSettings`. They arrive a moment later. */
  async updateSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.server.setSettings(changes);
  }

  /** Switches the colour theme and waits until the workbench shows it. */
  async setTheme(theme: Theme): Promise<void> {
    await this.updateSettings({ 'workbench.colorTheme': themes[theme] });
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  /** Resizes the page, in CSS pixels. */
  async setViewport(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /**
   * The inner document of the webview that contains `selector` (a webview is an iframe in an iframe).
   * Rejects when none has shown it within `patience` milliseconds.
   */
  async webview(selector = 'body', patience = PATIENCE): Promise<Frame> {
    return webviewOf(this.page, selector, patience);
  }

  /** Saves what the page shows as a PNG. */
  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }

  /** Kills the extension host, as a crash would. Returns how many processes were killed. */
  killExtensionHost(): number {
    const hosts = this.server.extensionHosts();
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    return hosts.length;
  }

  /** Ends the browser and VS Code and removes their data (kept when `data` was given). */
  async stop(): Promise<void> {
    try {
      await this.browser.close();
    } finally {
      await this.server.stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async expose(context: BrowserContext): Promise<void> {
    await context.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const line = args
        .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
        .join(' ');
      this.logged.push(`${type}: ${line}`);
    });
    await context.exposeFunction('codeAutomationExit', (code: number) => this.resolveExit(code));
  }

  private async open(): Promise<void> {
    await this.page.goto(this.address, { timeout: PATIENCE });
    await this.usable();
  }

  /** Finds a row of the palette by its whole title, and takes it: the first one may be another that is like it. */
  async choose(title: string): Promise<void> {
    // A palette that is open does not hear of a command that can be used since.
    await until(`the palette offers “${title}”`, async () => {
      await this.search(title);
      return this.focusRow(title);
    });
    await this.palette.press('Enter');
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name: string): Promise<void> {
    const { page } = this;
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
    await until(`${name} is offered`, async () => {
      await page.keyboard.press('Control+p');
      return happens(async () => {
        await this.palette.fill(name, { timeout: A_MOMENT });
        // Enter would take the row that had the focus before the list was filtered.
        await row.click({ timeout: A_MOMENT });
      });
    });
    await page.locator('.tab.active', { hasText: name }).waitFor();
  }

  /** Gives a row of the palette the focus, which is the one that Enter takes; `false`: it is not there, or did not come to rest. */
  private async focusRow(title: string): Promise<boolean> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    const row = rows.and(this.page.getByLabel(new RegExp(`^${escaped(title)}(,|$)`, 'u'))).first();
    if (!(await happens(() => row.waitFor({ timeout: A_MOMENT })))) return false;
    const hasFocus = async (): Promise<boolean> =>
      /\bfocused\b/u.test((await row.getAttribute('class', { timeout: A_MOMENT })) ?? '');
    for (let step = 0; step < PALETTE_ROWS; step += 1) {
      if (await happens(hasFocus)) {
        // The list is filtered after it is shown: then another row has the focus.
        await this.page.evaluate(twoFrames);
        if (await happens(hasFocus)) return true;
      }
      if (!(await happens(() => this.palette.press('ArrowDown', { timeout: A_MOMENT }))))
        return false;
    }
    return false;
  }

  /** Where the palette, and every other quick pick, is typed into. */
  get palette(): Locator {
    return this.page.locator('.quick-input-widget input[type=text]');
  }

  /** Opens the palette, types into it and waits for an answer: there always is one. */
  async search(text: string): Promise<void> {
    const answer = this.page.locator('.quick-input-list .monaco-list-row').first();
    // A key that is pressed while the page that has the focus is loaded reaches nobody.
    await until('the palette is open', async () => {
      await this.page.keyboard.press('F1');
      return happens(() => this.palette.fill(`>${text}`, { timeout: A_MOMENT }));
    });
    await answer.waitFor();
  }

  private async usable(): Promise<void> {
    const bar = this.page.locator('.monaco-workbench .part.statusbar');
    await bar.waitFor({ timeout: PATIENCE });
  }
}

/** Rows that the palette shows at once, at most. */
const PALETTE_ROWS = 20;

/** Milliseconds after which what was done without effect is done again. */
export const A_MOMENT = 5000;

/** Whether something comes true, or ends, in its own time. */
export async function happens(what: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await what()) !== false;
  } catch {
    return false;
  }
}

/** The inner document of the webview that contains `selector`; see `Workbench.webview`. */
export async function webviewOf(page: Page, selector: string, patience = PATIENCE): Promise<Frame> {
  return until(
    `a webview shows ${selector}`,
    async () => {
      for (const frame of page.frames()) {
        if (!frame.parentFrame()?.parentFrame()) continue;
        const found = frame.locator(selector);
        if ((await found.count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    },
    patience,
  );
}

const twoFrames = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

const themeClasses: Record<Theme, string> = {
  light: 'vs:not(.vs-dark)',
  dark: 'vs-dark',
  highContrast: 'hc-black',
  highContrastLight: 'hc-light',
};

function settingsOf(options: WorkbenchOptions): Record<string, unknown> {
  return {
    'workbench.colorTheme': themes[options.theme ?? 'dark'],
    'window.autoDetectColorScheme': false,
    'workbench.reduceMotion': 'on',
    // As on a desktop: in a browser VS Code saves after a second, wherever a test has got to by then.
    'files.autoSave': 'off',
    // The panel takes the focus when it has loaded: the palette stays, and is typed into all the same.
    'workbench.quickOpen.closeOnFocusLost': false,
    ...options.settings,
  };
}

/** Tests never see the keys of the person who runs them. */
function withoutSecrets(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) => name.startsWith('ANTHROPIC_'));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
