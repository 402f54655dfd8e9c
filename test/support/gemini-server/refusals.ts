import type { GeminiContent, GeminiRequest } from './gemini-server.ts';

/** Keywords of JSON Schema that are taken. */
const KEYWORDS = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  ),
);

/** What the real API says of a request; `undefined`: it takes it. */
export function geminiRefusal(
  { contents, tools }: GeminiRequest,
  path: string,
): string | undefined {
  if (!path.includes(':streamGenerateContent?alt=sse')) return `${path} is not found`;
  const declared = tools?.flatMap(({ functionDeclarations }) => functionDeclarations) ?? [];
  for (const [index, { name, parametersJsonSchema: schema }] of declared.entries()) {
    const wrong = wrongKeyword(schema);
    if (wrong !== undefined)
      return `Invalid JSON payload received. Unknown name "${wrong}" at 'tools[0].function_declarations[${index}].parameters': Cannot find field.`;
    if (!/^[a-z_][\w.:-]{0,63}$/i.test(name))
      return `tools[0].function_declarations[${index}].name: Invalid function name.`;
  }
  return contentsRefusal(contents, /models\/gemini-[12][.-]/.test(path));
}

function wrongKeyword(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return schema.map(wrongKeyword).find((one) => one !== undefined);
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.has(keyword)) return keyword;
    if (keyword === 'enum' && (value as unknown[]).includes('')) return 'enum';
    const inner =
      keyword === 'properties'
        ? Object.values(value as object).map(wrongKeyword)
        : [wrongKeyword(value)];
    const wrong = inner.find((one) => one !== undefined);
    if (wrong !== undefined && keyword !== 'required' && keyword !== 'enum') return wrong;
  }
  return undefined;
}

const countOf = (content: GeminiContent | undefined, kind: 'functionCall' | 'functionResponse') =>
  content?.parts.filter((part) => part[kind] !== undefined).length ?? 0;

function contentsRefusal(contents: readonly GeminiContent[], isOld: boolean): string | undefined {
  if (contents[0]?.role !== 'user') return 'Please use a valid role: user, model.';
  for (const [index, content] of contents.entries()) {
    if (content.parts.length === 0)
      return `GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty. must include at least one parts field`;
    const [calls, next] = [countOf(content, 'functionCall'), contents[index + 1]];
    if (calls > 0 && content.role !== 'model') return 'calls are the model’s';
    if (calls !== countOf(next, 'functionResponse') && (calls > 0 || next?.role === 'user'))
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const before = contents[index - 1];
    if (calls > 0 && before?.role === 'model')
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    const first = content.parts.find(({ functionCall }) => functionCall !== undefined);
    if (!isOld && first !== undefined && first.thoughtSignature === undefined)
      return 'Function call is missing a thought_signature in functionCall parts.';
  }
  return contents.at(-1)?.role === 'model' ? 'the last content is the user’s' : undefined;
}
