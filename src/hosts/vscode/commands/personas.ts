import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Persona } from '../../../core/customizations/persona.ts';
import { NO_PERSONA } from '../../../domain/persona.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import type { CommandServices } from './services.ts';

interface Item extends vscode.QuickPickItem {
  readonly value: string | undefined;
}

/** Asks for a persona, for the session on screen or for new ones; it counts from the next message on. */
export async function choosePersona(
  { engine, panel, view }: Pick<CommandServices, 'engine' | 'panel' | 'view'>,
  title: string,
): Promise<void> {
  const { personas } = await engine.customizations.found();
  const present = panel.options.persona ?? '';
  const items: Item[] = [
    {
      label: l10n.t('None'),
      description: present === '' || present === NO_PERSONA ? l10n.t('chosen') : '',
      detail: l10n.t('Belay’s own instructions, and all tools of your level'),
      value: NO_PERSONA,
    },
    ...personas
      .filter(({ state }) => state === 'on')
      .map((persona) => itemOf(persona, persona.name === present)),
    {
      label: l10n.t('Show Personas…'),
      iconPath: new vscode.ThemeIcon('gear'),
      detail: l10n.t('Where they come from, what they say, and faults in them'),
      value: undefined,
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Counts from the next message on'),
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  if (chosen.value === undefined) {
    await vscode.commands.executeCommand('belay.openControlCenter', 'customizations');
    return;
  }
  const { model } = await engine.runs.persona(panel.options.model, chosen.value);
  const options = { persona: chosen.value, ...(model === undefined ? {} : { model }) };
  await panel.choose(view.sessionId ?? null, options);
}

function itemOf(persona: Persona, isPresent: boolean): Item {
  const { name, description, source, tools, modules, level, model } = persona;
  const whose =
    source === 'workspace' ? l10n.t('of this workspace: can only narrow') : l10n.t('your own');
  const narrows = [
    ...(level === undefined ? [] : [l10n.t('level {0}', level)]),
    ...(modules === undefined ? [] : [l10n.t('modules {0}', modules.join(', '))]),
    ...(tools === undefined ? [] : [l10n.t('tools {0}', tools.join(', '))]),
    ...(model === '' ? [] : [l10n.t('model {0}', model)]),
  ];
  return {
    label: makeVisible(name),
    description: [whose, ...(isPresent ? [l10n.t('chosen')] : [])].join(' · '),
    detail: makeVisible([description, ...narrows].filter((one) => one !== '').join(' · ')),
    value: name,
  };
}
