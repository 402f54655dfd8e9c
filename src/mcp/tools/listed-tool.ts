import { oneLine } from '../status/sentence.ts';
import { type AppReference, appReference } from './app-reference.ts';
import {
  MAX_JSON_LEVELS,
  MAX_JSON_VALUES,
  CUT_JSON,
  isOverLimits,
} from '../../domain/data/json-limits.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { wordSet } from '../../domain/text/words.ts';
import { type Json, type JsonObject, canonicalJson, isJsonObject } from '../../domain/data/json.ts';

/** A tool as the server describes it; every word of it is a claim. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** As it came; an empty object when it was not one. */
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** The page that shows its results, and who may call it; absent: nothing is said of apps. */
  readonly ui?: AppReference;
  /** Its other claims (output schema, hints, icons); an approval is bound to them, too. */
  readonly claims: JsonObject;
}

/** Both claim the same. */
export function isSameTool(one: ListedTool, other: ListedTool): boolean {
  const text = (tool: ListedTool): string => canonicalJson(tool as unknown as Json);
  return one === other || text(one) === text(other);
}

/** Tools of one server that are offered, and characters of the schema of one. */
const mostTools = 1000;
const longestSchema = 100_000;
const MAX_NAME_CHARS = 1000;
/** Characters of all tools of one server; no model takes more, and each request walks them. */
const MAX_TOOLS_CHARS = 500_000;

/** Reads tools one by one, sorted by name; `report` gets a sentence for each one left out. */
export function readTools(raw: readonly unknown[], report: (problem: Told) => void): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  let characters = 0;
  for (const entry of raw.slice(0, mostTools)) {
    const tool = readTool(entry, report);
    if (tool === undefined) continue;
    const { name } = tool;
    characters += JSON.stringify(tool).length;
    if (tools.has(name))
      report(told`The tool “${oneLine(name)}” is listed twice; the first one is used.`);
    else if (characters > MAX_TOOLS_CHARS)
      report(
        told`The tool “${oneLine(name)}” is left out: the tools before it have ${MAX_TOOLS_CHARS} characters together.`,
      );
    else tools.set(name, tool);
  }
  if (raw.length > mostTools)
    report(told`Of ${raw.length} tools the first ${mostTools} are offered.`);
  return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readTool(entry: unknown, report: (problem: Told) => void): ListedTool | undefined {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') {
    report(
      entry === CUT_JSON
        ? told`Further tools are left out: the list has more values than are read.`
        : told`A tool without a name is left out.`,
    );
    return undefined;
  }
  const { name, title, description, inputSchema, annotations } = entry;
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  const excess = findExcess(entry, name, schema);
  if (excess !== undefined) {
    report(told`The tool “${oneLine(name)}” is left out: ${excess}.`);
    return undefined;
  }
  const ui = appReference(entry['_meta']);
  const hints = isJsonObject(annotations) ? annotations : {};
  const shownTitle = typeof title === 'string' ? title : hints['title'];
  return {
    name,
    ...(typeof shownTitle === 'string' ? { title: shownTitle } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: schema,
    readOnly: hints['readOnlyHint'] === true,
    destructive: hints['destructiveHint'] === true,
    ...(ui === undefined ? {} : { ui }),
    claims: claimsIn(entry),
  };
}

/** Members that are used elsewhere, and notes of the transport that change by themselves. */
const ELSEWHERE = wordSet('name title description inputSchema _meta');

function claimsIn(entry: Readonly<Record<string, unknown>>): JsonObject {
  const others = Object.entries(entry).filter(([name]) => !ELSEWHERE.has(name));
  const claims = Object.fromEntries(others) as JsonObject;
  return JSON.stringify(claims).length > longestSchema ? {} : claims;
}

function findExcess(tool: JsonObject, name: string, schema: JsonObject): Told | undefined {
  if (isOverLimits(tool))
    return told`its description has more than ${MAX_JSON_VALUES} values or ${MAX_JSON_LEVELS} levels`;
  if (JSON.stringify(schema).length > longestSchema)
    return told`its schema has more than ${longestSchema} characters`;
  return name.length > MAX_NAME_CHARS
    ? told`its name has more than ${MAX_NAME_CHARS} characters`
    : undefined;
}
