import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { EFFORT_STEPS } from '../../domain/models/model.ts';
import type { EffortMap, ModelInfo, ModelPrices } from '../../domain/models/model.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';

/**
 * The bundled list as it is written by `npm run catalog`: one dated JSON, compressed. What many models share stands
 * once and is named by its place; place 0 is nothing.
 */
export interface BundleFile {
  /** The day of the data. */
  readonly date: string;
  /** Where the data is from, with its licence. */
  readonly source: string;
  readonly notice: string;
  /** Values of `EFFORT_STEPS`; a hole is a step that is absent. */
  readonly efforts: readonly (readonly (string | null | 0)[])[];
  readonly flags: readonly Partial<WireFlags>[];
  readonly providers: Readonly<Record<string, readonly ModelRow[]>>;
  /** By the presets' ids. */
  readonly presets: Readonly<Record<string, PresetFacts>>;
}

/** Facts of a preset that are asked for with every model. */
export interface PresetFacts {
  readonly flags?: Partial<WireFlags>;
  readonly list?: string;
  readonly smallModel?: string;
}

/** Id, name, context window, output limit, abilities (`ABILITIES`), then what is often missing. */
export type ModelRow = readonly [
  id: string,
  name: string,
  contextWindow: number,
  maxOutputTokens: number,
  abilities: number,
  prices?: PriceRow | 0,
  efforts?: number,
  flags?: number,
];

/** Dollars for a million tokens; `null` or absent: as the input. Then what holds above so many tokens of prompt. */
export type PriceRow = readonly [
  input: number,
  output: number,
  cacheRead?: number | null,
  cacheWrite?: number | null,
  cacheWriteHour?: number | null,
  above?: number,
  longPrompt?: PriceRow,
];

/** Bits of what a model can; `unforced`: a forced tool is refused. */
export const ABILITIES = { thinking: 1, vision: 2, unforced: 4 } as const;

/** The bundled models, decoded when a provider is first asked for. */
export interface Bundle {
  /** The day of the data, for people. */
  readonly date: string;
  readonly providers: readonly string[];
  models(provider: string): readonly ModelInfo[];
  preset(id: string): PresetFacts | undefined;
}

const FILE = new URL('./models.json.br', import.meta.url);

let opened: Bundle | undefined;

/** The list that came with Belay; it is read when it is first needed, and kept. */
export function bundledModels(): Bundle {
  opened ??= openBundle(
    JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()) as BundleFile,
  );
  return opened;
}

/** Makes the models of a list. */
export function openBundle(file: BundleFile): Bundle {
  const decoded = new Map<string, readonly ModelInfo[]>();
  return {
    date: file.date,
    providers: Object.keys(file.providers),
    preset: (id) => (Object.hasOwn(file.presets, id) ? file.presets[id] : undefined),
    models: (provider) => {
      const known = decoded.get(provider);
      if (known !== undefined) return known;
      const rows = Object.hasOwn(file.providers, provider) ? file.providers[provider] : undefined;
      const models = (rows ?? []).map((row) => modelOf(row, provider, file));
      decoded.set(provider, models);
      return models;
    },
  };
}

function modelOf(row: ModelRow, provider: string, file: BundleFile): ModelInfo {
  const [id, name, contextWindow, maxOutputTokens, abilities, prices = 0, efforts = 0, flags = 0] =
    row;
  const effortRow = file.efforts[efforts - 1];
  const flagsOf = file.flags[flags - 1];
  return {
    id,
    name,
    provider,
    contextWindow,
    maxOutputTokens,
    ...(prices === 0 ? {} : { prices: pricesOf(prices) }),
    thinking: (abilities & ABILITIES.thinking) !== 0,
    vision: (abilities & ABILITIES.vision) !== 0,
    toolChoice: (abilities & ABILITIES.unforced) === 0,
    ...(effortRow === undefined ? {} : { efforts: effortsOf(effortRow) }),
    ...(flagsOf === undefined ? {} : { flags: flagsOf }),
  };
}

function effortsOf(row: readonly (string | null | 0)[]): EffortMap {
  return Object.fromEntries(
    EFFORT_STEPS.flatMap((step, index) => {
      const value = row[index];
      return value === 0 || value === undefined ? [] : [[step, value]];
    }),
  );
}

function pricesOf([input, output, read, write, hour, above, long]: PriceRow): ModelPrices {
  return {
    input,
    output,
    cacheRead: read ?? input,
    cacheWrite: write ?? input,
    ...(typeof hour === 'number' ? { cacheWriteHour: hour } : {}),
    ...(above === undefined || long === undefined
      ? {}
      : { longPrompt: { aboveTokens: above, prices: pricesOf(long) } }),
  };
}
