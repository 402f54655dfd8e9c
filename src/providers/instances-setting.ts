import { isTold, told, type Told } from '../domain/text/told.ts';
import { isJsonObject } from '../domain/data/json.ts';
import type { JsonObject } from '../domain/data/json.ts';
import { readUpdates } from './catalog/updates.ts';
import type { ModelUpdate } from './catalog/updates.ts';
import { PRESETS } from './catalog/presets.ts';
import type { ProviderPreset, Wire as PresetWire } from './catalog/presets.ts';
import { isForSigning, UNSIGNED, unservedAddress } from './http/refusal/unserved-address.ts';
import { WIRE_FLAGS } from '../domain/models/wire-flags.ts';
import type { WireFlags } from '../domain/models/wire-flags.ts';
import type { Instances, KeyReference, ProviderInstance, WireName } from './instance.ts';

/** The setting that holds the providers a person has set up. */
export const INSTANCES_SETTING = 'belay.model.providers';

/** The wires that an entry of the setting can name, and what people call them. */
export const SETTABLE_WIRES = {
  chat: 'Chat Completions',
  messages: 'Anthropic Messages',
  responses: 'OpenAI Responses',
  gemini: 'Google Gemini',
} as const satisfies Partial<Record<WireName, string>>;

/** The wire that serves presets of each kind. */
const SERVED_BY: Partial<Record<PresetWire, WireName>> = {
  messages: 'messages',
  chat: 'chat',
  responses: 'responses',
  gemini: 'gemini',
};

/** The form of an instance's id: it begins the names of its models and ends the name of its secret. */
export const INSTANCE_ID = /^[A-Za-z0-9][\w.-]{0,39}$/;

/** Ids of the instances that Belay brings itself. */
const TAKEN: ReadonlySet<string> = new Set(['anthropic', 'editor', 'demo']);

const FIELDS = new Set(['name', 'preset', 'wire', 'baseUrl', 'key', 'models', 'flags']);

/** One provider as a person writes it; every field optional, but a preset or a wire with an address. */
export interface InstanceEntry {
  readonly name?: string;
  readonly preset?: string;
  readonly wire?: keyof typeof SETTABLE_WIRES;
  readonly baseUrl?: string;
  /** `stored`, `none`, or the name of a variable of the environment. */
  readonly key?: string;
  readonly models?: readonly (string | ModelUpdate)[];
  readonly flags?: Partial<WireFlags>;
}

/**
 * Reads the setting `model.providers`: instances by their ids. Gives what is usable, and a sentence for
 * each entry that is not; no sentence repeats a value, which may be a key in the wrong place.
 */
export function readInstances(entries: Readonly<Record<string, unknown>>): {
  readonly instances: readonly ProviderInstance[];
  readonly problems: readonly Told[];
} {
  const instances: ProviderInstance[] = [];
  const problems: Told[] = [];
  for (const [id, entry] of Object.entries(entries)) {
    const read = instanceOf(id, entry);
    if (!isTold(read)) instances.push(read);
    else problems.push(told`${INSTANCES_SETTING}: the entry ${id} is passed over: ${read}.`);
  }
  return { instances, problems };
}

/**
 * The instances of a host, those of the setting, and those that `rest` makes of what is found beside them: the same list
 * until the setting or what is found changes, what is made of it is kept as long.
 */
export function liveInstances<Found = undefined>(
  own: Instances,
  setting: () => Readonly<Record<string, unknown>>,
  found: () => Found = () => undefined as Found,
  rest: (chosen: Instances, found: Found) => readonly ProviderInstance[] = () => [],
): () => Instances {
  let present: { readonly of: readonly [string, Found]; readonly instances: Instances } | undefined;
  return () => {
    const entries = setting();
    const of = [JSON.stringify(entries), found()] as const;
    if (present?.of[0] !== of[0] || present.of[1] !== of[1]) {
      const chosen: Instances = [...own, ...readInstances(entries).instances];
      present = { of, instances: [...chosen, ...rest(chosen, of[1])] };
    }
    return present.instances;
  };
}

/** The wire that serves a preset today; `undefined`: none does yet. */
export const wireFor = ({ wire }: ProviderPreset): WireName | undefined => SERVED_BY[wire];

function instanceOf(id: string, entry: unknown): ProviderInstance | Told {
  if (!INSTANCE_ID.test(id)) return told`a name is up to 40 letters, digits, “-”, “_” and “.”`;
  if (TAKEN.has(id)) return told`this name is that of a provider of Belay itself`;
  if (!isJsonObject(entry)) return told`it is no object`;
  const wrong = Object.keys(entry).find((field) => !FIELDS.has(field));
  if (wrong !== undefined)
    return /key|token|secret/i.test(wrong)
      ? told`it has the field ${wrong}, but keys are kept by “Belay: Set API Key”, in no setting`
      : told`there is no field ${wrong}`;
  for (const field of ['name', 'preset', 'wire', 'baseUrl', 'key'])
    if (entry[field] !== undefined && typeof entry[field] !== 'string')
      return told`${field} is not text`;
  return assembled(id, entry);
}

