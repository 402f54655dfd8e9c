import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { packageFile } from '../rig/package.ts';
import { copySampleWorkspace } from '../rig/sample-workspace.ts';
import { PATIENCE, until } from '../rig/until.ts';
import { A_MOMENT, happens, Workbench } from '../rig/workbench.ts';
import type { WorkbenchOptions } from '../rig/workbench.ts';
import { startModelServer } from '../support/model-server/server.ts';
import type { ModelServer, ModelServerOptions } from '../support/model-server/server.ts';
import { say } from '../support/model-server/turn.ts';
import type { Script, WireRequest } from '../support/model-server/turn.ts';

/** A key that looks like one; no test may find it anywhere but in a request's header. */
export const KEY = 'sk-ant-test-4f9d2c7b1e8a';

/** Milliseconds that VS Code shows a notification at least. */
const TOAST = 10_000;

/** What the panel shows when it is loaded: either the empty state or a conversation. */
const LOADED = '.empty, .row';

export interface BelayOptions extends Omit<WorkbenchOptions, 'install' | 'folder'> {
  /** What the model answers to the turns of a run; titles are answered by themselves. */
  readonly script?: Script;
  readonly server?: Omit<ModelServerOptions, 'script'>;
  /** `environment`: the key is in ANTHROPIC_API_KEY, which the person has said yes to. `none`: there is none. */
  readonly key?: 'environment' | 'none';
  /** Opens an empty window instead of the workspace. */
  readonly noFolder?: boolean;
  /** Prepares the workspace before it is opened. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/** The packaged extension in a real VS Code in a real browser, against a scripted model. */
export class BelayPage implements AsyncDisposable {
  readonly workbench: Workbench;
  readonly server: ModelServer;
  /** The workspace, a copy of the sample. */
  readonly folder: string;
  /** Requests that are forgotten. */
  private before = 0;

  private constructor(workbench: Workbench, server: ModelServer, folder: string) {
    this.workbench = workbench;
    this.server = server;
    this.folder = folder;
  }

