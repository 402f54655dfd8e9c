import * as z from 'zod/mini';
import { MEMORY_LENGTH } from '../../domain/memory.ts';
import { RULE_EFFECTS } from '../../domain/permissions/permission-rule.ts';
import type { RulesView, RuleTestView } from '../permission-view.ts';
import { PROVIDER_ACTIONS, type ProvidersView } from '../provider-view.ts';
import { ruleSchema } from '../rule-schema.ts';
import type { CustomizationsView } from './customizations-view.ts';
import { MEMORY_FORMATS, type MemoryView } from './memory-view.ts';
import type { ComparedModel, UsageView } from './usage-view.ts';
import {
  CENTER_COMMANDS,
  CENTER_SETTINGS,
  type PrivacyView,
  SERVER_ACTIONS,
  type ServerDetails,
  type ServerLogView,
  type ServersView,
  type StorageView,
  type ToolsView,
} from './view.ts';

const name = z.string().check(z.minLength(1), z.maxLength(500));
const filePath = z.string().check(z.minLength(1), z.maxLength(4200));
const nothing = z.strictObject({});

/** The requests of the Control Center: their schemas are types, and checks before a handler. */
export const centerSchemas = {
  // MCP servers
  readServers: nothing,
  readServer: z.strictObject({ server: name }),
  /** Answered when there are lines after this one, or after a while without any. */
  readServerLog: z.strictObject({ server: name, after: z.int().check(z.minimum(-1)) }),
  serverAction: z.strictObject({ server: name, action: z.enum(SERVER_ACTIONS) }),
  addServer: nothing,
  /** One's own rule for a tool of a server; `null`: none. */
  approveTool: z.strictObject({ tool: name, effect: z.nullable(z.enum(RULE_EFFECTS)) }),
  // models
  readProviders: nothing,
  providerAction: z.strictObject({ action: z.enum(PROVIDER_ACTIONS), provider: z.nullable(name) }),
  // tools
  readTools: nothing,
  switchTools: z.strictObject({
    tools: z.array(name).check(z.minLength(1), z.maxLength(5000)),
    on: z.boolean(),
  }),
  // rules
  readRules: nothing,
  addRule: z.strictObject({ rule: ruleSchema }),
  removeRule: z.strictObject({ rule: ruleSchema }),
  switchRule: z.strictObject({ rule: ruleSchema, off: z.boolean() }),
  testRules: z.strictObject({ tool: name, argument: z.string().check(z.maxLength(10_000)) }),
  // instructions, skills, commands, personas
  readCustomizations: nothing,
  switchCustomization: z.strictObject({ path: filePath, on: z.boolean() }),
  openCustomization: z.strictObject({ path: filePath }),
  // memory
  readMemory: nothing,
  changeMemory: z.strictObject({
    id: name,
    text: z.string().check(z.minLength(1), z.maxLength(MEMORY_LENGTH)),
  }),
  removeMemory: z.strictObject({ id: name }),
  /** Brings back what was removed on this page. */
  restoreMemory: z.strictObject({ id: name }),
  /** Saves all notes where the person says. */
  exportMemory: z.strictObject({ format: z.enum(MEMORY_FORMATS) }),
  switchMemory: z.strictObject({ on: z.boolean() }),
  // budgets and usage
  readUsage: nothing,
  /** The cost of a session with other models. */
  compareSession: z.strictObject({ workspace: name, session: name }),
  /** Saves every call as a table, where the person says. */
  exportUsage: nothing,
  // privacy and storage
  readPrivacy: nothing,
  readStorage: nothing,
  /** Deletes checkpoints, after a yes. */
  cleanUp: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('gone') }),
    z.strictObject({
      kind: z.literal('older'),
      days: z.int().check(z.minimum(0), z.maximum(9999)),
    }),
    z.strictObject({ kind: z.literal('everything') }),
  ]),
  openSetting: z.strictObject({ setting: z.enum(CENTER_SETTINGS) }),
  runCommand: z.strictObject({ command: z.enum(CENTER_COMMANDS) }),
} as const;

export type CenterRequest = keyof typeof centerSchemas;

/** Requests that are answered with more than "done". */
interface Answers {
  readonly readServers: ServersView;
  readonly readServer: ServerDetails;
  readonly readServerLog: ServerLogView;
  readonly readProviders: ProvidersView;
  readonly readTools: ToolsView;
  readonly readRules: RulesView;
  readonly testRules: RuleTestView;
  readonly readCustomizations: CustomizationsView;
  readonly readMemory: MemoryView;
  readonly readUsage: UsageView;
  readonly compareSession: readonly ComparedModel[];
  readonly readPrivacy: PrivacyView;
  readonly readStorage: StorageView;
  /** In a sentence; `null`: the person gave up. */
  readonly cleanUp: { readonly said: string } | null;
}

/** Parameters and answer of each request. */
export type CenterCalls = {
  readonly [Name in CenterRequest]: {
    readonly params: z.infer<(typeof centerSchemas)[Name]>;
    readonly result: Name extends keyof Answers ? Answers[Name] : null;
  };
};

/** One handler for each request; a missing one does not compile. */
export type CenterHandlers = {
  readonly [Name in CenterRequest]: (
    params: CenterCalls[Name]['params'],
  ) => Promise<CenterCalls[Name]['result']>;
};
