import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inWords } from '../../../domain/text/told.ts';
import { hasOwnKey } from '../../../providers/instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { readInstances, SETTABLE_WIRES } from '../../../providers/instances-setting.ts';
import type { InstanceEntry } from '../../../providers/instances-setting.ts';
import { unservedAddress } from '../../../providers/http/refusal/unserved-address.ts';
import { tryProvider } from './try-provider.ts';
import type { ModelServices } from './try-provider.ts';

/** A question about a provider, with what holds now; `undefined`: the person gave up. */
type Ask = (label: string, step: number, value: string) => Promise<string | undefined>;

/** Asks for each thing of a provider that can be changed, filled in as it is, keeps all at once and tries it. */
export async function editProvider(
  services: ModelServices,
  instance: ProviderInstance,
): Promise<void> {
  const edited = hasOwnKey(instance)
    ? await editOwn(services, instance)
    : await editEntry(services, instance);
  if (!edited) return;
  const { keys } = services.host;
  const now = keys.instances.find(({ id }) => id === instance.id);
  if (now === undefined) return;
  await tryProvider(services, now, await keys.read(now), { ask: 'if_needed' });
  await vscode.commands.executeCommand('belay.openControlCenter', 'models');
}

/** The default one has its address only. */
async function editOwn({ host }: ModelServices, instance: ProviderInstance): Promise<boolean> {
  const ask = askerFor(instance, 1);
  const address = await ask(OWN_ADDRESS, 1, instance.baseUrl);
  if (address === undefined) return false;
  await host.settings.write('model.baseUrl', address === '' ? undefined : address);
  return true;
}

async function editEntry({ host }: ModelServices, instance: ProviderInstance): Promise<boolean> {
  const all = host.settings.get('model.providers');
  const entry = all[instance.id] as InstanceEntry;
  const ask = askerFor(instance, 4, ({ name, ...rest }) =>
    problemOf(instance.id, { ...entry, ...rest, ...(name === '' ? {} : { name }) }),
  );
  const name = await ask(l10n.t('Name'), 1, instance.name);
  const baseUrl = name === undefined ? undefined : await ask(ADDRESS, 2, instance.baseUrl);
  const wire = baseUrl === undefined ? undefined : await askWire(instance);
  const models = wire === undefined ? undefined : await ask(MODELS, 4, modelsText(entry));
  if (name === undefined || baseUrl === undefined || wire === undefined || models === undefined)
    return false;
  const { name: _, models: before, ...rest } = entry;
  const listed = modelsIn(models, before);
  const edited: InstanceEntry = {
    ...rest,
    ...(name === '' ? {} : { name }),
    baseUrl,
    ...(wire === instance.wire ? {} : { wire }),
    ...(listed.length === 0 ? {} : { models: listed }),
  };
  await host.settings.write('model.providers', { ...all, [instance.id]: edited });
  return true;
}

const OWN_ADDRESS = l10n.t('Address; empty for the public API');
const ADDRESS = l10n.t('Address');
const ADDRESSES = [OWN_ADDRESS, ADDRESS];
const MODELS = l10n.t('Models, with commas between them; empty: those that the catalog knows');

/** The fault of an entry as it would be. */
const problemOf = (id: string, entry: InstanceEntry): string | undefined =>
  readInstances({ [id]: entry }).problems.map(inWords)[0];

/** Asks in one of `of` boxes, which hold what is so now. */
function askerFor(
  { name, id }: ProviderInstance,
  of: number,
  problem: (changed: Partial<InstanceEntry>) => string | undefined = () => undefined,
): Ask {
  return async (label, step, value) => {
    const isAddress = ADDRESSES.includes(label);
    const typed = await vscode.window.showInputBox({
      title: l10n.t('Belay: Edit {0} ({1} of {2})', name || id, step, of),
      prompt: label,
      value,
      ignoreFocusOut: true,
      validateInput: (text) => {
        if (!isAddress || text.trim() === '') return undefined;
        const unserved = unservedAddress(text.trim());
        if (unserved !== undefined) return l10n.t('Not there: {0}.', inWords(unserved));
        if (!/^https?:\/\//.test(text.trim()))
          return l10n.t('An http or https address is expected.');
        return problem({ baseUrl: text.trim() });
      },
    });
    return typed?.trim();
  };
}

async function askWire({ name, wire }: ProviderInstance): Promise<InstanceEntry['wire']> {
  const items = (Object.keys(SETTABLE_WIRES) as (keyof typeof SETTABLE_WIRES)[]).map((one) => ({
    label: SETTABLE_WIRES[one],
    description: one === wire ? l10n.t('now') : '',
    wire: one,
  }));
  const chosen = await vscode.window.showQuickPick(
    items.toSorted((left, right) => Number(right.wire === wire) - Number(left.wire === wire)),
    {
      title: l10n.t('Belay: Edit {0} (3 of 4)', name),
      placeHolder: l10n.t('The API that is spoken there'),
    },
  );
  return chosen?.wire;
}

const idOf = (model: NonNullable<InstanceEntry['models']>[number]): string =>
  typeof model === 'string' ? model : model.id;

const modelsText = ({ models = [] }: InstanceEntry): string => models.map(idOf).join(', ');

/** Models as typed; what was said of one before is kept. */
const modelsIn = (
  text: string,
  before: InstanceEntry['models'] = [],
): NonNullable<InstanceEntry['models']> =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((id) => before.find((model) => idOf(model) === id) ?? id);
