import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { isRedacted, signatureOf } from './signature.ts';
import { tokensOf } from './tokens.ts';
import { TOOL_NAME, toolsProblem } from './tool-refusals.ts';
import type { HttpError, WireRequest } from './turn.ts';

/** What the server holds a request against. */
export interface Limits {
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
  /** Bytes of the whole body. */
  readonly maxBodyBytes: number;
  /** Bytes of one image. */
  readonly maxImageBytes: number;
  /** Consecutive messages of one role are refused, as several compatible servers do. */
  readonly alternateRoles: boolean;
  /** A conversation that ends with the assistant is refused unless its turn was paused. */
  readonly prefill: boolean;
  /** A forced tool is refused, as the newest models do. */
  readonly forcedTools: boolean;
}

const TOP_LEVEL = new Set([
  'model',
  'max_tokens',
  'messages',
  'stream',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'metadata',
  'stop_sequences',
  'service_tier',
  'cache_control',
  'temperature',
  'top_p',
]);

const invalid = (message: string): HttpError => ({
  status: 400,
  type: 'invalid_request_error',
  message,
});

/** Why the API refuses a request, in its own words; `undefined` when it does not. `length`: characters of the body, where they are known. */
export function refusalOf(
  request: WireRequest,
  limits: Limits,
  length?: number,
): HttpError | undefined {
  const problem =
    topLevel(request) ??
    toolsProblem(request, limits) ??
    request.messages.reduce<string | undefined>(
      (found, message, index) => found ?? content(message, index, limits),
      undefined,
    ) ??
    roles(request, limits) ??
    pairs(request.messages) ??
    thinking(request) ??
    markers(request) ??
    sizes(request, limits, length);
  return problem === undefined ? undefined : invalid(problem);
}

function topLevel(request: WireRequest): string | undefined {
  const extra = Object.keys(request).find((key) => !TOP_LEVEL.has(key));
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  if ('temperature' in request && 'top_p' in request)
    return '`temperature` and `top_p` cannot both be specified for this model.';
  if ('temperature' in request && request.thinking?.type === 'enabled')
    return '`temperature` may only be set to 1 when thinking is enabled.';
  if (typeof request.model !== 'string' || request.model === '') return 'model: Field required';
  if (!Number.isInteger(request.max_tokens)) return 'max_tokens: Field required';
  if (request.max_tokens < 1) return 'max_tokens: Input should be greater than or equal to 1';
  if (!Array.isArray(request.messages) || request.messages.length === 0)
    return 'messages: at least one message is required';
  const system: readonly { readonly text: string }[] =
    typeof request.system === 'string' ? [{ text: request.system }] : (request.system ?? []);
  if (system.some((block) => block.text === ''))
    return 'system: text content blocks must be non-empty';
  return undefined;
}

function content(message: MessageParam, index: number, limits: Limits): string | undefined {
  const place = `messages.${index}`;
  if (message.role !== 'user' && message.role !== 'assistant')
    return `${place}.role: Input should be 'user' or 'assistant'`;
  if (message.content.length === 0)
    return `${place}: all messages must have non-empty content except for the optional final assistant message`;
  if (typeof message.content === 'string') return undefined;
  for (const [at, block] of message.content.entries()) {
    const problem = blockProblem(block, `${place}.content.${at}`, message.role, limits);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function blockProblem(
  block: ContentBlockParam,
  place: string,
  role: string,
  limits: Limits,
): string | undefined {
  switch (block.type) {
    case 'text':
      if (block.text === '') return 'messages: text content blocks must be non-empty';
      return block.text.trim() === ''
        ? 'messages: text content blocks must contain non-whitespace text'
        : undefined;
    case 'image':
      return imageProblem(block, place, limits);
    case 'document':
      return role === 'assistant'
        ? `${place}: document blocks are not allowed in assistant messages`
        : undefined;
    case 'tool_use':
      if (role !== 'assistant')
        return `${place}: \`tool_use\` blocks can only be in \`assistant\` messages`;
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id))
        return `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (!TOOL_NAME.test(block.name))
        return `${place}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
      return typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input)
        ? undefined
        : `${place}.tool_use.input: Input should be a valid dictionary`;
    case 'tool_result':
      if (role !== 'user')
        return `${place}: \`tool_result\` blocks can only be in \`user\` messages`;
      return resultProblem(block, place, limits);
    case 'thinking':
    case 'redacted_thinking':
      return role === 'assistant'
        ? undefined
        : `${place}: \`${block.type}\` blocks can only be in \`assistant\` messages`;
    default:
      return `${place}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`;
  }
}

