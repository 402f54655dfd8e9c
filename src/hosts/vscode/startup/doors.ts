import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands.ts';
import { INTERNAL_COMMANDS } from '../../../manifest/internal-commands.ts';
import { CENTER_TAB, SESSION_TAB } from '../../../manifest/context-key-names.ts';
import type { EarlyPage } from '../../../panel/early-page.ts';
import { type NativeSurfaces, openNativeDoors } from './native-doors.ts';

type Restore = (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;

/** Runs a command by its id. Never rejects: a failure is shown. */
type Run = (id: CommandId, args: readonly unknown[]) => Promise<void>;

/** The places through which a person comes to Belay; behind them it may still be asleep. */
export interface Doors {
  /** The commands are ready. `meanView`: from now on they mean the view. */
  openCommands(run: Run, meanView: () => void): void;
  /** A tab of the Control Center that a reload left open can be taken. */
  openCenter(restore: Restore): void;
  /** Tabs with sessions that a reload left open can be taken. */
  openTabs(restore: Restore): void;
  /** The panel is ready. */
  openPanel(panel: PanelDoor): void;
  /** Other parts of VS Code, which ask for Belay, can be answered. */
  openNative(surfaces: NativeSurfaces): void;
}

/** Takes over a view that shows its page already. */
export type PanelDoor = (view: vscode.WebviewView, page: EarlyPage) => void;

/** The view of the panel; the manifest names it. */
const PANEL = 'belay.panel';
/** A command of a place: its id, and the way in which the place means it. */
const VARIANT = /^(.+)\.(view|title)$/u;
/** Shows the panel at once, whatever else it waits for. */
const FOCUS: CommandId = 'belay.focusPanel';

/**
 * Stands in for everything that VS Code would otherwise wake Belay for: once an extension is active, using
 * a command or opening a view wakes nothing any more. Whatever is used first loads the rest, and waits for it.
 */
export class LightDoors implements Doors, vscode.Disposable {
  readonly #load: () => Promise<void>;
  readonly #open: vscode.Disposable[] = [];
  readonly #commands = Promise.withResolvers<{
    readonly run: Run;
    readonly meanView: () => void;
  }>();
  readonly #center = Promise.withResolvers<Restore>();
  readonly #tabs = Promise.withResolvers<Restore>();
  readonly #panel = Promise.withResolvers<PanelDoor>();
  readonly #native = Promise.withResolvers<NativeSurfaces>();

  /**
   * @param load loads the rest, once; rejects when it cannot, which the person was told
   * @param show shows the panel's page in its view
   * @param icon of `@belay`
   * @param commands ids that the manifest declares
   */
  constructor(
    load: () => Promise<void>,
    show: (view: vscode.WebviewView) => EarlyPage,
    icon: vscode.Uri,
    commands: readonly string[],
  ) {
    this.#load = load;
    this.#open.push(openNativeDoors(async () => this.#ready(this.#native.promise), icon));
    for (const declared of [...commands, ...Object.keys(INTERNAL_COMMANDS)]) {
      const [, id = declared, variant] = VARIANT.exec(declared) ?? [];
      this.#open.push(
        vscode.commands.registerCommand(declared, async (...args: unknown[]) => {
          if (id === FOCUS) await vscode.commands.executeCommand(`${PANEL}.focus`);
          const ready = await this.#ready(this.#commands.promise);
          if (variant === 'view') ready?.meanView();
          await ready?.run(id as CommandId, args);
        }),
      );
    }
    this.#open.push(
      vscode.window.registerWebviewViewProvider(
        PANEL,
        {
          resolveWebviewView: async (view) => {
            const page = show(view);
            const panel = await this.#ready(this.#panel.promise);
            if (panel === undefined) page.fail();
            else panel(view, page);
          },
        },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
      this.#restoring(CENTER_TAB, this.#center.promise),
      this.#restoring(SESSION_TAB, this.#tabs.promise),
    );
  }

  openCommands(run: Run, meanView: () => void): void {
    this.#commands.resolve({ run, meanView });
  }

  openCenter(restore: Restore): void {
    this.#center.resolve(restore);
  }

  openTabs(restore: Restore): void {
    this.#tabs.resolve(restore);
  }

  openPanel(panel: PanelDoor): void {
    this.#panel.resolve(panel);
  }

  openNative(surfaces: NativeSurfaces): void {
    this.#native.resolve(surfaces);
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
