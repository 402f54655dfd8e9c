import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { EFFORT_STEPS } from '../../../src/domain/models/model.ts';
import type { WireFlags } from '../../../src/domain/models/wire-flags.ts';
import { ABILITIES } from '../../../src/providers/catalog/bundle.ts';
import type { BundleFile, ModelRow, PriceRow } from '../../../src/providers/catalog/bundle.ts';
import { GREATEST_RATIO } from '../../../src/providers/catalog/listed-models.ts';
import { canonicalName } from '../../../src/providers/catalog/model-names.ts';
import { PRESETS } from '../../../src/providers/catalog/presets.ts';
import type { Wire } from '../../../src/providers/catalog/presets.ts';
import {
  ADDED,
  FIRST,
  FREE,
  LEFT_OUT,
  OUTPUT_LIMITS,
  THINKING_STYLES,
  UNFORCED,
} from './corrections.ts';
import { mitLicence } from './licence.ts';

const Rates = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
});

const SourceModel = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  type: z.string().default('chat'),
  api: z.string(),
  reasoning: z.boolean(),
  input: z.array(z.string()),
  contextWindow: z.int().positive(),
  maxTokens: z.int().positive(),
  cost: Rates.extend({
    tiers: z.array(Rates.extend({ inputTokensAbove: z.int().positive() })).default([]),
  }),
  thinkingLevelMap: z
    .partialRecord(z.enum(EFFORT_STEPS), z.string().nullable().optional())
    .optional(),
  compat: z.record(z.string(), z.unknown()).default({}),
});
type SourceModel = z.infer<typeof SourceModel>;
type Cost = SourceModel['cost'];

const ProviderFile = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The source's names of our lists, where they are others. */
const NAMES: Readonly<Record<string, string>> = {
  gemini: 'google',
  vercel: 'vercel-ai-gateway',
  bedrock: 'amazon-bedrock',
  moonshot: 'moonshotai',
  copilot: 'github-copilot',
};

/** The source's protocols, as our wires. Bedrock's own protocol is none of ours: its models are reached by others. */
const WIRES: Readonly<Record<string, Wire>> = {
  'anthropic-messages': 'messages',
  'openai-completions': 'chat',
  'openai-responses': 'responses',
  'azure-openai-responses': 'responses',
  'google-generative-ai': 'gemini',
};

/** Makes the bundled list of an unpacked package. */
export async function bundleFrom(folder: string): Promise<BundleFile> {
  const manifest = z
    .object({ version: z.string(), license: z.literal('MIT'), author: z.string() })
    .parse(await json(folder, 'package.json'));
  const { generatedAt } = z
    .object({ generatedAt: z.iso.datetime() })
    .parse(await json(folder, 'dist/providers/data/.manifest.json'));
  const efforts = new Pool<readonly (string | null | 0)[]>();
  const flags = new Pool<Partial<WireFlags>>();
  const providers: Record<string, ModelRow[]> = {};
  for (const list of new Set(PRESETS.map((preset) => preset.list ?? preset.id))) {
    const name = NAMES[list] ?? list;
    const found = await modelsOf(folder, name);
    if (found === undefined) continue;
    const models = list === 'bedrock' ? inRegion(found) : found;
    const wire = PRESETS.find((preset) => (preset.list ?? preset.id) === list)?.wire;
    providers[list] = models.map((model) => rowOf(model, list, wire, { efforts, flags }));
    if (list === 'anthropic') providers[list].push(...addedRows(flags));
    providers[list] = withoutTwins(inOrder(providers[list]));
  }
  return {
    date: generatedAt.slice(0, 10),
    source: `npm package @earendil-works/pi-ai ${manifest.version}`,
    notice: mitLicence(manifest.author),
    efforts: efforts.values,
    flags: flags.values,
    providers,
    presets: presetFacts(),
  };
}

/** What the bundled list says of presets. */
export function presetFacts(): BundleFile['presets'] {
  return Object.fromEntries(
    PRESETS.map(({ id, flags, list, smallModel }) => [
      id,
      {
        ...(flags === undefined ? {} : { flags }),
        ...(list === undefined ? {} : { list }),
        ...(smallModel === undefined ? {} : { smallModel }),
      },
    ]),
  );
}

const json = async (folder: string, file: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, file), 'utf8')) as unknown;

async function modelsOf(folder: string, name: string): Promise<SourceModel[] | undefined> {
  const file = await json(folder, `dist/providers/data/${name}.json`).catch(() => undefined);
  if (file === undefined) return undefined;
  return Object.values(ProviderFile.parse(file))
    .flatMap((models) => Object.values(models))
    .filter((model) => (model as { type?: string }).type === 'chat')
    .map((model) => SourceModel.parse(model))
    .filter((model) => !LEFT_OUT.test(model.id));
}

