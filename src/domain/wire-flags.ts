/** How a model on its wire differs from what the wire does by itself. Absent: as the wire's own documents say. */
export interface WireFlags {
  /** `temperature` and `top_p` are refused. */
  readonly temperature?: false;
  /** The prompt cache has no lifetime of one hour. */
  readonly longCache?: false;
  /** Messages: what is sent in the field `thinking`; absent: a budget of tokens. */
  readonly thinkingStyle?: ThinkingStyle;
  /** Messages: thinking comes back with an empty signature, and is replayed so. */
  readonly emptySignature?: true;
  /** Messages: `cache_control` on a tool is refused. */
  readonly cacheControlOnTools?: false;
  /** Chat: the field for the output limit; absent: `max_completion_tokens`. */
  readonly maxTokensField?: 'max_tokens';
  /** Chat: the role `developer` is refused; the instructions are `system`. */
  readonly developerRole?: false;
  /** Chat: `reasoning_effort` is refused. */
  readonly reasoningEffort?: false;
  /** Chat: what turns thinking on and off beside it, or in its place; absent: nothing. */
  readonly effortStyle?: EffortStyle;
  /** Chat: `reasoning_content` of earlier answers has to be sent back, even when it is empty. */
  readonly replayReasoning?: true;
  /** Chat: prompt caching is asked for with `cache_control`, as on the Messages wire. */
  readonly cacheControl?: true;
  /** Chat: arguments of tool calls arrive in pieces only with `tool_stream`. */
  readonly toolStream?: true;
  /** Responses: what is written to the prompt cache costs more, and where it ends can be said. */
  readonly cacheBreakpoints?: true;
}

/**
 * The `thinking` field of the Messages wire as a model wants it:
 * - `always`: thinks whatever is asked; a request to stop it is refused
 * - `adaptive`: thinks unless it is turned off; a budget is refused
 * - `between_tools`: as `adaptive`, but turned off by that name
 * - `optional`: thinks adaptively when asked to
 * - `budget`: thinks within a budget of tokens when asked to
 */
export type ThinkingStyle = 'always' | 'adaptive' | 'between_tools' | 'optional' | 'budget';

/**
 * How Chat Completions servers are told to think: `openrouter` by `reasoning.effort`, `deepseek` and `zai` by
 * `thinking.type`, `qwen` by `enable_thinking`, `together` by `reasoning.enabled`.
 */
export type EffortStyle = 'openrouter' | 'deepseek' | 'zai' | 'qwen' | 'together';
