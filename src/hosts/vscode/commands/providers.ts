import * as vscode from 'vscode';
import { PRESETS } from '../../../providers/catalog/presets.ts';
import type { ProviderPreset } from '../../../providers/catalog/presets.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { INSTANCE_ID, readInstances, wireFor } from '../../../providers/instances-setting.ts';
import type { InstanceEntry } from '../../../providers/instances-setting.ts';
import { pickModel } from './options.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Models of a server of one's own that are written into the setting; more can be added there. */
const MOST_MODELS = 100;

type Services = Pick<CommandServices, 'engine' | 'host' | 'models' | 'view'>;

/** Commands about providers of models and their keys. */
export function providerCommands(
  services: Services,
): Pick<CommandHandlers, 'belay.addProvider' | 'belay.setApiKey'> {
  return {
    'belay.addProvider': async () => addProvider(services),
    'belay.setApiKey': async () => setKey(services),
  };
}

async function setKey({ host }: Services): Promise<void> {
  const { instances } = readInstances(host.settings.get('model.providers'));
  const keyed = instances.filter(({ key }) => key !== undefined && 'secret' in key);
  if (keyed.length === 0) return host.apiKey.ask();
  const own = { label: 'Anthropic', description: '', instance: undefined };
  const chosen = await vscode.window.showQuickPick(
    [
      own,
      ...keyed.map((instance) => ({
        label: instance.name,
        description: `${instance.id} · ${instance.baseUrl}`,
        instance,
      })),
    ],
    { title: 'Belay: Set API Key', placeHolder: 'Of which provider' },
  );
  if (chosen === undefined) return;
  const { instance } = chosen;
  if (instance === undefined) return host.apiKey.ask();
  const key = await host.instanceKeys.type(instance);
  if (key !== undefined && (await isGood(host, instance, key)))
    await host.instanceKeys.store(instance.id, key);
}

/** Tries a provider and tells what was found; whether it is to be kept. */
async function isGood(
  { instanceKeys }: Services['host'],
  instance: ProviderInstance,
  key: string | undefined,
): Promise<boolean> {
  const { state, said } = await instanceKeys.check(instance, key);
  if (state === 'works') {
    void vscode.window.showInformationMessage(said);
    return true;
  }
  if (state === 'refused') {
    void vscode.window.showErrorMessage(`${said} Nothing was kept.`);
    return false;
  }
  return (await vscode.window.showWarningMessage(said, 'Keep It Anyway')) === 'Keep It Anyway';
}

async function addProvider(services: Services): Promise<void> {
  const { host } = services;
  const chosen = await vscode.window.showQuickPick(
    PRESETS.filter((preset) => preset.id !== 'demo' && isOffered(preset)).map((preset) => ({
      label: preset.baseUrl === '' ? `${preset.name}…` : preset.name,
      description: preset.local === true ? 'on this machine' : preset.baseUrl,
      preset,
    })),
    { title: 'Belay: Add Model Provider', placeHolder: 'Who serves the models' },
  );
  if (chosen === undefined) return;
  const { preset } = chosen;
  // It is there already.
  if (preset.id === 'anthropic') return host.apiKey.ask();
  const baseUrl = await addressFor(preset);
  if (baseUrl === undefined) return;
  const id = await nameFor(preset, host.settings.get('model.providers'));
  if (id === undefined) return;
  const address = baseUrl === preset.baseUrl ? {} : { baseUrl };
  const draft = instanceOf(id, { preset: preset.id, ...address });
  const given = await keyFor(services, draft, preset);
  if (given === undefined) return;
  const entry: InstanceEntry = {
    preset: preset.id,
    ...address,
    ...(given.key === undefined ? {} : { key: given.key }),
  };
  const instance = instanceOf(id, entry);
  const check = await host.instanceKeys.check(instance, given.value);
  if (check.state === 'refused') {
    void vscode.window.showErrorMessage(`${check.said} The provider was not added.`);
    return;
  }
  if (check.state !== 'works') {
    const anyway = await vscode.window.showWarningMessage(check.said, 'Add It Anyway');
    if (anyway === undefined) return;
  }
  const isOwn = preset.local === true || preset.baseUrl === '';
  const models = isOwn ? check.models.slice(0, MOST_MODELS) : [];
  const named = isOwn && models.length === 0 ? await modelName(instance) : [];
  if (named === undefined) return;
  if (given.key === undefined && given.value !== undefined)
    await host.instanceKeys.store(id, given.value);
  const listed = [...models, ...named];
  await host.settings.write('model.providers', {
    ...host.settings.get('model.providers'),
    [id]: { ...entry, ...(listed.length === 0 ? {} : { models: listed }) },
  });
  if (check.state === 'works')
    void vscode.window.showInformationMessage(`${check.said} Its models are “${id}/…”.`);
  await pickModel(
    services,
    services.models.list().filter(({ provider }) => provider === id),
  );
}