/** An id without a region is served in one region, and costs what regions cost; only `global.` is cheaper. */
function inRegion(models: readonly SourceModel[]): SourceModel[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return models.map((model) => ({ ...model, cost: (byId.get(`us.${model.id}`) ?? model).cost }));
}

/** Values that many rows share; the place of the first is 1. */
class Pool<T> {
  readonly values: T[] = [];
  readonly #places = new Map<string, number>();

  place(value: T): number {
    const key = JSON.stringify(value);
    const place = this.#places.get(key) ?? this.values.push(value);
    this.#places.set(key, place);
    return place;
  }
}

function rowOf(
  model: SourceModel,
  list: string,
  wire: Wire | undefined,
  pools: {
    readonly efforts: Pool<readonly (string | null | 0)[]>;
    readonly flags: Pool<Partial<WireFlags>>;
  },
): ModelRow {
  const name = canonicalName(model.id);
  const abilities =
    (model.reasoning ? ABILITIES.thinking : 0) |
    (model.input.includes('image') ? ABILITIES.vision : 0) |
    (UNFORCED.includes(name) ? ABILITIES.unforced : 0);
  const flags = flagsOf(model, list, wire);
  const style = THINKING_STYLES[name];
  const off =
    style === undefined ? model.thinkingLevelMap?.off : style === 'always' ? null : undefined;
  return short([
    model.id,
    model.name.replace(/^[^:]+: /, '').replace(/ \(latest\)$/, ''),
    windowOf(model, list),
    Math.min(
      model.maxTokens,
      model.contextWindow,
      (list === 'anthropic' ? OUTPUT_LIMITS[name] : undefined) ?? Infinity,
    ),
    abilities,
    // What a plan costs is not what its list says.
    list === 'copilot' ? 0 : priceOf(model),
    model.reasoning && model.thinkingLevelMap !== undefined
      ? pools.efforts.place(effortsOf({ ...model.thinkingLevelMap, off }))
      : 0,
    flags === undefined ? 0 : pools.flags.place(flags),
  ]);
}

/** Without the zeros at its end. */
function short(row: ModelRow): ModelRow {
  const last = row.findLastIndex((value) => value !== 0);
  return row.slice(0, last + 1) as unknown as ModelRow;
}

/** The source stops where OpenAI's prices of long prompts begin; the window is what its other lists have. */
function windowOf({ contextWindow, cost }: SourceModel, list: string): number {
  const stopsAtPrice = cost.tiers.some((tier) => tier.inputTokensAbove === contextWindow);
  return list === 'openai' && stopsAtPrice ? 1_050_000 : contextWindow;
}

/** Steps that the source leaves out: the words of the common ones, none of the two above them. */
function effortsOf(map: NonNullable<SourceModel['thinkingLevelMap']>): (string | null | 0)[] {
  return EFFORT_STEPS.map((step) => {
    const value = map[step];
    if (value !== undefined) return value;
    if (step === 'off') return 0;
    return step === 'xhigh' || step === 'max' || step === 'minimal' ? null : step;
  });
}

function priceOf({ id, cost }: SourceModel): PriceRow | 0 {
  if (cost.input === 0 && cost.output === 0) return FREE.test(id) ? [0, 0] : 0;
  if (cost.output > cost.input * GREATEST_RATIO) return 0;
  const hour = canonicalName(id).startsWith('claude-') && cost.cacheWrite > 0;
  return tiered(cost, [...cost.tiers].toSorted(byThreshold), hour);
}

const byThreshold = (left: Cost['tiers'][number], right: Cost['tiers'][number]): number =>
  left.inputTokensAbove - right.inputTokensAbove;

function tiered(rates: z.infer<typeof Rates>, tiers: Cost['tiers'], hour: boolean): PriceRow {
  const [next, ...rest] = tiers;
  const { input, output, cacheRead, cacheWrite } = rates;
  // The source has 0 where a cache has no price of its own: such tokens cost what input costs.
  const own = (price: number): number | null => (price === 0 || price === input ? null : price);
  const row: (number | null | PriceRow)[] = [
    input,
    output,
    own(cacheRead),
    own(cacheWrite),
    hour ? Number((input * 2).toPrecision(12)) : null,
    ...(next === undefined ? [] : [next.inputTokensAbove, tiered(next, rest, hour)]),
  ];
  return row.slice(0, row.findLastIndex((value) => value !== null) + 1) as unknown as PriceRow;
}