function resultProblem(
  block: ToolResultBlockParam,
  place: string,
  limits: Limits,
): string | undefined {
  if (!Array.isArray(block.content)) return undefined;
  for (const [at, part] of block.content.entries()) {
    if (part.type === 'text' && part.text === '')
      return 'messages: text content blocks must be non-empty';
    if (part.type === 'image') {
      const problem = imageProblem(part, `${place}.tool_result.content.${at}`, limits);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function imageProblem(block: ImageBlockParam, place: string, limits: Limits): string | undefined {
  if (block.source.type !== 'base64') return undefined;
  const bytes = Math.floor((block.source.data.length * 3) / 4);
  return bytes > limits.maxImageBytes
    ? `${place}.image.source.base64: image exceeds 5 MB maximum: ${bytes} bytes > ${limits.maxImageBytes} bytes`
    : undefined;
}

function roles(request: WireRequest, limits: Limits): string | undefined {
  if (request.messages[0]?.role !== 'user')
    return 'messages: first message must use the "user" role';
  if (limits.alternateRoles) {
    const twice = request.messages.findIndex(
      (message, index) => message.role === request.messages[index - 1]?.role,
    );
    const role = request.messages[twice]?.role;
    if (role !== undefined)
      return `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`;
  }
  if (!limits.prefill && request.messages.at(-1)?.role === 'assistant') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  return undefined;
}

const blocksOf = (message: MessageParam | undefined): readonly ContentBlockParam[] =>
  message === undefined || typeof message.content === 'string' ? [] : message.content;

function pairs(messages: readonly MessageParam[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const before = new Set(
      blocksOf(messages[index - 1]).flatMap((block) =>
        block.type === 'tool_use' ? [block.id] : [],
      ),
    );
    const answered = new Set<string>();
    let other = false;
    for (const [at, block] of blocksOf(message).entries()) {
      const place = `messages.${index}.content.${at}`;
      if (block.type === 'tool_use') {
        if (seen.has(block.id)) return `${place}: \`tool_use\` ids must be unique`;
        seen.add(block.id);
      }
      if (block.type !== 'tool_result') {
        other = true;
        continue;
      }
      const id = block.tool_use_id;
      if (!before.has(id)) {
        return `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      }
      if (answered.has(id))
        return `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
      answered.add(id);
      if (other) return unanswered(index - 1, [id]);
    }
    const open = [...before].filter((id) => !answered.has(id));
    if (open.length > 0) return unanswered(index - 1, open);
  }
  const last = blocksOf(messages.at(-1)).flatMap((block) =>
    block.type === 'tool_use' ? [block.id] : [],
  );
  return last.length > 0 ? unanswered(messages.length - 1, last) : undefined;
}

const unanswered = (index: number, ids: readonly string[]): string =>
  `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;

function thinking(request: WireRequest): string | undefined {
  for (const [index, message] of request.messages.entries()) {
    for (const [at, block] of blocksOf(message).entries()) {
      const good =
        block.type === 'thinking'
          ? block.signature === signatureOf(block.thinking)
          : block.type === 'redacted_thinking'
            ? isRedacted(block.data)
            : true;
      if (!good)
        return `messages.${index}.content.${at}: Invalid \`signature\` in \`${block.type}\` block`;
    }
  }
  if (request.thinking?.type !== 'enabled') return undefined;
  if ((request.thinking.budget_tokens ?? 0) < 1024)
    return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  if ((request.thinking.budget_tokens ?? 0) >= request.max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  const last = request.messages.findLastIndex((message) => message.role === 'assistant');
  const first = blocksOf(request.messages[last])[0];
  const inLoop = blocksOf(request.messages[last + 1]).some((block) => block.type === 'tool_result');
  if (
    inLoop &&
    first !== undefined &&
    first.type !== 'thinking' &&
    first.type !== 'redacted_thinking'
  ) {
    return `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
  }
  return undefined;
}

function markers(request: WireRequest): string | undefined {
  const system = typeof request.system === 'string' ? [] : (request.system ?? []);
  const all = [...(request.tools ?? []), ...system, ...request.messages.flatMap(blocksOf)] as {
    readonly type?: string;
    readonly cache_control?: unknown;
  }[];
  const marked = all.filter(
    (block) => block.cache_control !== undefined && block.cache_control !== null,
  );
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  const wrong = marked.find(
    (block) => block.type === 'thinking' || block.type === 'redacted_thinking',
  );
  return wrong === undefined
    ? undefined
    : `${wrong.type}.cache_control: Extra inputs are not permitted`;
}

function sizes(request: WireRequest, limits: Limits, length?: number): string | undefined {
  if (request.max_tokens > limits.maxOutputTokens) {
    return `max_tokens: ${request.max_tokens} > ${limits.maxOutputTokens}, which is the maximum allowed number of output tokens for ${request.model}`;
  }
  const input = length === undefined ? tokensOf(request) : Math.ceil(length / 4);
  if (input > limits.contextWindow)
    return `prompt is too long: ${input} tokens > ${limits.contextWindow} maximum`;
  return undefined;
}
