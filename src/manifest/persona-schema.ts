import type { JsonObject } from '../domain/data/json.ts';

const texts = (description: string): JsonObject => ({
  type: 'array',
  items: { type: 'string' },
  description,
});

/** A persona in the settings; `core/customizations/read-persona.ts` reads it. */
export const PERSONA_SCHEMA: JsonObject = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    instructions: { type: 'string' },
    prompt: { enum: ['extend', 'replace'] },
    model: { type: 'string' },
    tools: texts('Names of tools, modules or MCP servers (`server/*`).'),
    modules: texts('Names of modules.'),
    maxTokens: { type: 'integer', minimum: 1 },
    level: { enum: ['guest', 'user', 'admin', 'owner'] },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    topP: { type: 'number', minimum: 0, maximum: 1 },
    default: { type: ['string', 'boolean'] },
  },
};
