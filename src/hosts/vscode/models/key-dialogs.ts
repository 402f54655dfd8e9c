import * as vscode from 'vscode';
import { KEY_VARIABLE } from '../../../providers/anthropic/environment-key.ts';
import { PRESETS } from '../../../providers/catalog/presets.ts';
import { hasOwnKey } from '../../../providers/instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { checkForm } from '../secrets/provider-keys.ts';
import { tryProvider } from './try-provider.ts';
import type { ModelServices } from './try-provider.ts';

/** Asks for a key of a provider; `undefined`: the person gave up. */
export async function typeKey(instance: ProviderInstance): Promise<string | undefined> {
  const page = PRESETS.find(({ id }) => id === (instance.preset ?? instance.id))?.keyUrl;
  const typed = await vscode.window.showInputBox({
    title: `Belay: API Key of ${instance.name}`,
    prompt: `It is kept in the secret storage of VS Code.${page === undefined ? '' : ` You get one at ${page}.`}`,
    ...(hasOwnKey(instance) ? { placeHolder: 'sk-ant-…' } : {}),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const problem = value === '' ? undefined : checkForm(value, instance);
      if (problem === undefined) return undefined;
      const { Error: error, Warning: warning } = vscode.InputBoxValidationSeverity;
      return { message: problem.message, severity: problem.severity === 'error' ? error : warning };
    },
  });
  return typed?.trim() || undefined;
}

/** Asks for a key of a provider, tries it, keeps it unless it was refused, and tells what was found. */
export async function setKey(services: ModelServices, instance: ProviderInstance): Promise<void> {
  const { keys } = services.host;
  const typed = await typeKey(instance);
  if (typed === undefined) return;
  const { state, said } = await tryProvider(services, instance, typed, { ask: 'if_needed' });
  if (state === 'key') {
    const former =
      (await keys.source(instance)) === 'stored' ? '; the one you had is still there' : '';
    void vscode.window.showErrorMessage(`${said} It was not kept${former}.`);
    return;
  }
  await keys.store(typed, instance);
  if (state === 'works')
    void vscode.window.showInformationMessage(
      `${said} The key is kept in the secret storage of VS Code.`,
    );
  else
    void vscode.window.showWarningMessage(
      `The key is kept in the secret storage of VS Code, but could not be checked. ${said}`,
    );
}

/** Removes the stored key of a provider, and says what holds then. */
export async function removeKey(
  { host }: Pick<ModelServices, 'host'>,
  instance: ProviderInstance,
): Promise<void> {
  await host.keys.remove(instance);
  host.checks.set(instance, undefined);
  const rest = await host.keys.source(instance);
  void vscode.window.showInformationMessage(
    rest === 'environment'
      ? `The stored API key of ${instance.name} was removed. The one from ${KEY_VARIABLE} is used now.`
      : `The API key of ${instance.name} was removed. Nothing is sent without it to an address that had it.`,
  );
}
