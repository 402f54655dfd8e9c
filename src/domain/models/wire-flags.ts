/**
 * How servers and models differ on their wires, each flag with its values, the usual one first. A flag is
 * known of a model (catalog), of a host (the wire's own table), said by the person, or learned from a refusal.
 */
export const WIRE_FLAGS = {
  /** `temperature` and `top_p` are taken. */
  temperature: [true, false],
  /** `top_p` is taken together with `temperature`. */
  topP: [true, false],
  /** The prompt cache has a lifetime of one hour. */
  longCache: [true, false],
  /**
   * Messages: the field `thinking` as a model wants it.
   * - `budget`: thinks within a budget of tokens when asked to
   * - `optional`: thinks adaptively when asked to
   * - `adaptive`: thinks unless it is turned off; a budget is refused
   * - `between_tools`: as `adaptive`, but turned off by that name
   * - `always`: thinks whatever is asked; a request to stop it is refused
   */
  thinkingStyle: ['budget', 'optional', 'adaptive', 'between_tools', 'always'],
  /** Messages: thinking comes back with an empty signature, and is replayed so. */
  emptySignature: [false, true],
  /** Messages: `cache_control` on a tool is taken. */
  cacheControlOnTools: [true, false],
  /** Chat: the field for the limit of the answer; `none`: it takes none. */
  maxTokens: ['max_tokens', 'max_completion_tokens', 'none'],
  /** Chat: the role of the instructions. */
  systemRole: ['system', 'developer'],
  /** Chat: tells usage in a stream only when it is asked to. */
  askUsage: [true, false],
  /** Chat: how it is told how hard to think; `reasoning`: by `reasoning.effort`, which is its switch, too. */
  effort: ['reasoning_effort', 'reasoning', 'none'],
  /** Chat: what turns thinking on and off: `thinking.type`, `enable_thinking`, `reasoning.enabled`. */
  thinkingSwitch: ['none', 'thinking', 'enable_thinking', 'reasoning.enabled'],
  /** Chat: content of an answer that has calls only. */
  emptyContent: ['text', 'null'],
  /** Chat: a message of the person may follow results at once. */
  userAfterTool: [true, false],
  /** Chat: ids of calls: forty characters at most, or exactly nine letters and digits. */
  ids: ['forty', 'nine'],
  /** Chat: whether thinking goes back; `always`: with an empty text where there was none. */
  reasoning: ['replay', 'always', 'never'],
  /** Chat: wants `tools` where the history has calls, even when none is offered. */
  toolsForHistory: [false, true],
  /** Chat, Responses: `tool_choice` is taken. */
  toolChoice: [true, false],
  /** Chat: arguments of calls arrive in pieces only with `tool_stream`. */
  toolStream: [false, true],
  /** Chat: how its prompt cache is helped: not at all, by a key of the session, by marks in the messages. */
  cache: ['none', 'key', 'marks'],
  /** Chat, Responses: takes PDF files. */
  pdf: [false, true],
  /** Chat, Responses: the header for the key. */
  keyHeader: ['authorization', 'api-key'],
  /** Chat: has Ollama's `/api/ps`, which tells the true window. */
  ollama: [false, true],
  /** Chat: says that a conversation is too long by refusing it without a word. */
  silentOverflow: [false, true],
  /** Responses: what is written to the prompt cache costs more, and where it ends can be said. */
  cacheBreakpoints: [false, true],
} as const;

type Flags = typeof WIRE_FLAGS;

/** How one model is spoken to; what is only known in part is a `Partial` of it. */
export type WireFlags = { readonly [Name in keyof Flags]: Flags[Name][number] };

/** Flags where nothing else is known: those of the wires' own documents. */
export const USUAL_FLAGS = Object.fromEntries(
  Object.entries(WIRE_FLAGS).map(([name, [usual]]) => [name, usual]),
) as unknown as WireFlags;
