import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CenterPlace } from '../../../protocol/center/messages.ts';
import { type CenterSection, CENTER_SECTIONS } from '../../../protocol/center/view.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

const SECTION_TITLES: Readonly<Record<CenterSection, string>> = {
  mcp: l10n.t('MCP servers'),
  models: l10n.t('Models'),
  tools: l10n.t('Tools'),
  rules: l10n.t('Permission rules'),
  customizations: l10n.t('Instructions, skills and personas'),
  memory: l10n.t('Memory'),
  usage: l10n.t('Budgets and usage'),
  privacy: l10n.t('Privacy'),
  storage: l10n.t('Checkpoints and storage'),
};

/** Commands that show the Control Center, or a section of it. */
export function centerCommands({ center }: Pick<CommandServices, 'center'>) {
  return {
    'belay.openControlCenter': async (section, item) => center.open(placeOf(section, item)),
    'belay.showInControlCenter': async () => {
      const items = CENTER_SECTIONS.map((section) => ({ label: SECTION_TITLES[section], section }));
      const title = l10n.t('Belay: Show in Control Center');
      const chosen = await vscode.window.showQuickPick(items, { title });
      if (chosen !== undefined) await center.open({ section: chosen.section });
    },
  } satisfies Partial<CommandHandlers>;
}

/** Other extensions and keybindings may give anything. */
function placeOf(given: unknown, item: unknown): CenterPlace | undefined {
  const section = CENTER_SECTIONS.find((one) => one === given);
  if (section === undefined) return undefined;
  return typeof item === 'string' ? { section, item } : { section };
}
