import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { packageFile } from '../../rig/package.ts';
import { root } from '../../rig/processes.ts';
import { buildFloor } from './build-floor.ts';
import { copySampleWorkspace } from '../../rig/sample-workspace.ts';
import { Workbench } from '../../rig/workbench.ts';
import { startModelServer, type ModelServer } from '../../support/model-server/server.ts';
import { say, type Script } from '../../support/model-server/turn.ts';

/** What is measured: Belay, the floor under it, or VS Code alone. */
export type SubjectName = 'Belay' | 'floor' | 'VS Code';

/** An extension with a panel in a real VS Code in a browser, against a scripted model. */
export class Subject implements AsyncDisposable {
  readonly name: SubjectName;
  readonly workbench: Workbench;
  readonly #server: ModelServer;
  readonly #folder: string;
  /** When the last request arrived, milliseconds since the epoch. */
  arrived = 0;

  private constructor(name: SubjectName, parts: readonly [Workbench, ModelServer, string]) {
    this.name = name;
    [this.workbench, this.#server, this.#folder] = parts;
  }

  static async start(name: SubjectName, settings: Record<string, unknown> = {}): Promise<Subject> {
    const folder = await copySampleWorkspace();
    const server = await startModelServer({ script: () => say('Hello.'), record: false });
    const workbench = await Workbench.start({
      folder,
      ...(name === 'Belay' && { install: [process.env['BELAY_PANEL_VSIX'] ?? packageFile] }),
      ...(name === 'floor' && { present: [await floorFolder()] }),
      settings: {
        'belay.model.baseUrl': server.url,
        'belay.model.keyVariable': 'ANTHROPIC_API_KEY',
        'floor.url': server.url,
        'workbench.editor.useModal': 'off',
        ...settings,
      },
      env: { ANTHROPIC_API_KEY: 'sk-ant-test-of-the-bench' },
    });
    // A shared machine may be busy with others.
    workbench.page.setDefaultTimeout(180_000);
    const subject = new Subject(name, [workbench, server, folder]);
    subject.use(() => say('Hello.'));
    await workbench.page.context().addInitScript(WATCH);
    return subject;
  }

  /** What the model answers from now on; titles are answered by themselves. */
  use(script: Script): void {
    this.#server.use((request, n) => {
      if (this.name === 'Belay' && (request.tools ?? []).length === 0) return say('A title');
      this.arrived = Date.now();
      return script(request, n);
    });
  }

  get icon(): Locator {
    const { page } = this.workbench;
    return page.locator('.activitybar .action-item', {
      has: page.locator(`[aria-label^="${this.name === 'Belay' ? 'Belay' : 'Floor'}"]`),
    });
  }

  /** The page of the panel. */
  async panel(): Promise<Frame> {
    return this.workbench.webview('textarea', 60_000);
  }

  async input(): Promise<Locator> {
    return (await this.panel()).locator('textarea').first();
  }

  /** Shows the panel with a click; milliseconds from it until the input can be typed into. */
  async open(): Promise<number> {
    const { page } = this.workbench;
    await page.evaluate(() => {
      const clicked = (): void => void Object.assign(window, { clickedAt: Date.now() });
      document.addEventListener('mousedown', clicked, { capture: true, once: true });
      document.addEventListener('pointerdown', clicked, { capture: true, once: true });
    });
    await this.icon.click({ timeout: 60_000 });
    const frame = await this.panel();
    await frame.waitForFunction(() => 'usableAt' in window, undefined, { timeout: 60_000 });
    const usable = await frame.evaluate(() => (window as unknown as Times).usableAt);
    return usable - (await page.evaluate(() => (window as unknown as Times).clickedAt));
  }

  /** Milliseconds from the click that showed the panel until the conversation was on screen. */
  async conversationShown(): Promise<number> {
    const frame = await this.panel();
    await frame.waitForFunction(() => 'conversationAt' in window, undefined, { timeout: 60_000 });
    const shown = await frame.evaluate(() => (window as unknown as Times).conversationAt);
    return (
      shown - (await this.workbench.page.evaluate(() => (window as unknown as Times).clickedAt))
    );
  }

  /** Reloads the window with the panel out of sight, and waits until VS Code has come to rest. */
  async restart(rest = 4000): Promise<void> {
    const { workbench } = this;
    await workbench.choose('View: Show Explorer');
    await workbench.reload();
    await workbench.page.waitForTimeout(rest);
  }

  /** Milliseconds of loading and activating the extension, as VS Code counts them. */
  async activation(): Promise<number> {
    const { workbench } = this;
    // High enough for the list to draw all of its rows.
    await workbench.setViewport(1280, 4000);
    await workbench.runCommand('Developer: Show Running Extensions');
    const name = this.name === 'Belay' ? 'Belay' : 'floor';
    const row = workbench.page.locator('.monaco-list-row .extension', { hasText: name });
    const said = await row.locator('.activation-time').first().innerText();
    await workbench.setViewport(1280, 800);
    await workbench.page.waitForTimeout(500);
    return Number(/(\d+)\s*ms/u.exec(said)?.[1] ?? Number.NaN);
  }

  /** Memory of the extension host, megabytes. */
  memory(): number {
    return sum(this.workbench.server.extensionHosts(), (id) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1000;
    });
  }

  /** Processor time of the extension host so far, milliseconds. */
  cpu(): number {
    return sum(this.workbench.server.extensionHosts(), (id) =>
      sum(readdirSync(`/proc/${id}/task`), (task) => {
        const stat = readFileSync(`/proc/${id}/task/${task}/stat`, 'utf8');
        const [user, system] = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .slice(11, 13);
        return (Number(user) + Number(system)) * 10;
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workbench.stop();
    await this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The built floor, in a folder of its name. */
async function floorFolder(): Promise<string> {
  const folder = path.join(root, '.vscode-test/floor');
  await buildFloor(folder);
  return folder;
}

interface Times {
  readonly clickedAt: number;
  readonly usableAt: number;
  readonly conversationAt: number;
}

/** Runs in each frame from its beginning: notes when an input is on the screen. */
const WATCH = `if (window.top !== window) {
  const from = Date.now();
  const timer = setInterval(() => {
    const input = document.querySelector('textarea');
    if (input !== null && !input.disabled && input.getClientRects().length > 0) {
      clearInterval(timer);
      requestAnimationFrame(() => setTimeout(() => { window.usableAt = Date.now(); }));
    } else if (Date.now() - from > 30000) clearInterval(timer);
  }, 4);
  const rows = setInterval(() => {
    if (document.querySelector('.row.request') === null && Date.now() - from < 30000) return;
    clearInterval(rows);
    requestAnimationFrame(() => setTimeout(() => { window.conversationAt = Date.now(); }));
  }, 4);
}`;

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
