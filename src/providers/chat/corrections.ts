import type { Refusal } from '../http/refusal.ts';
import type { ChatFlags } from './flags.ts';

/** One way in which a server says that it wants requests otherwise. */
interface Correction {
  /** The refused field. */
  readonly param?: RegExp;
  /** Its words, where the field alone does not say what is wrong. */
  readonly text?: RegExp;
  readonly change: (flags: ChatFlags) => Partial<ChatFlags>;
}

/** Says that a field is not known, as against a wrong value. */
const UNKNOWN =
  /un(?:supported|known|recognized|expected)|not (?:supported|permitted|allowed|available|valid)|extra (?:inputs|fields)|forbidden|additional propert|does ?n[o']t (?:support|exist|take)|no longer|deprecated|instead|invalid (?:field|parameter|argument)|only (?:the default|supported)/i;

/** Most special first. Each is tried once for a request and remembered for its model. */
const CORRECTIONS: readonly Correction[] = [
  {
    text: /reasoning_content.{0,80}(?:must|missing|required|need|pass)|(?:missing|must|required).{0,80}reasoning_content/i,
    change: () => ({ reasoning: 'always' }),
  },
  {
    param: /reasoning(?:_content|_details|_text)?$|thinking$/,
    text: /messages?\b.{0,40}(?:reasoning|thinking)|property '?"?reasoning/i,
    change: () => ({ reasoning: 'never' }),
  },
  {
    text: /max_completion_tokens['"`]? instead|max_tokens['"`]? is not supported/i,
    change: () => ({ maxTokens: 'max_completion_tokens' }),
  },
  {
    param: /^max_completion_tokens$/,
    change: ({ maxTokens }) => ({
      maxTokens: maxTokens === 'max_completion_tokens' ? 'max_tokens' : 'none',
    }),
  },
  {
    param: /^max_tokens$/,
    change: ({ maxTokens }) => ({
      maxTokens: maxTokens === 'max_tokens' ? 'max_completion_tokens' : 'none',
    }),
  },
  { param: /^stream_options/, change: () => ({ askUsage: false }) },
  {
    param: /^(?:reasoning_effort|reasoning|thinking|enable_thinking)\b/,
    change: () => ({ effort: 'none' }),
  },
  {
    param: /^(?:prompt_cache_key|prompt_cache\w*)$|cache_control/,
    change: () => ({ cache: 'none' }),
  },
  { param: /^tool_choice/, change: () => ({ toolChoice: false }) },
  {
    param: /messages[.[]\d+\]?\.role$/,
    text: /developer/i,
    change: () => ({ systemRole: 'system' }),
  },
  {
    param: /messages[.[]\d+\]?\.content$/,
    text: /\bnull\b|string|empty/i,
    change: ({ emptyContent }) => ({ emptyContent: emptyContent === 'text' ? 'null' : 'text' }),
  },
];

/** Refusals that name no field. */
const WORDS: readonly { readonly text: RegExp; readonly change: Partial<ChatFlags> }[] = [
  { text: /role '?"?user'?"? after role '?"?tool/i, change: { userAfterTool: false } },
  {
    text: /tool.?call.{0,20}id.{0,80}length of 9|a-z, A-Z, 0-9.{0,40}length of 9/i,
    change: { ids: 'nine' },
  },
  {
    text: /tools=? ?param|tools.{0,30}(?:must be|should be) (?:provided|specified|set)/i,
    change: { toolsForHistory: true },
  },
];

/**
 * Flags that a refusal tells of how its server wants requests; `undefined` when it says nothing that is not
 * known already. The field is the `param` of the error, or the one its words begin with or put in quotes.
 */
export function correctionOf(refusal: Refusal, flags: ChatFlags): Partial<ChatFlags> | undefined {
  const { status, text } = refusal;
  if (status !== 400 && status !== 422) return undefined;
  const said = WORDS.find((words) => words.text.test(text))?.change;
  if (said !== undefined) return news(said, flags);
  const fields = fieldsOf(refusal);
  const isUnknown = UNKNOWN.test(`${text} ${refusal.type ?? ''} ${refusal.code ?? ''}`);
  for (const { param, text: words, change } of CORRECTIONS) {
    const names = param !== undefined && fields.some((field) => param.test(field));
    const says = words?.test(text) === true;
    const holds =
      param === undefined ? says : names && (words === undefined ? isUnknown : says || isUnknown);
    const changed = holds ? news(change(flags), flags) : undefined;
    if (changed !== undefined) return changed;
  }
  return undefined;
}

function news(change: Partial<ChatFlags>, flags: ChatFlags): Partial<ChatFlags> | undefined {
  const isNew = Object.entries(change).some(
    ([name, value]) => flags[name as keyof ChatFlags] !== value,
  );
  return isNew ? change : undefined;
}

function fieldsOf({ param, text }: Refusal): readonly string[] {
  const quoted = [...text.matchAll(/['"`]([\w.[\]]{3,60})['"`]/g)].map(([, name = '']) => name);
  const first = /^(?:body\.)?([\w.[\]]+):/.exec(text)?.[1];
  return [param, first, ...quoted].filter((name) => name !== undefined);
}
