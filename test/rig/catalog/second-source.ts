import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { BundleFile } from '../../../src/providers/catalog/bundle.ts';

/** What the second source says of the models that both have. */
export interface Extract {
  /** The day of the prices. */
  readonly date: string;
  readonly source: string;
  readonly notice: string;
  /** By provider and id, as they are in the bundled list. */
  readonly models: Readonly<Record<string, SecondOpinion>>;
}

/** Prices in dollars per million tokens; tiers as `[above, price]`. Absent: it does not say. */
export interface SecondOpinion {
  /** Its own id of the model. */
  readonly id: string;
  readonly window?: number;
  readonly input?: Price;
  readonly output?: Price;
  readonly cacheRead?: Price;
  readonly cacheWrite?: Price;
}
type Price =
  | number
  | readonly [base: number, ...tiers: (readonly [above: number, price: number])[]];

/** Its names of our lists. Those that are missing it does not have. */
const NAMES: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'google',
  openrouter: 'openrouter',
  groq: 'groq',
  deepseek: 'deepseek',
  mistral: 'mistral',
  xai: 'x-ai',
  moonshot: 'moonshotai',
  zai: 'zai',
  minimax: 'minimax',
  together: 'together',
  fireworks: 'fireworks',
  cerebras: 'cerebras',
  bedrock: 'aws',
  azure: 'azure',
};

const SecondPrice = z
  .union([
    z.number(),
    z.object({
      base: z.number(),
      tiers: z.array(z.object({ start: z.number(), price: z.number() })),
    }),
  ])
  .optional();

const Calculated = z
  .object({
    model: z.object({ id: z.string(), context_window: z.number().optional() }),
    model_price: z.object({
      input_mtok: SecondPrice,
      output_mtok: SecondPrice,
      cache_read_mtok: SecondPrice,
      cache_write_mtok: SecondPrice,
    }),
  })
  .nullable();

/** Asks the unpacked package for each model of the list. */
export async function extractFrom(folder: string, bundle: BundleFile): Promise<Extract> {
  const manifest = z
    .object({ version: z.string(), license: z.literal('MIT') })
    .parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')));
  const { calcPrice } = (await import(pathToFileURL(path.join(folder, 'dist/index.js')).href)) as {
    calcPrice: (...args: readonly unknown[]) => unknown;
  };
  const models: Record<string, SecondOpinion> = {};
  for (const [list, rows] of Object.entries(bundle.providers)) {
    const providerId = NAMES[list];
    if (providerId === undefined) continue;
    for (const [id] of rows) {
      const options = { providerId, timestamp: new Date(`${bundle.date}T12:00:00Z`) };
      const found = Calculated.parse(calcPrice({ input_tokens: 1, output_tokens: 1 }, id, options));
      if (found !== null) models[`${list}/${id}`] = opinionOf(found);
    }
  }
  return {
    date: bundle.date,
    source: `npm package @pydantic/genai-prices ${manifest.version}`,
    notice: await readFile(path.join(folder, 'LICENSE'), 'utf8'),
    models,
  };
}

function opinionOf({
  model,
  model_price: price,
}: NonNullable<z.infer<typeof Calculated>>): SecondOpinion {
  const short = (given: z.infer<typeof SecondPrice>): Price | undefined =>
    typeof given === 'object'
      ? [given.base, ...given.tiers.map(({ start, price: above }) => [start, above] as const)]
      : given;
  return JSON.parse(
    JSON.stringify({
      id: model.id,
      window: model.context_window,
      input: short(price.input_mtok),
      output: short(price.output_mtok),
      cacheRead: short(price.cache_read_mtok),
      cacheWrite: short(price.cache_write_mtok),
    }),
  ) as SecondOpinion;
}
