import type { ExtensionContext } from 'vscode';
import { speakAsVsCode } from './hosts/vscode/startup/language.ts';
import { Startup, type LightStart } from './hosts/vscode/startup/light-start.ts';

let startup: Startup | undefined;

/** Called by VS Code when it has started, or earlier when the panel is shown or a command of Belay is used. */
export function activate(context: ExtensionContext): LightStart {
  speakAsVsCode();
  startup = new Startup(context, async (doors, waits) => {
    const { composeWindow } = await import('./compose/vscode/window.ts');
    return composeWindow(context, doors, waits);
  });
  return startup.light;
}

/** Resolves when the last record is on disk; VS Code waits for it, within limits. */
export async function deactivate(): Promise<void> {
  await startup?.dispose();
  startup = undefined;
}
