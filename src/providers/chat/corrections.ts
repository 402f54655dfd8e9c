import type { Refusal } from '../http/refusal/refusal.ts';
import { refusedFields, saysOnlyOne, saysUnknown } from '../http/refusal/refused-fields.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';

/** One way in which a server says that it wants requests otherwise. */
interface Correction {
  /** The refused field. */
  readonly param?: RegExp;
  /** Its words, where the field alone does not say what is wrong. */
  readonly text?: RegExp;
  readonly change: (flags: WireFlags) => Partial<WireFlags>;
}

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
    param: /^(?:thinking|enable_thinking|reasoning\.enabled)\b/,
    change: () => ({ thinkingSwitch: 'none' }),
  },
  {
    param: /^(?:reasoning_effort|reasoning)\b/,
    change: () => ({ effort: 'none', thinkingSwitch: 'none' }),
  },
  {
    param: /^tool_stream$/,
    change: () => ({ toolStream: false }),
  },
  {
    param: /^(?:prompt_cache_key|prompt_cache\w*)$|cache_control/,
    change: () => ({ cache: 'none' }),
  },
  { param: /^(?:temperature|top_p)$/, change: () => ({ temperature: false }) },
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
const WORDS: readonly { readonly text: RegExp; readonly change: Partial<WireFlags> }[] = [
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
 * Flags that a refusal tells of how its server wants requests; `undefined` when it tells none that is not
 * known already.
 */
export function correctionOf(refusal: Refusal, flags: WireFlags): Partial<WireFlags> | undefined {
  const { status, text } = refusal;
  if (status !== 400 && status !== 422) return undefined;
  const said = WORDS.find((words) => words.text.test(text))?.change;
  if (said !== undefined) return news(said, flags);
  if (saysOnlyOne(refusal) && flags.topP) return { topP: false };
  const fields = refusedFields(refusal);
  const isUnknown = saysUnknown(refusal);
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

function news(change: Partial<WireFlags>, flags: WireFlags): Partial<WireFlags> | undefined {
  const isNew = Object.entries(change).some(
    ([name, value]) => flags[name as keyof WireFlags] !== value,
  );
  return isNew ? change : undefined;
}
