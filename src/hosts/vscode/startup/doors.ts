import * as vscode from 'vscode';
import { COMMANDS, type CommandId, ofView, VIEW_COMMANDS } from '../../../manifest/commands.ts';
import { CENTER_TAB, SESSION_TAB } from '../../../manifest/context-key-names.ts';

type Restore = (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;

type Run = (...args: unknown[]) => Promise<void>;

/** The places through which a person comes to Belay; behind them it may still be asleep. */
export interface Doors {
  /** The commands are ready. `meanView`: from now on they mean the view. */
  openCommands(handlers: Readonly<Record<CommandId, Run>>, meanView: () => void): void;
  /** A tab of the Control Center that a reload left open can be taken. */
  openCenter(restore: Restore): void;
  /** Tabs with sessions that a reload left open can be taken. */
  openTabs(restore: Restore): void;
  /** The panel is ready. */
  openPanel(provider: vscode.WebviewViewProvider): void;
}

/** The view of the panel; the manifest names it. */
const PANEL = 'belay.panel';
const ADD_SERVER: CommandId = 'belay.addMcpServer';

/**
 * Stands in for everything that VS Code would otherwise wake Belay for: once an extension is active, using
 * a command or opening a view wakes nothing any more. Whatever is used first loads the rest, and waits for it.
 */
export class LightDoors implements Doors, vscode.Disposable {
  readonly #load: () => Promise<void>;
  readonly #open: vscode.Disposable[] = [];
  readonly #commands = Promise.withResolvers<{
    readonly handlers: Readonly<Record<CommandId, Run>>;
    readonly meanView: () => void;
  }>();
  readonly #center = Promise.withResolvers<Restore>();
  readonly #tabs = Promise.withResolvers<Restore>();
  readonly #panel = Promise.withResolvers<vscode.WebviewViewProvider>();

  /**
   * @param load loads the rest, once; rejects when it cannot, which the person was told
   * @param waiting shows something in the panel's view until its own content comes, or in its place
   */
  constructor(
    load: () => Promise<void>,
    waiting: (view: vscode.WebviewView, failed: boolean) => void,
  ) {
    this.#load = load;
    for (const id of Object.keys(COMMANDS) as CommandId[]) {
      this.#open.push(
        vscode.commands.registerCommand(id, async (...args: unknown[]) => {
          const ready = await this.#ready(this.#commands.promise);
          await ready?.handlers[id](...args);
        }),
      );
    }
    for (const id of VIEW_COMMANDS) {
      this.#open.push(
        vscode.commands.registerCommand(ofView(id), async (...args: unknown[]) => {
          const ready = await this.#ready(this.#commands.promise);
          ready?.meanView();
          await ready?.handlers[id](...args);
        }),
      );
    }
    // An install link of an MCP server: the command shows it, and does nothing unasked.
    this.#open.push(
      vscode.window.registerUriHandler({
        handleUri: ({ path, query }) =>
          void vscode.commands.executeCommand(ADD_SERVER, { path, query }),
      }),
    );
    this.#open.push(
      vscode.window.registerWebviewViewProvider(
        PANEL,
        {
          resolveWebviewView: async (view, context, token) => {
            waiting(view, false);
            const provider = await this.#ready(this.#panel.promise);
            if (provider === undefined) waiting(view, true);
            else await provider.resolveWebviewView(view, context, token);
          },
        },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
      this.#restoring(CENTER_TAB, this.#center.promise),
      this.#restoring(SESSION_TAB, this.#tabs.promise),
    );
  }

  openCommands(handlers: Readonly<Record<CommandId, Run>>, meanView: () => void): void {
    this.#commands.resolve({ handlers, meanView });
  }

  openCenter(restore: Restore): void {
    this.#center.resolve(restore);
  }

  openTabs(restore: Restore): void {
    this.#tabs.resolve(restore);
  }

  openPanel(provider: vscode.WebviewViewProvider): void {
    this.#panel.resolve(provider);
  }

  dispose(): void {
    for (const one of this.#open.toReversed()) one.dispose();
  }

  #restoring(viewType: string, restoring: Promise<Restore>): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (tab, state) => {
        const restore = await this.#ready(restoring);
        if (restore === undefined) tab.dispose();
        else await restore(tab, state);
      },
    });
  }

  /** The thing behind a door, as soon as it is there; `undefined` when it cannot be. */
  async #ready<Thing>(thing: Promise<Thing>): Promise<Thing | undefined> {
    const loading = this.#load();
    try {
      return await Promise.race([thing, loading.then(async () => thing)]);
    } catch {
      return undefined; // the person was told
    }
  }
}
