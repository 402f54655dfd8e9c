import { hostOf } from '../http/address.ts';
import { isJsonObject } from "../../domain/json.ts";

/**
 * How servers want Chat Completions, each flag with its values, the usual one first: dialects differ in
 * more than twenty ways, and these are what agents meet. `text`: any.
 */
export const CHAT_FLAGS = {
  /** The field for the limit of the answer; `none`: it takes none. */
  maxTokens: ['max_tokens', 'max_completion_tokens', 'none'],
  systemRole: ['system', 'developer'],
  /** Tells usage in a stream only when it is asked to. */
  askUsage: [true, false],
  /** How it is told how hard to think. */
  effort: ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'none'],
  /** Content of an answer that has calls only. */
  emptyContent: ['text', 'null'],
  /** A message of the person may follow results at once. */
  userAfterTool: [true, false],
  /** Ids of calls: forty characters at most, or exactly nine letters and digits. */
  ids: ['forty', 'nine'],
  /** Whether thinking goes back; `always`: with an empty text where there was none. */
  reasoning: ['replay', 'always', 'never'],
  /** Wants `tools` where the history has calls, even when none is offered. */
  toolsForHistory: [false, true],
  toolChoice: [true, false],
  /** How its prompt cache is helped: by a key of the session, by marks in the messages, not at all. */
  cache: ['none', 'key', 'marks'],
  /** The beginning of the names of models whose cache wants marks. */
  markedModels: 'text',
  pdf: [false, true],
  /** The header for the key. */
  keyHeader: ['authorization', 'api-key'],
  /** Has Ollama's `/api/ps`, which tells the true window. */
  ollama: [false, true],
  /** Says that a conversation is too long by refusing it without a word. */
  silentOverflow: [false, true],
} as const;

type Flags = typeof CHAT_FLAGS;

/** How one server wants Chat Completions. */
export type ChatFlags = {
  readonly [Name in keyof Flags]: Flags[Name] extends readonly (infer Value)[] ? Value : string;
};

const PLAIN = Object.fromEntries(
  Object.entries(CHAT_FLAGS).map(([name, values]) => [name, values === 'text' ? '' : values[0]]),
) as unknown as ChatFlags;

/** What is wrong with flags as a person writes them; `undefined`: nothing. */
export function wrongFlag(flags: unknown): string | undefined {
  if (flags === undefined) return undefined;
  if (!isJsonObject(flags)) return 'flags is no object';
  for (const [name, value] of Object.entries(flags)) {
    if (!Object.hasOwn(CHAT_FLAGS, name)) return `there is no flag ${name}`;
    const values: readonly unknown[] | 'text' = CHAT_FLAGS[name as keyof Flags];
    const fits = values === 'text' ? typeof value === 'string' : values.includes(value);
    if (!fits)
      return `the flag ${name} is ${values === 'text' ? 'a text' : `one of ${values.join(', ')}`}`;
  }
  return undefined;
}

const OPENAI = { maxTokens: 'max_completion_tokens', cache: 'key', pdf: true } as const;

/** What is known of servers by the end of their host, or its port. */
const HOSTS: readonly (readonly [host: RegExp, flags: Partial<ChatFlags>])[] = [
  [/(?:^|\.)api\.openai\.com$/, OPENAI],
  [/\.openai\.azure\.com$|\.cognitiveservices\.azure\.com$/, { ...OPENAI, keyHeader: 'api-key' }],
  [
    /(?:^|\.)openrouter\.ai$/,
    { effort: 'reasoning', cache: 'marks', markedModels: 'anthropic/', pdf: true },
  ],
  [/\.deepseek\.com$/, { effort: 'thinking', reasoning: 'always' }],
  [/\.moonshot\.(?:ai|cn)$|\.kimi\.com$/, { effort: 'none', reasoning: 'always' }],
  [/\.z\.ai$|\.bigmodel\.cn$/, { effort: 'thinking' }],
  [/dashscope.*\.aliyuncs\.com$/, { effort: 'enable_thinking' }],
  [/\.mistral\.ai$/, { ids: 'nine', userAfterTool: false, effort: 'none', reasoning: 'never' }],
  [/\.cerebras\.ai$/, { maxTokens: 'max_completion_tokens', silentOverflow: true }],
  [/:11434$/, { ollama: true }],
];

/** The flags of a server; `own`: what the person or a preset says of it. */
export function flagsFor(address: string, own: Partial<ChatFlags> = {}): ChatFlags {
  const host = hostOf(address);
  const known = HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  return { ...PLAIN, ...known, ...own };
}

/** The headers that carry the key. */
export function chatKeyHeaders(
  key: string | undefined,
  { keyHeader }: Pick<ChatFlags, 'keyHeader'>,
): Record<string, string> {
  if (key === undefined) return {};
  return keyHeader === 'api-key' ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}
