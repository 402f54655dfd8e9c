import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { PRESETS } from '../../../providers/catalog/presets.ts';
import { serverHost } from '../../../providers/check-words.ts';
import { hasOwnKey, variableOf } from '../../../providers/instance.ts';
import type { KeyReference, ProviderInstance } from '../../../providers/instance.ts';
import { checkForm, type ProviderKeys } from '../secrets/provider-keys.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { tryProvider } from './try-provider.ts';
import type { ModelServices } from './try-provider.ts';

/** Asks for a key of a provider; `undefined`: the person gave up. */
export async function typeKey(instance: ProviderInstance): Promise<string | undefined> {
  // The default one may be at another's address.
  const isElsewhere = hasOwnKey(instance) && instance.baseUrl !== '';
  const preset = PRESETS.find(({ id }) => id === (instance.preset ?? instance.id));
  const page = isElsewhere ? undefined : preset?.keyUrl;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Belay: API Key of {0}', instance.name),
    prompt: [
      l10n.t('It is kept in the secret storage of VS Code.'),
      ...(page === undefined ? [] : [l10n.t('You get one at {0}.', page)]),
      ...(preset?.keyNote === undefined ? [] : [preset.keyNote]),
    ].join(' '),
    ...(hasOwnKey(instance) && !isElsewhere ? { placeHolder: 'sk-ant-…' } : {}),
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

/** A key as the person gave it: typed, in a variable of the environment that they said yes to, or not needed. */
export type GivenKey =
  | { readonly value: string }
  | { readonly variable: string; readonly value: string | undefined }
  | { readonly none: true };

interface KeyChoice extends vscode.QuickPickItem {
  readonly variable?: string;
}

/**
 * Asks where the key of a provider is; `undefined`: the person gave up. A variable that holds one is offered by its
 * name, and used after a yes only.
 * @param mayNeedNone it can be that it needs no key
 */
export async function askKey(
  keys: Pick<ProviderKeys, 'valueOf' | 'variablesFor'>,
  instance: ProviderInstance,
  mayNeedNone = false,
): Promise<GivenKey | undefined> {
  const type: KeyChoice = { label: l10n.t('Type a key…') };
  const none: KeyChoice = { label: l10n.t('It needs no key') };
  const variables = keys.variablesFor(instance).map((variable) => ({
    label: l10n.t('Use {0} of the environment', variable),
    description: l10n.t('for {0}', serverHost(instance)),
    variable,
  }));
  const choices: readonly KeyChoice[] = [...variables, type, ...(mayNeedNone ? [none] : [])];
  const title = l10n.t('Belay: API Key of {0}', instance.name);
  const chosen =
    choices.length === 1 ? type : await vscode.window.showQuickPick(choices, { title });
  if (chosen === none) return { none: true };
  if (chosen?.variable !== undefined)
    return { variable: chosen.variable, value: keys.valueOf(chosen.variable) };
  const value = chosen === undefined ? undefined : await typeKey(instance);
  return value === undefined ? undefined : { value };
}

/** Asks for a key of a provider, tries it, keeps it unless it was refused, and tells what was found. */
export async function setKey(services: ModelServices, instance: ProviderInstance): Promise<void> {
  const { keys, settings } = services.host;
  const given = await askKey(keys, instance);
  if (given === undefined || 'none' in given) return;
  const variable = 'variable' in given ? given.variable : undefined;
  const meant = { ...instance, key: keyIn(instance, variable) };
  const { state, said } = await tryProvider(services, meant, given.value, { ask: 'if_needed' });
  if (state === 'key') {
    const former =
      (await keys.source(instance)) === 'stored'
        ? `; ${l10n.t('the one you had is still there')}`
        : '';
    void vscode.window.showErrorMessage(`${said} ${l10n.t('It was not kept')}${former}.`);
    return;
  }
  const was = variable ?? variableOf(instance.key);
  if (variable === undefined) await keys.store(given.value ?? '', meant);
  if (was !== undefined) await useVariable(settings, instance, variable);
  const kept =
    variable === undefined
      ? l10n.t('The key is kept in the secret storage of VS Code')
      : l10n.t('The key in {0} is used from now on', variable);
  if (state === 'works') void vscode.window.showInformationMessage(`${said} ${kept}.`);
  else
    void vscode.window.showWarningMessage(l10n.t('{0}, but could not be checked. {1}', kept, said));
}

/** The reference to a key that is kept, or in a variable. */
const keyIn = (instance: ProviderInstance, variable: string | undefined): KeyReference => {
  if (!hasOwnKey(instance)) return variable === undefined ? { secret: instance.id } : { variable };
  return variable === undefined ? { own: true } : { own: true, variable };
};

/** Keeps the yes to a variable, in the settings; `undefined`: takes it back. */
async function useVariable(
  settings: Pick<SettingsReader, 'get' | 'write'>,
  instance: ProviderInstance,
  variable: string | undefined,
): Promise<void> {
  if (hasOwnKey(instance)) return settings.write('model.keyVariable', variable);
  const all = settings.get('model.providers');
  const entry = { ...(all[instance.id] as object), key: variable ?? 'stored' };
  await settings.write('model.providers', { ...all, [instance.id]: entry });
}

/** Removes the stored key of a provider, or takes back the yes to a variable, and says what holds then. */
export async function removeKey(
  { host }: Pick<ModelServices, 'host'>,
  instance: ProviderInstance,
): Promise<void> {
  const variable = variableOf(instance.key);
  await host.keys.remove(instance);
  if (variable !== undefined) await useVariable(host.settings, instance, undefined);
  host.checks.set(instance, undefined);
  void vscode.window.showInformationMessage(
    variable === undefined
      ? l10n.t(
          'The API key of {0} was removed. Nothing is sent without it to an address that had it.',
          instance.name,
        )
      : l10n.t(
          'The key in {0} is not used any more. The variable itself stays as it is.',
          variable,
        ),
  );
}
