import type { Json, JsonObject } from '../domain/data/json.ts';
import { type Setting, SETTINGS } from '../domain/settings/settings.ts';
import { MCP_SERVERS_SCHEMA } from './mcp-server-schema.ts';
import { PROVIDERS_SCHEMA } from './provider-schema.ts';
import { PERSONA_SCHEMA } from './persona-schema.ts';
import { PERMISSION_RULE_SCHEMA } from './permission-rule-schema.ts';

/** Heading in the settings editor by the first word of the key. */
const CATEGORIES: Readonly<Record<string, string>> = {
  model: 'Model',
  systemPrompt: 'Model',
  review: 'Review',
  loop: 'Loop',
  budget: 'Budget',
  agents: 'Sub-Agents',
  context: 'Context',
  terminal: 'Tools',
  tools: 'Tools',
  permissions: 'Permissions',
  secrets: 'Permissions',
  language: 'Tools',
  memory: 'Tools',
  identity: 'Permissions',
  personas: 'Model',
  checkpoints: 'Records',
  webSearch: 'Tools',
  telemetry: 'Records',
  mcp: 'MCP',
  contextServer: 'MCP',
  log: 'Records',
  store: 'Records',
};

/**
 * Settings that stay on their machine where VS Code syncs the others: what is allowed, what is run, where requests and
 * keys go, and what depends on the machine. Another machine must not take them over unasked.
 */
const STAY: ReadonlySet<string> = new Set<keyof typeof SETTINGS>([
  'model.baseUrl',
  'model.keyVariable',
  'model.providers',
  'webSearch.url',
  'telemetry.otlpEndpoint',
  'telemetry.useEnvironment',
  'telemetry.keyHeader',
  'telemetry.content',
  'mcp.servers',
  'mcp.files',
  'permissions.mode',
  'permissions.rules',
  'permissions.workspaceRules',
  'identity.defaultLevel',
  'identity.guestModules',
  'secrets.maskToolOutput',
  'tools.extensions',
  'terminal.sandbox',
  'contextServer.enabled',
  'contextServer.port',
  'checkpoints.maxSize',
  'checkpoints.keepDays',
  'store.busyTimeout',
  'loop.resume',
]);

/** Schemas of values with a shape of their own, by key. */
const OBJECT_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'mcp.servers': MCP_SERVERS_SCHEMA,
  'model.providers': PROVIDERS_SCHEMA,
  'permissions.rules': PERMISSION_RULE_SCHEMA,
  'permissions.workspaceRules': PERMISSION_RULE_SCHEMA,
  personas: PERSONA_SCHEMA,
};

/** Distance between the orders of two settings. VS Code compares orders within a heading only. */
const ORDER_STEP = 10;

/** `contributes.configuration`: one group a heading, in the order of the table. */
export function configuration(): Json {
  const groups = new Map<string, Record<string, Json>>();
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    const heading = CATEGORIES[key.split('.')[0] ?? ''];
    if (heading === undefined) throw new Error(`The setting ${key} has no heading in CATEGORIES.`);
    const properties = groups.get(heading) ?? {};
    const order = (Object.keys(properties).length + 1) * ORDER_STEP;
    const sync = STAY.has(key) ? { ignoreSync: true } : {};
    const { scope } = setting;
    properties[`belay.${key}`] = { order, scope, ...sync, ...schemaOf(key, setting) };
    groups.set(heading, properties);
  }
  return [...groups].map(([title, properties]) => ({ title, properties }));
}

/** Every setting: nothing of an untrusted workspace is obeyed. */
export function restrictedConfigurations(): string[] {
  return Object.keys(SETTINGS).map((key) => `belay.${key}`);
}

function schemaOf(key: string, setting: Setting): JsonObject {
  const shared = { markdownDescription: setting.description };
  switch (setting.type) {
    case 'integer':
    case 'number':
      return {
        ...shared,
        type: setting.type,
        default: setting.default,
        minimum: setting.minimum,
        maximum: setting.maximum,
      };
    case 'boolean':
      return { ...shared, type: 'boolean', default: setting.default };
    case 'string':
      return {
        ...shared,
        type: 'string',
        default: setting.default,
        ...(setting.pattern === undefined ? {} : { pattern: setting.pattern }),
      };
    case 'choice':
      return {
        ...shared,
        type: 'string',
        default: setting.default,
        enum: setting.choices,
        markdownEnumDescriptions: setting.choiceDescriptions,
      };
    case 'list':
      return {
        ...shared,
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        default: setting.default,
      };
    case 'objects':
      return {
        ...shared,
        type: 'array',
        items: OBJECT_SCHEMAS[key] ?? { type: 'object' },
        default: setting.default as Json,
      };
    case 'object':
      return {
        ...shared,
        ...(OBJECT_SCHEMAS[key] ?? { type: 'object' }),
        default: setting.default as JsonObject,
      };
    default:
      return setting satisfies never;
  }
}
