import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { ToolCallPart } from '../../domain/message.ts';
import type { Tool } from './tool-call.ts';

/** The tool through which rare tools are called. */
export const USE_TOOL = 'use_tool';

/**
 * The tools, and `use_tool` in the place of the rare ones, whose schemas would cost tokens in every
 * request. The list stays the same through a run, for the prompt cache.
 * @param found tools that `use_tool` calls, too, and does not name: they are found by a search
 */
export function withUseTool(tools: readonly Tool[], found: readonly Tool[] = []): readonly Tool[] {
  const rare = tools.filter((tool) => tool.rare === true);
  if (rare.length + found.length === 0) return tools;
  return [...tools.filter((tool) => tool.rare !== true), useTool(rare, found), ...rare];
}

function useTool(named: readonly Tool[], found: readonly Tool[]): Tool {
  const names = [
    ...named.map(({ name }) => name),
    ...(found.length === 0 ? [] : ['what find_tool finds']),
  ].join(', ');
  const rare = [...named, ...found];
  return {
    name: USE_TOOL,
    description: `Calls a less common tool: ${names}. Without input it answers with that tool's arguments.`,
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'its name' },
        input: { type: 'object', description: 'its arguments' },
      },
      required: ['tool'],
    },
    sideEffects: false,
    level: 'guest',
    module: 'tools',
    permission: 'none',
    check: (input) => {
      const { tool } = input;
      if (rare.some(({ name }) => name === tool)) return { input };
      return { problem: `tool must be one of ${names}.` };
    },
    // A call with arguments never gets here: it was put in the place of this one (`expanded`).
    run: async (input) => {
      const text = rare
        .filter(({ name }) => name === input['tool'])
        .map(
          ({ name, description, inputSchema }) =>
            `${name}: ${description}\nArguments (JSON Schema): ${JSON.stringify(inputSchema)}\nCall it with ${USE_TOOL} {"tool": ${JSON.stringify(name)}, "input": {…}}.`,
        )
        .join('\n');
      return { content: [{ type: 'text', text }] };
    },
  };
}

/** A call through `use_tool` as the call it means, however models put it; others as they are. */
export function expanded(part: ToolCallPart): ToolCallPart {
  if (part.name !== USE_TOOL || part.invalid !== undefined) return part;
  const { tool, input: given, ...beside } = part.input;
  if (typeof tool !== 'string' || tool === USE_TOOL) return part;
  const input = given === undefined && Object.keys(beside).length > 0 ? beside : objectOf(given);
  if (input === undefined) return part;
  return { ...part, name: tool, input, via: USE_TOOL };
}

function objectOf(value: unknown): JsonObject | undefined {
  if (typeof value === 'string') {
    try {
      return objectOf(JSON.parse(value));
    } catch {
      return undefined;
    }
  }
  return isJsonObject(value) ? value : undefined;
}

/** A call as the model made it, for the history that it is sent. */
export function collapsed(part: ToolCallPart): ToolCallPart {
  if (part.via === undefined) return part;
  const { via, ...call } = part;
  return { ...call, name: via, input: { tool: part.name, input: part.input } };
}
