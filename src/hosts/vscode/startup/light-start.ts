import * as vscode from 'vscode';
import { dataFolder } from '../../../window/startup/data-folder.ts';
import { declaredCommands } from '../commands/declared-commands.ts';
import { LightDoors, type Doors } from './doors.ts';
import { showPage } from './show-page.ts';
import { mayWait } from '../../../window/startup/waiting-mark.ts';

/** Parts that are loaded when something needs them. */
interface Loaded {
  dispose(): Promise<void>;
}

/** The light step's finding and cost; for measurements. */
export interface LightStart {
  /** Until it was done, milliseconds. */
  readonly milliseconds: number;
  /** Bytes of the JavaScript heap that it took. */
  readonly bytes: number;
  /** True when the rest was loaded because something may wait. */
  readonly waits: boolean;
  isLoaded(): boolean;
}

/**
 * The first step when VS Code has started: it looks whether something waits, and only then loads the rest,
 * which otherwise comes with the first use. No database is opened here.
 */
export class Startup {
  readonly light: LightStart;
  readonly #doors: LightDoors;
  #loading: Promise<Loaded> | undefined;

  constructor(
    context: vscode.ExtensionContext,
    load: (doors: Doors, waits: boolean) => Promise<Loaded>,
  ) {
    const from = performance.now();
    const before = process.memoryUsage().heapUsed;
    const loadOnce = async (): Promise<void> => {
      this.#loading ??= load(this.#doors, waits);
      await this.#loading;
    };
    const icon = vscode.Uri.joinPath(context.extensionUri, 'media/belay.svg');
    this.#doors = new LightDoors(
      loadOnce,
      (view) => showPage(context, view),
      icon,
      declaredCommands(context.extension).map(({ command }) => command),
    );
    const waits = mayWait(dataFolderOf(context)) || showsOldTab();
    this.light = {
      milliseconds: performance.now() - from,
      bytes: Math.max(0, process.memoryUsage().heapUsed - before),
      waits,
      isLoaded: () => this.#loading !== undefined,
    };
    // Who waits for the activation does not wait for this; a failure was told.
    if (waits) loadOnce().catch(() => undefined);
  }

  async dispose(): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.dispose();
    this.#doors.dispose();
  }
}

/** The folder of this workspace's database. */
export function dataFolderOf({
  storageUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): string {
  return storageUri === undefined
    ? vscode.Uri.joinPath(globalStorageUri, 'no-folder').fsPath
    : dataFolder(storageUri.fsPath);
}

/** A document of Belay's own that was open before a reload: without its provider it shows an error. */
function showsOldTab(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    const uris =
      input instanceof vscode.TabInputText
        ? [input.uri]
        : input instanceof vscode.TabInputTextDiff
          ? [input.original, input.modified]
          : [];
    return uris.some(({ scheme }) => scheme.startsWith('belay-'));
  });
}
