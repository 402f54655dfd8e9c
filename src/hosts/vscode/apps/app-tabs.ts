import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../../core/ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import type { AppToOpen } from '../../../panel/services.ts';
import { openAsked } from '../panel/links.ts';
import { type AppFile, AppHost, type AppLook } from '../../../window/apps/app-host.ts';
import { type AppPage, appDocument, readAppPage } from '../../../window/apps/app-page.ts';

export interface AppTabsParts {
  /** The extension's folder. */
  readonly extension: vscode.Uri;
  readonly version: string;
  readonly read: (server: string, uri: string, signal: AbortSignal) => Promise<readonly unknown[]>;
  /** Calls a tool of the app's server, asked about as any other. */
  readonly call: (app: AppToOpen, name: string, input: JsonObject) => Promise<JsonObject>;
  /** Writes a message into the input of a session. */
  readonly offerMessage: (sessionId: string, text: string) => Promise<void>;
  /** Keeps a text of an app for the next message of its session; empty: none any more. */
  readonly setContext: (app: AppToOpen, text: string) => Promise<void>;
  readonly log: (line: string) => void;
  readonly clock: Clock;
}

/** Milliseconds for a server to give a page or a resource. */
const READ_TIME = 30_000;

/** Apps of MCP servers, each in a tab of its own: a webview that the panel shares nothing with. */
export class AppTabs implements Disposable {
  readonly #parts: AppTabsParts;
  readonly #tabs = new Map<string, vscode.WebviewPanel>();

  constructor(parts: AppTabsParts) {
    this.#parts = parts;
  }

  dispose(): void {
    for (const tab of this.#tabs.values()) tab.dispose();
  }

  /** Opens the app of a call, once; only a person's click does it. */
  async open(app: AppToOpen): Promise<void> {
    const known = this.#tabs.get(app.callId);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const { server, uri } = app;
    const contents = await this.#parts.read(server, uri, AbortSignal.timeout(READ_TIME));
    const page = await agreed(server, readAppPage(server, contents));
    if (page !== undefined) this.#show(app, page);
  }

  #show(app: AppToOpen, { html, domains }: AppPage): void {
    const { extension } = this.#parts;
    const media = vscode.Uri.joinPath(extension, 'media');
    const tab = vscode.window.createWebviewPanel(
      'belay.app',
      makeVisible(`${app.tool} (${app.server})`).slice(0, 60),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        enableForms: false,
        enableCommandUris: false,
        localResourceRoots: [media],
        retainContextWhenHidden: true,
      },
    );
    this.#tabs.set(app.callId, tab);
    tab.onDidDispose(() => this.#tabs.delete(app.callId));
    const { webview } = tab;
    const post = (message: JsonObject): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview, not a window
      void webview.postMessage(message);
    };
    let host: AppHost | undefined;
    webview.onDidReceiveMessage((message: unknown) => {
      if (!isJsonObject(message)) return;
      switch (message['kind']) {
        case 'ready':
          host ??= this.#host(app, lookOf(message), post, () => {
            tab.dispose();
          });
          post({ kind: 'page', html });
          break;
        case 'look':
          host?.looksLike(lookOf(message));
          break;
        case 'app':
          host?.receive(message['message']);
          break;
        case 'stopped':
          this.#parts.log(`${app.server}: ${JSON.stringify(message['why'])}`);
          break;
        default:
      }
    });
    const script = webview.asWebviewUri(vscode.Uri.joinPath(media, 'app-frame.js')).toString();
    webview.html = appDocument(domains, { script, source: webview.cspSource });
  }

  #host(
    app: AppToOpen,
    look: AppLook,
    post: (message: JsonObject) => void,
    close: () => void,
  ): AppHost {
    const { call, clock, log, offerMessage, read, setContext, version } = this.#parts;
    const who = l10n.t('The app of the MCP server “{0}”', makeVisible(app.server));
    return new AppHost(
      {
        call: app,
        version,
        post: (message) => post({ kind: 'message', message }),
        callTool: async (name, input) => call(app, name, input),
        readResource: async (uri) => read(app.server, uri, AbortSignal.timeout(READ_TIME)),
        openLink: async (url) => {
          if (!(await openAsked(url, who))) throw declined();
        },
        input: {
          offer: async (text) => {
            if (!(await mayWrite(who, text))) throw declined();
            await offerMessage(app.sessionId, text);
          },
          keep: async (text) => setContext(app, text),
        },
        save: async (files) => saveFiles(who, files),
        log: (line) => log(`${app.server}: ${line}`),
        stopped: (why) => void tellStopped(who, why, close),
        clock,
        close,
      },
      look,
    );
  }
}

const declined = (): BelayError => fault('permission', told`The person said no.`);

async function mayWrite(who: string, text: string): Promise<boolean> {
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('{0} wants to write into your message:', who),
    { modal: true, detail: makeVisible(text) },
    l10n.t('Write It'),
  );
  return chosen === l10n.t('Write It');
}

/** Each file is saved where the person says; without a place nothing more is asked. */
async function saveFiles(who: string, files: readonly AppFile[]): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  for (const { name, bytes } of files) {
    const target = await vscode.window.showSaveDialog({
      title: l10n.t('{0} gives you a file', who),
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    });
    if (target === undefined) throw declined();
    await vscode.workspace.fs.writeFile(target, bytes);
  }
}

async function tellStopped(who: string, why: string, close: () => void): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(`${who}: ${why}`, l10n.t('Close App'));
  if (chosen !== undefined) close();
}

/** An app that reaches out to others is asked about; it is shown without them, too. `undefined`: it is not shown. */
async function agreed(server: string, page: AppPage): Promise<AppPage | undefined> {
  const { connect, resource } = page.domains;
  const domains = [...new Set([...connect, ...resource])];
  if (domains.length === 0) return page;
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('Open the app of the MCP server “{0}”?', makeVisible(server)),
    {
      modal: true,
      detail: l10n.t('It wants to load from and to send to:\n{0}', domains.join('\n')),
    },
    l10n.t('Open'),
    l10n.t('Open Without These'),
  );
  if (chosen === undefined) return undefined;
  return chosen === l10n.t('Open') ? page : { ...page, domains: { connect: [], resource: [] } };
}

function lookOf({ theme, variables, width, height }: JsonObject): AppLook {
  return {
    theme: theme === 'light' ? 'light' : 'dark',
    variables: isJsonObject(variables) ? variables : {},
    width: typeof width === 'number' ? width : 0,
    height: typeof height === 'number' ? height : 0,
  };
}