/** What the wires of today serve. */
const isOffered = (preset: ProviderPreset): boolean =>
  wireFor(preset) !== undefined && !(preset.baseUrl === '' && wireFor(preset) !== preset.wire);

/** An instance that is not in the setting yet. */
function instanceOf(id: string, entry: InstanceEntry): ProviderInstance {
  const { instances, problems } = readInstances({ [id]: entry });
  const [instance] = instances;
  if (instance === undefined) throw new Error(problems.join(' '));
  return instance;
}

async function addressFor({ name, baseUrl, local }: ProviderPreset): Promise<string | undefined> {
  if (baseUrl !== '' && local !== true && !baseUrl.includes('{')) return baseUrl;
  const typed = await vscode.window.showInputBox({
    title: `Belay: Address of ${name}`,
    prompt: baseUrl.includes('{') ? 'Put your own in the place of what stands in braces.' : '',
    value: baseUrl,
    placeHolder: 'https://…',
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (/[{}]/.test(value)) return 'Something in braces is still to be replaced.';
      return /^https?:\/\//.test(value.trim()) && URL.canParse(value.trim())
        ? undefined
        : 'An http or https address is expected.';
    },
  });
  return typed?.trim();
}

/** The preset's id where it is free, else with a number; of others the person's word. */
async function nameFor(
  { id, baseUrl }: ProviderPreset,
  present: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const isFree = (name: string): boolean =>
    !Object.hasOwn(present, name) && name !== 'anthropic' && name !== 'demo';
  if (baseUrl !== '') {
    let name = id;
    for (let number = 2; !isFree(name); number += 1) name = `${id}-${number}`;
    return name;
  }
  return vscode.window.showInputBox({
    title: 'Belay: Name of the Provider',
    prompt: 'The names of its models begin with it.',
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (!INSTANCE_ID.test(value)) return 'Up to 40 letters, digits, “-”, “_” and “.”.';
      return isFree(value) ? undefined : 'There is a provider of this name.';
    },
  });
}

/** The key, and what the setting says of it; `undefined`: the person gave up. */
async function keyFor(
  { host }: Services,
  instance: ProviderInstance,
  preset: ProviderPreset,
): Promise<{ readonly key?: string; readonly value?: string } | undefined> {
  if (preset.local === true) return {};
  const variable = host.instanceKeys.variableFor(instance);
  const typing = { label: 'Type a key…', how: 'type' } as const;
  const choices = [
    ...(variable === undefined
      ? []
      : [{ label: `Use ${variable} of the environment`, how: 'variable' } as const]),
    typing,
    ...(preset.baseUrl === '' ? [{ label: 'It needs no key', how: 'none' } as const] : []),
  ];
  const chosen =
    choices.length === 1
      ? typing
      : await vscode.window.showQuickPick(choices, { title: `Belay: API Key of ${instance.name}` });
  if (chosen === undefined) return undefined;
  if (chosen.how === 'none') return { key: 'none' };
  if (chosen.how === 'variable' && variable !== undefined) {
    const value = host.instanceKeys.valueOf(variable);
    return { key: variable, ...(value === undefined ? {} : { value }) };
  }
  const value = await host.instanceKeys.type(instance);
  return value === undefined ? undefined : { value };
}

/** A model of a server that lists none. */
async function modelName({
  name,
}: ProviderInstance): Promise<readonly { id: string }[] | undefined> {
  const id = await vscode.window.showInputBox({
    title: `Belay: Model of ${name}`,
    prompt: 'It lists no models: the name of one that it has.',
    ignoreFocusOut: true,
  });
  return id === undefined || id.trim() === '' ? undefined : [{ id: id.trim() }];
}
