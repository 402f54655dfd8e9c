import * as vscode from 'vscode';
import type { ToolRow } from '../../../core/tool-call/offered-tools.ts';
import { disabledAfter, toolModules, toolNote } from '../../../window/tool-rows.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

const ALL_ON = { iconPath: new vscode.ThemeIcon('discard'), tooltip: 'Reset: choose all tools' };

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

type Item = vscode.QuickPickItem & { readonly row?: ToolRow };

/** The command about the tools that the model is offered. */
export function toolCommands({
  engine,
}: CommandServices): Pick<CommandHandlers, 'belay.showTools'> {
  return {
    'belay.showTools': async () => {
      await choose(await engine.tools.rows());
    },
  };
}

/** Lets the person choose; the list stays until what they chose is written, or they leave it. */
async function choose(rows: readonly ToolRow[]): Promise<void> {
  const pick = vscode.window.createQuickPick<Item>();
  const left = Promise.withResolvers<void>();
  const items = [...toolModules(rows)].flatMap(([module, of]) => [
    separator(module, of),
    ...of.map(itemOf),
  ]);
  pick.title = 'Belay: Tools';
  pick.placeholder = 'What is chosen is offered to the model, from the next run on';
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [ALL_ON];
  pick.items = items;
  pick.selectedItems = items.filter(({ row }) => row !== undefined && row.state !== 'off');
  pick.onDidTriggerButton(() => {
    pick.selectedItems = items.filter(({ row }) => row !== undefined);
  });
  pick.onDidAccept(() => {
    const chosen = new Set(pick.selectedItems.flatMap(({ row }) => row?.name ?? []));
    pick.enabled = false;
    keep(rows, chosen).then(left.resolve, left.reject);
  });
  pick.onDidHide(() => left.resolve());
  pick.show();
  try {
    await left.promise;
  } finally {
    pick.dispose();
  }
}

function separator(module: string, of: readonly ToolRow[]): Item {
  const on = of.filter(({ state }) => state === 'on').length;
  return {
    label: `${module}: ${on} of ${of.length} on`,
    kind: vscode.QuickPickItemKind.Separator,
  };
}

const itemOf = (row: ToolRow): Item => ({
  label: row.name,
  description: toolNote(row),
  detail: row.description.split('\n', 1)[0] ?? '',
  row,
});

/** Writes the person's own setting; what a workspace switches off stays off. */
async function keep(rows: readonly ToolRow[], chosen: ReadonlySet<string>): Promise<void> {
  const section = vscode.workspace.getConfiguration('belay');
  const found = section.inspect<unknown>('tools.disabled');
  // A person may write anything into a settings file.
  const names = (value: unknown): readonly string[] =>
    isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  const before = names(found?.globalValue);
  const after = disabledAfter(before, rows, chosen);
  if (after.join('\n') !== before.join('\n'))
    await section.update(
      'tools.disabled',
      after.length === 0 ? undefined : after,
      vscode.ConfigurationTarget.Global,
    );
  const kept = [found?.workspaceValue, found?.workspaceFolderValue]
    .flatMap(names)
    .filter((name) => chosen.has(name));
  if (kept.length > 0)
    void vscode.window.showWarningMessage(
      `${kept.join(', ')} stays off: the settings of this workspace switch it off.`,
    );
}
