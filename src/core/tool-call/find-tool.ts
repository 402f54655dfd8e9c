import type { Settings } from '../../domain/settings/settings.ts';
import type { Tool } from './tool-call.ts';
import { USE_TOOL } from './use-tool.ts';

/** The tool by which deferred tools are found. */
export const FIND_TOOL = 'find_tool';

/** Tools that one search answers with, arguments and all; more are named only. */
const MOST = 5;
const MOST_NAMES = 50;
/** Characters of one tool's arguments in an answer; longer ones are asked for alone. */
const MOST_SCHEMA = 6000;
/** Modules that the description names; it is in every request. */
const MOST_MODULES = 30;
/** A token is about four characters (D5). */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens that tools of servers may cost in every request. @param contextLimit tokens that a request may have */
export function deferLimit(settings: Settings, contextLimit: number): number {
  return (settings('advanced.deferMcpToolsAbovePercent') / 100) * contextLimit;
}

/** Tokens that the tools cost in every request, roughly. */
export function tokensOf(tools: readonly Tool[]): number {
  const characters = tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + name.length + description.length + JSON.stringify(inputSchema).length,
    0,
  );
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/**
 * The tools as they are while together they cost at most `limit` tokens in every request; else one that finds them, and
 * they are called through `use_tool` without being listed.
 */
export function withFindTool(tools: readonly Tool[], limit: number): readonly Tool[] {
  if (tokensOf(tools) <= limit) return tools;
  return [findTool(tools), ...tools.map((tool) => ({ ...tool, rare: true }))];
}

function findTool(tools: readonly Tool[]): Tool {
  return {
    name: FIND_TOOL,
    description: `Finds tools by words, of: ${modulesOf(tools)}. Answers with their arguments; call them by ${USE_TOOL}.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'e.g. "create issue", or a name' } },
      required: ['query'],
    },
    sideEffects: false,
    level: 'guest',
    module: 'tools',
    permission: 'none',
    check: (input) =>
      typeof input['query'] === 'string' ? { input } : { problem: 'query is words of the tool.' },
    run: async ({ query }) => ({
      content: [{ type: 'text', text: answer(tools, typeof query === 'string' ? query : '') }],
    }),
  };
}

/** "github (120), files (14)": the tools' modules, each with its count. */
function modulesOf(tools: readonly Tool[]): string {
  const counts = [...Map.groupBy(tools, ({ module }) => module)].map(
    ([module, own]) => `${module} (${own.length})`,
  );
  const shown = counts.slice(0, MOST_MODULES);
  return [...shown, ...(counts.length > MOST_MODULES ? ['more'] : [])].join(', ');
}

function answer(tools: readonly Tool[], query: string): string {
  const words = wordsOf(query);
  const found = tools
    .map((tool) => ({ tool, score: scoreOf(tool, query.trim(), words) }))
    .filter(({ score }) => score > 0)
    // Equal ones stay in their order.
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
  if (found.length === 0)
    return `No tool fits ${JSON.stringify(query)}. There are: ${modulesOf(tools)}. Try other words.`;
  const names = found.slice(MOST, MOST + MOST_NAMES).map(({ name }) => name);
  const more = found.length - MOST - names.length;
  return [
    ...found.slice(0, MOST).map(described),
    ...(names.length === 0
      ? []
      : [`Also: ${names.join(', ')}${more > 0 ? `, ${more} more` : ''}.`]),
    `Call one with ${USE_TOOL} {"tool": NAME, "input": {…}}.`,
  ].join('\n\n');
}

function described({ name, description, inputSchema }: Tool): string {
  const schema = JSON.stringify(inputSchema);
  const shown =
    schema.length > MOST_SCHEMA
      ? `are long: ${USE_TOOL} {"tool": ${JSON.stringify(name)}} tells them`
      : `(JSON Schema): ${schema}`;
  return `${name}: ${description}\nArguments ${shown}`;
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Words in the name count more than words in what it says of itself; its whole name counts most. */
function scoreOf({ name, description }: Tool, query: string, words: readonly string[]): number {
  if (name === query) return Number.MAX_SAFE_INTEGER;
  const named = name.toLowerCase();
  const said = description.toLowerCase();
  return words.reduce(
    (sum, word) => sum + (named.includes(word) ? 4 : 0) + (said.includes(word) ? 1 : 0),
    0,
  );
}
