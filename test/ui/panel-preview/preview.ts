import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { pageOptions, type panelEntries } from '../../../esbuild.mjs';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { PanelTransport } from '../../../src/panel/services.ts';
import { listSlashCommands } from '../../../src/manifest/slash-commands.ts';
import { diagramHtml, panelHtml, panelOptions } from '../../../src/panel/html.ts';
import type { LANGUAGES } from '../../../src/manifest/localized.ts';
import { pseudo } from '../../boundary/said-texts.ts';
import { ensureBrowser } from '../../rig/browser.ts';
import { root } from '../../rig/processes.ts';

export type PreviewTheme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

/** A theme, and the size of the page in CSS pixels. */
export interface Look {
  readonly theme: PreviewTheme;
  readonly width: number;
  readonly height: number;
  /** Absent: English. `pseudo`: each text that is translated stands in ‹brackets›, and is half as long again. */
  readonly language?: Language;
}

export type Language = 'en' | 'pseudo' | (typeof LANGUAGES)[number];

interface ThemeValues {
  readonly body: string;
  readonly variables: Readonly<Record<string, string>>;
}

type PageName = keyof typeof panelEntries;

const NONCE = 'preview';

/**
 * The panel's page outside of VS Code: the same HTML with the same content security policy and the
 * same sandbox, the bundle as it ships, the colours of VS Code's own themes. Everything is on loopback.
 */
export class Preview implements AsyncDisposable {
  readonly #files: Map<string, Uint8Array>;
  readonly #server: Server;
  readonly #browser: Browser;
  readonly #themes: Readonly<Record<PreviewTheme, ThemeValues>>;

  private constructor(
    server: Server,
    browser: Browser,
    themes: Readonly<Record<PreviewTheme, ThemeValues>>,
    files: Map<string, Uint8Array>,
  ) {
    this.#files = files;
    this.#server = server;
    this.#browser = browser;
    this.#themes = themes;
  }