function assembled(id: string, fields: JsonObject): ProviderInstance | Told {
  const entry = fields as InstanceEntry;
  const preset = PRESETS.find((one) => one.id === entry.preset);
  const wire = wireOf(entry, preset);
  if (isTold(wire)) return wire;
  const baseUrl = (entry.baseUrl ?? preset?.baseUrl ?? '').trim();
  const wrong = wrongAddress(baseUrl) ?? wrongKey(entry.key) ?? wrongFlag(fields['flags']);
  if (wrong !== undefined) return wrong;
  const listed = listedIn(fields['models']);
  if (isTold(listed)) return listed;
  const key = keyOf(id, entry.key, preset);
  return {
    id,
    name: nameOf(id, entry, preset),
    ...wire,
    baseUrl,
    ...(key === undefined ? {} : { key }),
    keyVariables: variablesAt(preset, baseUrl),
    preset: preset?.id ?? `other-${wire.wire}`,
    ...(entry.flags === undefined ? {} : { flags: entry.flags }),
    models: [],
    listed,
  };
}

const nameOf = (id: string, entry: InstanceEntry, preset: ProviderPreset | undefined): string =>
  entry.name?.trim() || (preset?.baseUrl ? preset.name : id);

/** The wire, or why there is none. */
function wireOf(
  entry: InstanceEntry,
  preset: ProviderPreset | undefined,
): { readonly wire: WireName } | Told {
  if (entry.preset !== undefined && preset === undefined) return told`there is no such preset`;
  if (entry.wire !== undefined)
    return Object.hasOwn(SETTABLE_WIRES, entry.wire)
      ? { wire: entry.wire }
      : told`wire is one of ${Object.keys(SETTABLE_WIRES).join(', ')}`;
  if (preset === undefined) return told`it has neither preset nor wire`;
  const wire = wireFor(preset);
  return wire === undefined ? told`its preset is not served yet` : { wire };
}

function wrongAddress(baseUrl: string): Told | undefined {
  if (baseUrl === '') return told`it has no baseUrl`;
  const open = /\{(\w+)\}/.exec(baseUrl)?.[1];
  if (open !== undefined) return told`baseUrl is to be given, with your ${open} in its place`;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol)
    ? unservedAddress(baseUrl)
    : told`baseUrl is no http or https address`;
}

/** The fault of flags; `undefined`: none. */
function wrongFlag(flags: unknown): Told | undefined {
  if (flags === undefined) return undefined;
  if (!isJsonObject(flags)) return told`flags is no object`;
  for (const [name, value] of Object.entries(flags)) {
    if (!Object.hasOwn(WIRE_FLAGS, name)) return told`there is no flag ${name}`;
    const values: readonly unknown[] = WIRE_FLAGS[name as keyof WireFlags];
    if (!values.includes(value)) return told`the flag ${name} is one of ${values.join(', ')}`;
  }
  return undefined;
}

const VARIABLE = /^[A-Z][A-Z0-9_]{1,60}$/;

const wrongKey = (key: string | undefined): Told | undefined => {
  if (key !== undefined && isForSigning(key)) return UNSIGNED;
  return key === undefined || key === 'stored' || key === 'none' || VARIABLE.test(key)
    ? undefined
    : told`key is “stored”, “none” or the name of a variable in capital letters; a key itself belongs into no setting: take it out, and use “Belay: Set API Key”`;
};

function keyOf(
  id: string,
  key: string | undefined,
  preset: ProviderPreset | undefined,
): KeyReference | undefined {
  const kind = key ?? (preset?.local === true ? 'none' : 'stored');
  if (kind === 'none') return undefined;
  return kind === 'stored' ? { secret: id } : { variable: kind };
}

/** Variables that hold a key for an address of the preset's own: such a key is for nobody else. */
const variablesAt = (preset: ProviderPreset | undefined, address: string): readonly string[] =>
  preset !== undefined && isAt(preset, address) ? (preset.keyVariables ?? []) : [];

function isAt({ baseUrl }: ProviderPreset, address: string): boolean {
  if (baseUrl === '') return false;
  const [given, own] = [address, baseUrl.replaceAll(/\{\w+\}/g, 'x')].map((one) => new URL(one));
  if (!baseUrl.includes('{')) return given?.origin === own?.origin;
  const [, end = ''] = new URL(baseUrl.replaceAll(/\{\w+\}/g, 'x-')).host.split('x-');
  return given?.protocol === 'https:' && given.host.endsWith(end) && end.length > 4;
}

function listedIn(models: unknown): readonly ModelUpdate[] | Told {
  if (models === undefined) return [];
  if (!Array.isArray(models)) return told`models is no list`;
  const entries = (models as unknown[]).map((one): [string, unknown] => {
    if (typeof one === 'string') return [one, {}];
    const id = isJsonObject(one) ? one['id'] : undefined;
    return [typeof id === 'string' ? id : '', one];
  });
  if (entries.some(([id]) => id === '')) return told`a model of it has no id`;
  const { updates, problems } = readUpdates(Object.fromEntries(entries));
  // The last of its values is the reason.
  const problem = problems[0]?.values.at(-1);
  return problem === undefined ? updates : told`of one of its models ${problem}`;
}