/** All flags of a model, when the source speaks to it on the wire that the preset has; else none. */
function flagsOf(
  { id, api, compat, thinkingLevelMap }: SourceModel,
  list: string,
  wire: Wire | undefined,
): Partial<WireFlags> | undefined {
  const name = canonicalName(id);
  const isClaude = name.startsWith('claude-');
  const temperature =
    compat['supportsTemperature'] === false ? ({ temperature: false } as const) : {};
  if (list === 'openrouter' && isClaude)
    return { ...temperature, effort: 'reasoning', cache: 'marks' };
  const adaptive = thinkingLevelMap?.off === null ? 'always' : 'optional';
  const style =
    THINKING_STYLES[name] ?? (compat['forceAdaptiveThinking'] === true ? adaptive : 'budget');
  const thinking = style === 'budget' ? {} : { thinkingStyle: style };
  if (list === 'bedrock' && isClaude) return { ...temperature, ...thinking };
  if (wire === undefined || WIRES[api] !== wire) return undefined;
  return {
    ...temperature,
    ...(compat['supportsLongCacheRetention'] === false ? { longCache: false } : {}),
    ...(wire === 'messages' ? { ...thinking, ...messagesFlags(compat) } : {}),
    ...(wire === 'chat' ? chatFlags(compat) : {}),
    ...(compat['supportsExplicitPromptCacheMode'] === true ? { cacheBreakpoints: true } : {}),
  };
}

const messagesFlags = (compat: SourceModel['compat']): Partial<WireFlags> => ({
  ...(compat['allowEmptySignature'] === true ? { emptySignature: true } : {}),
  ...(compat['supportsCacheControlOnTools'] === false ? { cacheControlOnTools: false } : {}),
});

/** The source's names of switches for thinking. */
const SWITCHES = {
  deepseek: 'thinking',
  zai: 'thinking',
  qwen: 'enable_thinking',
  together: 'reasoning.enabled',
} as const satisfies Record<string, WireFlags['thinkingSwitch']>;

/** The effort is said even where it is the usual one: hosts may know another for models that nobody knows. */
function chatFlags(compat: SourceModel['compat']): Partial<WireFlags> {
  const format = compat['thinkingFormat'];
  const effort = format === 'openrouter' ? 'reasoning' : 'reasoning_effort';
  const isSwitch = typeof format === 'string' && Object.hasOwn(SWITCHES, format);
  return {
    effort: compat['supportsReasoningEffort'] === false ? 'none' : effort,
    ...(isSwitch ? { thinkingSwitch: SWITCHES[format as keyof typeof SWITCHES] } : {}),
    ...(compat['requiresReasoningContentOnAssistantMessages'] === true
      ? { reasoning: 'always' }
      : {}),
    ...(compat['cacheControlFormat'] === 'anthropic' ? { cache: 'marks' } : {}),
    ...(compat['zaiToolStream'] === true ? { toolStream: true } : {}),
  };
}

function addedRows(flags: Pool<Partial<WireFlags>>): ModelRow[] {
  return ADDED.map(({ id, name, price }): ModelRow => {
    const abilities =
      ABILITIES.thinking | ABILITIES.vision | (UNFORCED.includes(id) ? ABILITIES.unforced : 0);
    const style = THINKING_STYLES[id];
    const [input = 0, output = 0, read = 0] = price ?? [];
    const prices: PriceRow | 0 =
      price === undefined ? 0 : [input, output, read, input * 1.25, input * 2];
    const own = flags.place(style === undefined ? {} : { thinkingStyle: style });
    return [id, name, 1_000_000, 128_000, abilities, prices, 0, own];
  });
}

function inOrder(rows: readonly ModelRow[]): ModelRow[] {
  const place = ([id]: ModelRow): number => {
    const at = FIRST.indexOf(id);
    return at < 0 ? FIRST.length : at;
  };
  return rows.toSorted((left, right) => place(left) - place(right));
}

/** A dated snapshot, or a region, that says nothing else than the model it is one of is found by that. */
function withoutTwins(rows: readonly ModelRow[]): ModelRow[] {
  const facts = ([, , ...rest]: ModelRow): string => JSON.stringify(rest);
  const kept: ModelRow[] = [];
  const names = new Map<string, ModelRow>();
  const shortestFirst = rows.toSorted((left, right) => left[0].length - right[0].length);
  for (const row of shortestFirst)
    if (!names.has(canonicalName(row[0]))) names.set(canonicalName(row[0]), row);
  for (const row of rows) {
    const first = names.get(canonicalName(row[0]));
    if (first === undefined || first === row || facts(first) !== facts(row)) kept.push(row);
  }
  return kept;
}