  static async start(options: BelayOptions = {}): Promise<BelayPage> {
    const folder = await copySampleWorkspace();
    await options.prepare?.(folder);
    const server = await startModelServer({
      ...options.server,
      script: turns(options.script ?? (() => say('Hello.'))),
    });
    let workbench: Workbench | undefined;
    try {
      workbench = await Workbench.start({
        ...options,
        ...(options.noFolder === true ? {} : { folder }),
        install: [packageFile],
        settings: {
          'belay.model.baseUrl': server.url,
          ...(options.key === 'none' ? {} : { 'belay.model.keyVariable': 'ANTHROPIC_API_KEY' }),
          ...options.settings,
        },
        env: { ...(options.key === 'none' ? {} : { ANTHROPIC_API_KEY: KEY }), ...options.env },
      });
      const belay = new BelayPage(workbench, server, folder);
      belay.page.setDefaultTimeout(PATIENCE);
      await belay.icon.click();
      await workbench.webview(LOADED);
      return belay;
    } catch (error) {
      await workbench?.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The same without a word to VS Code before. */
  async loadAnew(): Promise<void> {
    await this.workbench.loadAnew();
    await this.workbench.webview(LOADED);
  }

  /** Kills the extension host, and waits for the panel of the next one. */
  async crashHost(): Promise<void> {
    const before = await this.panel();
    this.workbench.killExtensionHost();
    // What is typed into the panel of the dead one goes with it.
    await this.until('the panel goes', () => before.isDetached());
    await this.workbench.webview(LOADED);
  }

  get page(): Page {
    return this.workbench.page;
  }

  get icon(): Locator {
    return iconOf(this.page);
  }

  /** The view in the side bar. */
  get side(): Locator {
    return this.page.locator('.sidebar .composite.title', { hasText: 'Belay' });
  }

  /** Requests of runs since the last `forget`, titles not counted. */
  get turns(): readonly WireRequest[] {
    return this.server.requests
      .slice(this.before)
      .map((request) => request.body)
      .filter((body) => !isTitle(body));
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.before = this.server.requests.length;
  }

  /** Replaces what the model answers from now on. */
  use(script: Script): void {
    this.server.use(turns(script));
  }

  /** The panel's document, loaded: either the empty state or a conversation is there. */
  async panel(): Promise<Frame> {
    return this.workbench.webview(LOADED);
  }

  /** Reloads the window and waits until the panel is there again. */
  async reload(): Promise<void> {
    await this.workbench.reload();
    await this.workbench.webview(LOADED);
  }

  /** Shows an empty session: a new one, unless one is there that nothing was typed into. */
  async newSession(): Promise<void> {
    const empty = (await (await this.panel()).locator('.empty').count()) > 0;
    if (empty && (await (await this.input()).inputValue()) === '') return;
    const button = this.page
      .locator('.composite.title')
      .getByRole('button', { name: 'New Session' });
    // VS Code draws its buttons anew when a run ends: a click in that moment is lost.
    await this.until('a new session is shown', async () => {
      await button.click();
      const shown = (await this.panel()).locator('.empty');
      return happens(() => shown.waitFor({ timeout: A_MOMENT }));
    });
  }

  /** The label of the mode that is chosen. */
  async presentMode(): Promise<string> {
    const button = (await this.panel()).getByRole('button', { name: /^Mode: / });
    const label = (await button.getAttribute('aria-label')) ?? '';
    return /^Mode: ([^.]+)\./u.exec(label)?.[1] ?? '';
  }

  /** Chooses a mode by the key that walks through them; new sessions of the window begin with it. */
  async mode(label: string): Promise<void> {
    await this.until(`the mode is ${label}`, async () => {
      const before = await this.presentMode();
      if (before === label) return true;
      await (await this.input()).press('Shift+Tab');
      await this.until('the mode changes', async () => (await this.presentMode()) !== before);
      return false;
    });
  }

  async input(): Promise<Locator> {
    return (await this.panel()).getByRole('textbox', { name: 'Message to Belay' });
  }

  /** Shows a section of the Control Center by the palette. */
  async showInControlCenter(section: string): Promise<void> {
    await this.workbench.choose('Belay: Show in Control Center…');
    await this.page
      .locator('.quick-input-list .monaco-list-row', { hasText: section })
      .first()
      .click();
  }

  /** Sends a message with Enter. */
  async ask(text: string): Promise<void> {
    const input = await this.input();
    await input.fill(text);
    await input.press('Enter');
  }

  /** Waits until the panel shows a text. */
  async shows(text: string | RegExp): Promise<Locator> {
    return this.until(`the panel shows “${String(text)}”`, async () => {
      const found = (await this.panel()).getByText(text).first();
      return (await found.isVisible()) && found;
    });
  }

  /** Waits until no run is on. */
  async idle(): Promise<void> {
    await this.until(
      'no run is on',
      async () =>
        (await (await this.panel()).locator('.run-status, [data-question]').count()) === 0,
    );
  }

  async approval(title: string | RegExp = /./): Promise<Locator> {
    const name = typeof title === 'string' ? `Approval: ${title}` : /^Approval: /;
    const card = (await this.panel()).getByRole('group', { name });
    await card.waitFor();
    return card;
  }

  /** Says yes to the approval that shows `detail`, and waits until it is gone. */
  async allow(detail: string): Promise<void> {
    const card = (await this.panel())
      .getByRole('group', { name: /^Approval: / })
      .filter({ hasText: detail });
    await this.sayYes(card);
    await card.waitFor({ state: 'detached' });
  }

  /** Presses the yes of a card: it is there once all of the question was on the screen. */
  async sayYes(card: Locator): Promise<void> {
    const yes = card.locator('[data-answer="allow"]:enabled').first();
    const show = card.locator('[data-answer="show"]:enabled').first();
    await this.until('the question can be answered', async () => {
      // Not longer than the button waits before it means something else.
      if (await show.isVisible()) await show.click({ timeout: 300 }).catch(() => undefined);
      return yes.isVisible();
    });
    await yes.click();
  }

  /** The titles of the open editors. */
  async tabs(): Promise<string[]> {
    return this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /**
   * Waits until nothing that is decided is open any more. A file itself may be: VS Code opens one that has unsaved text
   * for most of a second, as when a busy machine saves what was accepted.
   */
  async diffsClose(): Promise<void> {
    await this.until('the diffs of what is decided close', async () =>
      (await this.tabs()).every((title) => /^[\w.]+$/u.test(title)),
    );
  }

  /** Closes all editors; fails where VS Code asks what to do with unsaved text. */
  async closeEditors(): Promise<void> {
    if ((await this.tabs()).length > 0) await this.workbench.choose('View: Close All Editors');
    await this.until('all editors are closed', async () => (await this.tabs()).length === 0);
  }

  /** Waits until a text is in Belay's database. */
  async onRecord(text: string): Promise<void> {
    const file = await this.database();
    await this.until(`“${text}” is on record`, async () => {
      const stored = [file, `${file}-wal`].map((one) => readFile(one).catch(() => Buffer.of()));
      return (await Promise.all(stored)).some((bytes) => bytes.includes(text));
    });
  }

  /** The file of Belay's database. Rejects when there is none. */
  async database(): Promise<string> {
    const { data } = this.workbench.server;
    const names = await readdir(data, { recursive: true });
    const name = names.find((one) => path.basename(one) === 'belay.db');
    if (name === undefined) throw new Error(`There is no database below ${data}.`);
    return path.join(data, name);
  }

  /** Presses a button of a notification. */
  async press(button: string, text: string | RegExp): Promise<void> {
    await this.until(`${button} of “${String(text)}” is pressed`, async () => {
      const one = await this.notification(text);
      const name = one.getByRole('button', { name: button, exact: true });
      // Behind the bell its buttons are there when it is unfolded.
      if (!(await name.isVisible())) await happens(() => one.click({ timeout: A_MOMENT }));
      return happens(() => name.click({ timeout: A_MOMENT }));
    });
  }

  /** A notification: its toast, or what is behind VS Code's bell of one that has gone by itself, or did not come among others. */
  async notification(text: string | RegExp): Promise<Locator> {
    const one = this.page.locator('.notification-list-item', { hasText: text }).first();
    return this.until(`“${String(text)}” is told`, async () => {
      if (await happens(() => one.waitFor({ timeout: TOAST }))) return one;
      await this.workbench.choose('Notifications: Show Notifications');
      return undefined;
    });
  }

  /** See `until`. */
  readonly until = until;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workbench.stop();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Belay's icon in the activity bar, with the badge that may cover it. */
export const iconOf = (page: Page): Locator =>
  page.locator('.activitybar .action-item', { has: page.locator('[aria-label^="Belay"]') });

/** Titles have no tools; their requests are not turns of a run and do not count. */
function isTitle(request: WireRequest): boolean {
  return (request.tools ?? []).length === 0;
}

function turns(script: Script): Script {
  let count = 0;
  return (request) => {
    if (isTitle(request)) return say('A day in the mountains');
    count += 1;
    return script(request, count);
  };
}
