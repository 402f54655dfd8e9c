import { hostOf } from '../http/address.ts';

/** How one server wants Chat Completions: dialects differ in more than twenty ways, and these are what agents meet. */
export interface ChatFlags {
  /** The field for the limit of the answer; `none`: it takes none. */
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens' | 'none';
  readonly systemRole: 'system' | 'developer';
  /** Tells usage in a stream only when it is asked to. */
  readonly askUsage: boolean;
  /** How it is told how hard to think. */
  readonly effort: 'reasoning_effort' | 'reasoning' | 'thinking' | 'enable_thinking' | 'none';
  /** Content of an answer that has calls only. */
  readonly emptyContent: 'text' | 'null';
  /** A message of the person may follow results at once. */
  readonly userAfterTool: boolean;
  /** Ids of calls: forty characters at most, or exactly nine letters and digits. */
  readonly ids: 'forty' | 'nine';
  /** Thinking goes back, or not; `always`: with an empty text where there was none. */
  readonly reasoning: 'replay' | 'always' | 'never';
  /** Wants `tools` where the history has calls, even when none is offered. */
  readonly toolsForHistory: boolean;
  readonly toolChoice: boolean;
  /** How its prompt cache is helped: by a key of the session, by marks in the messages, not at all. */
  readonly cache: 'key' | 'marks' | 'none';
  /** The beginning of the names of models whose cache wants marks. */
  readonly markedModels: string;
  readonly pdf: boolean;
  /** The header for the key. */
  readonly keyHeader: 'authorization' | 'api-key';
  /** Has Ollama's `/api/ps`, which tells the true window. */
  readonly ollama: boolean;
  /** Says that a conversation is too long by refusing it without a word. */
  readonly silentOverflow: boolean;
}

const PLAIN: ChatFlags = {
  maxTokens: 'max_tokens',
  systemRole: 'system',
  askUsage: true,
  effort: 'reasoning_effort',
  emptyContent: 'text',
  userAfterTool: true,
  ids: 'forty',
  reasoning: 'replay',
  toolsForHistory: false,
  toolChoice: true,
  cache: 'none',
  markedModels: '',
  pdf: false,
  keyHeader: 'authorization',
  ollama: false,
  silentOverflow: false,
};

const OPENAI = { maxTokens: 'max_completion_tokens', cache: 'key', pdf: true } as const;

/** Flags of known servers, by the end of their host, or its port. */
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
