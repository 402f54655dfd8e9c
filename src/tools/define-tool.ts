import * as z from 'zod/mini';
import type { Json, JsonObject } from '../domain/data/json.ts';
import type { Tool, ToolContext, ToolOutput } from '../core/tool-call/tool-call.ts';
import type { InputFor, ToolFace } from './face/face.ts';
import type { Fields } from './face/fields.ts';
import { readableProblem, repaired } from './argument-problems.ts';

/** A tool's output with the display that its face shows. */
export interface DisplayedOutput<Display extends JsonObject> extends Omit<ToolOutput, 'display'> {
  readonly display?: Display;
}

/** The same member of a tool, with the tool's own input. */
type WithInput<Member, Input> = Member extends (
  input: JsonObject,
  ...rest: infer Rest
) => infer Output
  ? (input: Input, ...rest: Rest) => Output
  : Member;

type OwnMembers = Omit<Tool, 'name' | 'inputSchema' | 'check' | 'run'>;

/** A tool as its file writes it: the schema is the one source of its type, its check and what the model sees. */
export type ToolDefinition<Schema extends z.ZodMiniObject, Display extends JsonObject> = {
  readonly [Key in keyof OwnMembers]: WithInput<OwnMembers[Key], z.output<Schema>>;
} & {
  readonly schema: Schema;
  /** Mends other products' spellings before the check; in the schema each would cost tokens. */
  readonly accept?: (input: JsonObject) => JsonObject;
  readonly run: (
    input: z.output<Schema>,
    context: ToolContext,
  ) => Promise<DisplayedOutput<Display>>;
};

/** Nothing for a face that can show every input of the schema; no face fits otherwise. */
type FitFor<Schema extends z.ZodMiniObject, Input extends Fields> =
  z.output<Schema> extends InputFor<Input> ? unknown : never;

/** Makes the tool for the engine; its input has passed `check`, and `face` fits what `run` gives. */
export function defineTool<
  Schema extends z.ZodMiniObject,
  Input extends Fields,
  Display extends JsonObject,
>(
  face: ToolFace<Input, Display> & FitFor<Schema, Input>,
  definition: ToolDefinition<Schema, Display>,
): Tool {
  const { schema, accept = (input: JsonObject) => input, ...members } = definition;
  return {
    // They are called with what `check` gave: an input of the schema.
    ...(members as unknown as OwnMembers & Pick<Tool, 'run'>),
    name: face.name,
    inputSchema: jsonSchemaOf(schema),
    check: (input) => check(schema, accept(input)),
  };
}

/** Schema parts that the check covers with a sentence, and every request would pay for. */
const COSTS_TOKENS: Readonly<Record<string, (value: Json) => boolean>> = {
  additionalProperties: (value) => value === false,
  minLength: (value) => value === 1,
  minItems: (value) => value === 1,
  minimum: (value) => value === 0 || value === 1,
  maximum: (value) => value === Number.MAX_SAFE_INTEGER,
};

/** The schema for the model, without what only costs tokens. */
function jsonSchemaOf(schema: z.ZodMiniObject): JsonObject {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io: 'input' });
  return lean(document as Json) as JsonObject;
}

function lean(value: Json): Json {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(
    ([key, inner]) => !(Object.hasOwn(COSTS_TOKENS, key) && COSTS_TOKENS[key]?.(inner) === true),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, lean(inner)]));
}

function check(schema: z.ZodMiniObject, input: JsonObject): ReturnType<Tool['check']> {
  // Without its input what is of a wrong type could not be told from what is missing.
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return { input: parsed.data as JsonObject };
  const again = schema.safeParse(repaired(input, parsed.error.issues));
  if (again.success) return { input: again.data as JsonObject };
  return { problem: readableProblem(parsed.error.issues, schema) };
}
