import type { Json, JsonObject } from '../domain/data/json.ts';
import {
  findSettingObject,
  SETTING_OBJECT_NAMES,
  SETTING_OBJECTS,
  type SettingObject,
  toDeclaredKey,
} from '../domain/settings/setting-objects.ts';
import { type Setting, type SettingKey, SETTINGS } from '../domain/settings/settings.ts';
import { MCP_SERVERS_SCHEMA } from './mcp-server-schema.ts';
import { PROVIDERS_SCHEMA } from './provider-schema.ts';
import { PERSONA_SCHEMA } from './persona-schema.ts';
import { PERMISSION_RULE_SCHEMA } from './permission-rule-schema.ts';

/** A key as the manifest declares it: a setting, or an object that holds several. */
type DeclaredKey = SettingKey | SettingObject;

/** The settings that matter first, in the order of a first visit. */
const COMMON: readonly DeclaredKey[] = [
  'model.name',
  'model.providers',
  'permissions.mode',
  'permissions.rules',
  'budget',
  'mcp.servers',
  'terminal.sandbox',
  'systemPrompt.add',
];

const COMMON_HEADING = 'Commonly Used';

/** Heading in the settings editor by the first word of the key. */
const CATEGORIES: Readonly<Record<string, string>> = {
  model: 'Model',
  systemPrompt: 'Model',
  review: 'Review',
  loop: 'Loop',
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
  advanced: 'Advanced',
};

/**
 * Settings that stay on their machine where VS Code syncs the others: what is allowed, what is run, where requests and
 * keys go, and what depends on the machine. Another machine must not take them over unasked.
 */
const STAY: ReadonlySet<string> = new Set<DeclaredKey>([
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

/** A heading of the settings editor, and the keys below it in their order. */
export interface SettingGroup {
  readonly title: string;
  readonly keys: readonly string[];
}

/** Lists the headings: the settings that matter first, then the others in the order of the table. */
export function listSettingGroups(): readonly SettingGroup[] {
  const groups = new Map<string, string[]>([[COMMON_HEADING, [...COMMON]]]);
  for (const key of listDeclaredKeys()) {
    if ((COMMON as readonly string[]).includes(key)) continue;
    const heading = CATEGORIES[key.split('.')[0] ?? ''];
    if (heading === undefined) throw new Error(`The setting ${key} has no heading in CATEGORIES.`);
    groups.set(heading, [...(groups.get(heading) ?? []), key]);
  }
  return [...groups].map(([title, keys]) => ({ title, keys }));
}

const listDeclaredKeys = (): readonly string[] => [
  ...new Set(Object.keys(SETTINGS).map(toDeclaredKey)),
];

/** `contributes.configuration`: one group a heading. */
export function configuration(): Json {
  return listSettingGroups().map(({ title, keys }, index) => ({
    title,
    order: index + 1,
    properties: Object.fromEntries(
      keys.map((key, at) => {
        const sync = STAY.has(key) ? { ignoreSync: true } : {};
        const order = (at + 1) * ORDER_STEP;
        return [`belay.${key}`, { order, ...sync, ...declarationOf(key) }];
      }),
    ),
  }));
}

/** Every setting: nothing of an untrusted workspace is obeyed. */
export function restrictedConfigurations(): string[] {
  return listDeclaredKeys().map((key) => `belay.${key}`);
}

function declarationOf(key: string): JsonObject {
  const object = SETTING_OBJECT_NAMES.find((name) => name === key);
  if (object !== undefined) return objectSchema(object);
  const setting: Setting = SETTINGS[key as SettingKey];
  return { scope: setting.scope, ...schemaOf(key, setting) };
}

/** An object with a property for each of its settings; the user alone sets it. */
function objectSchema(object: SettingObject): JsonObject {
  const { description, properties } = SETTING_OBJECTS[object];
  const own = Object.entries<Setting>(properties).map(([key, setting]) => {
    const property = findSettingObject(key)?.property ?? key;
    return [property, setting] as const;
  });
  return {
    scope: 'application',
    markdownDescription: description,
    type: 'object',
    properties: Object.fromEntries(
      own.map(([name, setting]) => [name, schemaOf(`${object}.${name}`, setting)]),
    ),
    additionalProperties: false,
    default: Object.fromEntries(own.map(([name, setting]) => [name, setting.default as Json])),
  };
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
