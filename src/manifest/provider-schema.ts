import type { JsonSchema } from '../domain/models/model.ts';
import { WIRE_FLAGS } from '../domain/models/wire-flags.ts';
import { PRESETS } from '../providers/catalog/presets.ts';
import { INSTANCE_ID, SETTABLE_WIRES, wireFor } from '../providers/instances-setting.ts';

const text = (markdownDescription: string): JsonSchema => ({ type: 'string', markdownDescription });

const flags = Object.fromEntries(
  Object.entries(WIRE_FLAGS).map(([name, values]) => [name, { enum: [...values] }]),
);

/** One provider in the settings. */
const PROVIDER_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  anyOf: [{ required: ['preset'] }, { required: ['wire', 'baseUrl'] }],
  properties: {
    name: text('For people; without it, the preset’s.'),
    preset: {
      enum: PRESETS.filter((preset) => wireFor(preset) !== undefined).map(({ id }) => id),
      markdownDescription: 'What it is made of: address, wire and flags are known then.',
    },
    wire: {
      enum: Object.keys(SETTABLE_WIRES),
      enumDescriptions: Object.values(SETTABLE_WIRES),
    },
    baseUrl: { ...(text('Where it is.') as object), pattern: '^https?://' },
    key: {
      ...(text(
        '`stored`: by *Belay: Set API Key…*. `none`: it needs none. Else the name of a variable of the environment. Never the key itself.',
      ) as object),
      pattern: '^(stored|none|[A-Z][A-Z0-9_]{1,60})$',
    },
    models: {
      type: 'array',
      markdownDescription: 'The models to offer; without it, those of the catalog.',
      items: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'string' },
              name: { type: 'string' },
              contextWindow: { type: 'integer', minimum: 1 },
              imageSide: { type: 'integer', minimum: 1 },
              maxOutputTokens: { type: 'integer', minimum: 1 },
              thinking: { type: 'boolean' },
              vision: { type: 'boolean' },
            },
          },
        ],
      },
    },
    flags: {
      type: 'object',
      additionalProperties: false,
      markdownDescription: 'How it differs from what is known of its host and its models.',
      properties: flags,
    },
  },
};

/** The providers in the settings, by their names. */
export const PROVIDERS_SCHEMA: JsonSchema = {
  type: 'object',
  propertyNames: { pattern: INSTANCE_ID.source },
  additionalProperties: PROVIDER_SCHEMA,
};