  static async start(): Promise<Preview> {
    const files = new Map([...(await bundle('panel')), ...(await bundle('center'))]);
    const themes = JSON.parse(
      await readFile(path.join(import.meta.dirname, 'themes.json'), 'utf8'),
    ) as Record<PreviewTheme, ThemeValues>;
    let origin = '';
    const server = createServer((request, response) => {
      const address = new URL(request.url ?? '/', 'http://127.0.0.1');
      const name = address.pathname.slice(1);
      const file = files.get(name);
      if (name === 'panel' || name === 'center' || name === 'diagram') {
        const page = {
          script: `/${name}.js`,
          style: `/${name}.css`,
          source: origin,
          nonce: NONCE,
          commands: JSON.stringify(listSlashCommands()),
          ...spokenIn(address.searchParams.get('language') ?? 'en'),
        };
        const script = files.get('diagram.js');
        const html =
          name === 'diagram' && script !== undefined
            ? diagramHtml(page, new TextDecoder().decode(script))
            : panelHtml(page);
        response.setHeader('content-security-policy', sandbox());
        response.setHeader('content-type', 'text/html').end(withApi(html));
      } else if (file === undefined) {
        response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
      } else {
        response.setHeader('content-type', typeOf(name)).end(file);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const executablePath = await ensureBrowser((line) => console.log(line));
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
    return new Preview(server, browser, themes, files);
  }

  /** Opens a page; `connect` joins it to its host. `again`: a page that was opened before, and is let go by its host. */
  async open(
    connect: (transport: PanelTransport) => void,
    look: Look,
    name: PageName = 'panel',
    again?: PreviewPage,
  ): Promise<PreviewPage> {
    // Its library is large, and one file of tests needs it.
    if (name === 'diagram')
      for (const [made, content] of await bundle('diagram')) this.#files.set(made, content);
    const opened = again ?? (await this.#newPage(look));
    if (again !== undefined) await again.leave(look);
    connect(opened.transport);
    const address = this.#server.address() as AddressInfo;
    await opened.page.goto(
      `http://127.0.0.1:${address.port}/${name}?language=${look.language ?? 'en'}`,
    );
    await opened.dress(look.theme);
    return opened;
  }

  async #newPage({ width, height }: Look): Promise<PreviewPage> {
    const page = await this.#browser.newPage({
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    const opened = new PreviewPage(page, this.#themes);
    await page.exposeFunction('toHost', (message: unknown) => opened.receive(message));
    page.on('console', (message) => {
      // The rights are those that VS Code gives.
      if (!/can escape its sandboxing/u.test(message.text()))
        opened.console.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => opened.console.push(`error: ${error.message}`));
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

/** All sources are read for it: once. */
let pseudoWords: string | undefined;

/** The language of a page and its translations, as a window gives them. */
function spokenIn(language: string): { language: string; words: string } {
  if (language === 'en') return { language, words: '{}' };
  // A language of its own, with the plurals of English.
  if (language === 'pseudo')
    return { language: 'en-x-pseudo', words: (pseudoWords ??= JSON.stringify(pseudo('panel'))) };
  const file = path.join(root, `l10n/panel.l10n.${language}.json`);
  return { language, words: readFileSync(file, 'utf8') };
}

/** One page with the panel in it. */
export class PreviewPage {
  readonly page: Page;
  readonly console: string[] = [];
  /** Messages and bytes that were posted to the panel. */
  readonly posted = { messages: 0, bytes: 0 };
  readonly #listeners = new Set<(message: unknown) => void>();
  readonly #visibility = new Set<() => void>();
  visible = true;
  readonly #themes: Readonly<Record<PreviewTheme, ThemeValues>>;

  constructor(page: Page, themes: Readonly<Record<PreviewTheme, ThemeValues>>) {
    this.page = page;
    this.#themes = themes;
  }

  /** Lets go of its host, forgets what it kept, and takes the size of what comes next. */
  async leave({ width, height }: Look): Promise<void> {
    this.#listeners.clear();
    this.#visibility.clear();
    this.console.length = 0;
    await this.page.evaluate(() => sessionStorage.clear());
    await this.page.setViewportSize({ width, height });
  }

  receive(message: unknown): void {
    for (const listener of this.#listeners) listener(message);
  }

  get transport(): PanelTransport {
    const isVisible = (): boolean => this.visible;
    return {
      get visible() {
        return isVisible();
      },
      post: (message) => {
        this.posted.messages += 1;
        this.posted.bytes += Buffer.byteLength(JSON.stringify(message));
        void this.page
          .evaluate((data) => window.postMessage(data, '*'), message)
          .catch(() => undefined);
      },
      onMessage: (listener) => add(this.#listeners, listener),
      onVisibility: (listener) => add(this.#visibility, listener),
    };
  }

  async dress(theme: PreviewTheme): Promise<void> {
    await this.page.evaluate(({ body, variables }) => {
      document.body.className = `${body} vscode-reduce-motion`;
      const { style } = document.documentElement;
      const former = [...style].filter((name) => name.startsWith('--vscode-'));
      for (const name of former) style.removeProperty(name);
      for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
      document.body.style.background =
        'var(--vscode-sideBar-background, var(--vscode-editor-background))';
    }, this.#themes[theme]);
  }

  /** Shows the page as it is in another theme and size, and waits until it is drawn. */
  async look({ theme, width, height }: Look): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.dress(theme);
    await this.drawn();
  }

  /** Resolves when what has changed is on the screen: what watches sizes has been called, too. */
  async drawn(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }

  async shoot(file: string): Promise<void> {
    await this.page.evaluate(() => document.fonts.ready);
    await this.page.screenshot({ path: file });
  }

  /** Makes the page as high as the conversation. */
  async showAll(): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 300, height: 720 };
    const more = await this.page
      .locator('.scroll')
      .evaluate((box) => box.scrollHeight - box.clientHeight);
    await this.page.setViewportSize({ width, height: height + more });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

function add<Listener>(listeners: Set<Listener>, listener: Listener): { dispose(): void } {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
}

/** A page's bundle, as `npm run build` makes it, without writing it to dist. */
export async function bundle(name: PageName): Promise<Map<string, Uint8Array>> {
  const options = pageOptions(true, name);
  const plugins = (options.plugins ?? []).filter((plugin) => plugin.name !== 'write');
  const result = await esbuild.build({ ...options, plugins });
  return new Map(
    (result.outputFiles ?? []).map((file) => [path.basename(file.path), file.contents]),
  );
}

/** The sandbox of the frame that VS Code puts a webview with these options into. */
function sandbox(): string {
  const { enableScripts, enableForms } = panelOptions('dist');
  const rights = [
    'allow-same-origin',
    'allow-pointer-lock',
    ...(enableScripts ? ['allow-scripts', 'allow-downloads'] : []),
    ...(enableForms ? ['allow-forms'] : []),
  ];
  return `sandbox ${rights.join(' ')}`;
}

/** What VS Code gives to a webview. */
function withApi(html: string): string {
  const api = `<script nonce="${NONCE}">
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.toHost(message),
      getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
      setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
    });
  </script>`;
  return html.replace('</head>', `${api}</head>`);
}

function typeOf(name: string): string {
  if (name.endsWith('.js')) return 'text/javascript';
  if (name.endsWith('.css')) return 'text/css';
  return 'font/ttf';
}
