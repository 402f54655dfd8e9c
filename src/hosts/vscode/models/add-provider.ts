import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inWords } from '../../../domain/text/told.ts';
import { PRESETS } from '../../../providers/catalog/presets.ts';
import type { ProviderPreset } from '../../../providers/catalog/presets.ts';
import type { ModelUpdate } from '../../../providers/catalog/updates.ts';
import type { InstanceCheck } from '../../../providers/check-instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { INSTANCE_ID, readInstances, wireFor } from '../../../providers/instances-setting.ts';
import type { InstanceEntry } from '../../../providers/instances-setting.ts';
import { unservedAddress } from '../../../providers/http/refusal/unserved-address.ts';
import { pickModel } from '../commands/options.ts';
import { askKey, setKey } from './key-dialogs.ts';
import { tryProvider } from './try-provider.ts';
import type { ModelServices } from './try-provider.ts';

/** Models of a server of one's own that are written into the setting; more can be added there. */
const MOST_MODELS = 100;

/** A provider as the person has described it so far, and its key. */
interface Draft {
  readonly id: string;
  readonly entry: InstanceEntry;
  readonly key: string | undefined;
}

/** Asks who serves the models, where and with which key, tries it, keeps it and offers its models. */
export async function addProvider(services: ModelServices): Promise<void> {
  const preset = await askPreset();
  if (preset === undefined) return;
  // It is there already.
  if (preset.id === 'anthropic') return setKey(services, services.host.keys.instances[0]);
  const draft = await describe(services, preset);
  if (draft === undefined) return;
  const instance = instanceOf(draft.id, draft.entry);
  const check = await tryProvider(services, instance, draft.key, { ask: 'if_needed' });
  if (!(await isKept(check))) return;
  const models = await modelsOf(preset, instance, check);
  if (models === undefined) return;
  await keep(services, draft, models);
  if (check.state === 'works')
    void vscode.window.showInformationMessage(
      l10n.t('{0} Its models are “{1}/…”.', check.said, draft.id),
    );
  const own = services.models.list().filter(({ provider }) => provider === draft.id);
  await pickModel(services, own);
}

async function askPreset(): Promise<ProviderPreset | undefined> {
  const chosen = await vscode.window.showQuickPick(
    PRESETS.filter((preset) => preset.id !== 'demo' && isOffered(preset)).map((preset) => ({
      label: preset.baseUrl === '' ? `${preset.name}…` : preset.name,
      description: preset.local === true ? l10n.t('on this machine') : preset.baseUrl,
      preset,
    })),
    {
      title: l10n.t('Belay: Add Model Provider'),
      placeHolder: l10n.t('Who serves the models'),
      matchOnDescription: true,
    },
  );
  return chosen?.preset;
}

/** Presets that the wires of today serve; of “other” only the wires themselves. */
const isOffered = (preset: ProviderPreset): boolean => {
  const wire = wireFor(preset);
  return wire !== undefined && (preset.baseUrl !== '' || wire === preset.wire);
};

async function describe(
  { host }: ModelServices,
  preset: ProviderPreset,
): Promise<Draft | undefined> {
  const baseUrl = await addressFor(preset);
  if (baseUrl === undefined) return undefined;
  const id = await nameFor(preset, host.settings.get('model.providers'));
  if (id === undefined) return undefined;
  const address = baseUrl === preset.baseUrl ? {} : { baseUrl };
  const entry: InstanceEntry = { preset: preset.id, ...address };
  const given = await keyFor(host.keys, instanceOf(id, entry), preset);
  if (given === undefined) return undefined;
  const { key, value } = given;
  return { id, entry: key === undefined ? entry : { ...entry, key }, key: value };
}

/** True when a provider is kept after it was tried; with a key that was refused it is not. */
async function isKept({ state, said }: InstanceCheck): Promise<boolean> {
  if (state === 'works') return true;
  if (state === 'key') {
    void vscode.window.showErrorMessage(l10n.t('{0} The provider was not added.', said));
    return false;
  }
  const chosen = await vscode.window.showWarningMessage(said, l10n.t('Add It Anyway'));
  return chosen !== undefined;
}

/** The models to write into the setting: none where the catalog knows them; `undefined`: the person gave up. */
async function modelsOf(
  { baseUrl, local }: ProviderPreset,
  { name }: ProviderInstance,
  { models }: InstanceCheck,
): Promise<InstanceEntry['models'] | undefined> {
  if (local !== true && baseUrl !== '') return [];
  if (models.length > 0) return models.slice(0, MOST_MODELS).map(listedEntry);
  const id = await vscode.window.showInputBox({
    title: l10n.t('Belay: Model of {0}', name),
    prompt: l10n.t('It lists no models: the name of one that it has.'),
    ignoreFocusOut: true,
  });
  return id === undefined || id.trim() === '' ? undefined : [id.trim()];
}

/** Of a model its window, where its server tells it. */
const listedEntry = ({ id, contextWindow, guessed }: ModelUpdate): string | ModelUpdate =>
  guessed === true || contextWindow === undefined ? id : { id, contextWindow };

async function keep(
  { host }: ModelServices,
  { id, entry, key }: Draft,
  models: NonNullable<InstanceEntry['models']>,
): Promise<void> {
  const whole = models.length === 0 ? entry : { ...entry, models };
  if (entry.key === undefined && key !== undefined)
    await host.keys.store(key, instanceOf(id, whole));
  await host.settings.write('model.providers', {
    ...host.settings.get('model.providers'),
    [id]: whole,
  });
}

/** An instance that is not in the setting yet. */
function instanceOf(id: string, entry: InstanceEntry): ProviderInstance {
  const { instances, problems } = readInstances({ [id]: entry });
  const [instance] = instances;
  if (instance === undefined) throw new Error(problems.map(inWords).join(' '));
  return instance;
}

async function addressFor({ name, baseUrl, local }: ProviderPreset): Promise<string | undefined> {
  if (baseUrl !== '' && local !== true && !baseUrl.includes('{')) return baseUrl;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Belay: Address of {0}', name),
    prompt: baseUrl.includes('{')
      ? l10n.t('Put your own in the place of what stands in braces.')
      : '',
    value: baseUrl,
    placeHolder: 'https://…',
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (/[{}]/.test(value)) return l10n.t('Something in braces is still to be replaced.');
      const unserved = unservedAddress(value.trim());
      if (unserved !== undefined) return l10n.t('Not there: {0}.', inWords(unserved));
      return /^https?:\/\//.test(value.trim()) && URL.canParse(value.trim())
        ? undefined
        : l10n.t('An http or https address is expected.');
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
    title: l10n.t('Belay: Name of the Provider'),
    prompt: l10n.t('The names of its models begin with it.'),
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (!INSTANCE_ID.test(value)) return l10n.t('Up to 40 letters, digits, “-”, “_” and “.”.');
      return isFree(value) ? undefined : l10n.t('There is a provider of this name.');
    },
  });
}

/** The key, and what the setting says of it; `undefined`: the person gave up. */
async function keyFor(
  keys: ModelServices['host']['keys'],
  instance: ProviderInstance,
  preset: ProviderPreset,
): Promise<{ readonly key?: string; readonly value?: string | undefined } | undefined> {
  if (preset.local === true) return {};
  const given = await askKey(keys, instance, preset.baseUrl === '');
  if (given === undefined) return undefined;
  if ('none' in given) return { key: 'none' };
  return 'variable' in given ? { key: given.variable, value: given.value } : given;
}
