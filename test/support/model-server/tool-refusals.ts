import type { Limits } from './refusals.ts';
import type { WireRequest } from './turn.ts';

/** What a tool's name must look like. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Why the API refuses the tools of a request; `undefined` when it does not. */
export function toolsProblem(request: WireRequest, limits: Limits): string | undefined {
  const names = new Set<string>();
  for (const [index, tool] of (request.tools ?? []).entries()) {
    if (!TOOL_NAME.test(tool.name))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (names.has(tool.name)) return 'tools: Tool names must be unique.';
    names.add(tool.name);
    const schema = tool.input_schema as unknown as Record<string, unknown> | undefined;
    if (schema?.['type'] === undefined)
      return `tools.${index}.custom.input_schema.type: Field required`;
    if (!validSchema(schema)) {
      return `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`;
    }
  }
  const choice = request.tool_choice;
  if (choice === undefined) return undefined;
  if (names.size === 0) return 'tool_choice: may only be specified while providing tools.';
  if (choice.type === 'tool' && !names.has(choice.name))
    return `tool_choice: Tool '${choice.name}' not found in provided tools`;
  const forced = choice.type === 'tool' || choice.type === 'any';
  if (forced && request.thinking?.type === 'enabled')
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  if (forced && !limits.forcedTools)
    return `tool_choice: type "${choice.type}" is not supported for this model.`;
  return undefined;
}

/** The faults of a schema that servers really send: an unknown type, properties that are no object, `anyOf` at the top. */
function validSchema(schema: Record<string, unknown>): boolean {
  if (schema['type'] !== 'object' || 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)
    return false;
  const properties = schema['properties'] ?? {};
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties))
    return false;
  return Object.values(properties as Record<string, { type?: unknown } | undefined>).every(
    (property) => {
      const types = property?.type === undefined ? [] : [property.type].flat();
      return types.every(
        (type) =>
          typeof type === 'string' &&
          ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].includes(type),
      );
    },
  );
}
