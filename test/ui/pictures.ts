import path from 'node:path';
import { root } from '../rig/processes.ts';
import type { Theme, Workbench } from '../rig/workbench.ts';

/** Pictures in the repository change only when somebody wants them to. */
const isUpdate = process.env['BELAY_SCREENSHOTS'] === 'update';

/** Where pictures go. */
export const pictures = path.join(
  root,
  isUpdate ? 'test/ui/screenshots' : '.vscode-test/screenshots',
);

/** Themes of pictures, the usual one last. A run that only tests looks at that one: none of its checks is about colours. */
const themes: readonly Theme[] = isUpdate ? ['light', 'highContrast', 'dark'] : ['dark'];

/** Takes a picture in each theme; the usual one stays. */
export async function inEachTheme(
  workbench: Workbench,
  take: (theme: Theme) => Promise<unknown>,
): Promise<void> {
  for (const theme of themes) {
    await workbench.setTheme(theme);
    // Colours fade in.
    if (themes.length > 1) await workbench.page.waitForTimeout(600);
    await take(theme);
  }
}
