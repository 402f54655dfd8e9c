import { type AppReference, appReference } from './app-reference.ts';
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

/** Tools of one server that are offered, and characters and levels of the schema of one. */
const mostTools = 1000;
const longestSchema = 100_000;
const deepestSchema = 100;

/** Reads tools one by one, sorted by name; `report` gets a sentence for each one left out. */
export function readTools(
  raw: readonly unknown[],
  report: (problem: string) => void,
): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  for (const entry of raw.slice(0, mostTools)) {
    const tool = readTool(entry, report);
    if (tool === undefined) continue;
    if (tools.has(tool.name))
      report(`The tool “${tool.name}” is listed twice; the first one is used.`);
    else tools.set(tool.name, tool);
  }
  if (raw.length > mostTools) report(`Of ${raw.length} tools the first ${mostTools} are offered.`);
  return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readTool(entry: unknown, report: (problem: string) => void): ListedTool | undefined {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') {
    report('A tool without a name is left out.');
    return undefined;
  }
  const { name, title, description, inputSchema, annotations } = entry;
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  if (isTooDeep(schema) || JSON.stringify(schema).length > longestSchema) {
    report(
      `The tool “${name}” is left out: its schema has more than ${longestSchema} characters or ${deepestSchema} levels.`,
    );
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
  return isTooDeep(claims) || JSON.stringify(claims).length > longestSchema ? {} : claims;
}

function isTooDeep(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return level > deepestSchema || Object.values(value).some((item) => isTooDeep(item, level + 1));
}
