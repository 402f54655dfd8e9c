import { told } from '../../../domain/text/told.ts';
import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { disabledAfter } from '../../../window/tool-rows.ts';

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Switches tools on or off in the person's own setting; what a workspace switches off stays off, which is said. */
export async function switchTools(tools: readonly string[], on: boolean): Promise<void> {
  const section = vscode.workspace.getConfiguration('belay');
  const found = section.inspect<unknown>('tools.disabled');
  // A person may write anything into a settings file.
  const names = (value: unknown): readonly string[] =>
    isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  const after = disabledAfter(names(found?.globalValue), tools, on);
  await section.update(
    'tools.disabled',
    after.length === 0 ? undefined : after,
    vscode.ConfigurationTarget.Global,
  );
  const kept = [found?.workspaceValue, found?.workspaceFolderValue]
    .flatMap(names)
    .filter((name) => on && tools.includes(name));
  if (kept.length > 0)
    throw fault(
      'config',
      kept.length === 1
        ? told`${kept.join(', ')} stays off: the settings of this workspace switch it off.`
        : told`${kept.join(', ')} stay off: the settings of this workspace switch them off.`,
    );
}
