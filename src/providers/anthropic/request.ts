import type { TextBlockParam, ToolChoice } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Told } from '../../domain/text/told.ts';
import type { CacheTtl } from '../../core/model-call/cost.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { ModelInfo, ToolSpec } from '../../domain/models/model.ts';
import { USUAL_FLAGS } from '../../domain/models/wire-flags.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import type { WireIds } from '../http/request/wire-ids.ts';
import { samplingFields } from '../http/request/sampling.ts';
import { usableTools } from '../http/request/usable-tools.ts';
import { utf8 } from '../http/bytes.ts';
import { conversationBytes } from './conversation.ts';
import { thinkingFields } from './thinking.ts';
import type { WireMessages } from './wire/wire-message.ts';

/** Characters of a tool's name. */
const LONGEST_NAME = 128;

const VERTEX_VERSION = '"anthropic_version":"vertex-2023-10-16"';

export interface RequestOptions {
  readonly info: ModelInfo;
  /** The person's word about the server. */
  readonly flags?: Partial<WireFlags> | undefined;
  readonly cacheTtl: CacheTtl;
  readonly wireMessages: WireMessages;
  readonly owner: ReplayOwner;
  readonly ids: WireIds;
  /** `count`: the body for counting tokens, which has neither a limit nor a stream. */
  readonly purpose: 'stream' | 'count';
  /** Vertex AI has the version in the body, and the model in the address. */
  readonly vertex?: boolean;
}

export interface RequestBody {
  /** The body; one after the other. */
  readonly pieces: readonly Uint8Array[];
  /** Names of the tools in the order in which they are sent: errors speak of their positions. */
  readonly tools: readonly string[];
  /** Sentences about what could not be sent. */
  readonly notes: readonly Told[];
}

/**
 * The only translation of a request to the Messages API. The same request gives the same bytes.
 *
 * Prompt cache: at most four breakpoints, on the last tool, on the last system block, on the last
 * block of the last message and on the place where that one was a request ago. The last is needed
 * because a breakpoint finds entries at most 20 blocks back, and a turn of ten parallel calls is
 * longer than that.
 */
export function requestBody(request: ModelRequest, options: RequestOptions): RequestBody {
  const { info } = options;
  const flags = { ...USUAL_FLAGS, ...info.flags, ...options.flags };
  const marker =
    options.cacheTtl === '1h' && flags.longCache
      ? '{"type":"ephemeral","ttl":"1h"}'
      : '{"type":"ephemeral"}';
  const { specs, notes: toolNotes } = usableTools(request.tools, LONGEST_NAME);
  const notes = [...toolNotes];
  const maxTokens = request.maxOutputTokens ?? info.maxOutputTokens;
  const choice = toolChoice(request, specs, info);
  const { thinking, output_config: outputConfig } = thinkingFields(
    flags.thinkingStyle,
    request.thinking,
    maxTokens,
    choice?.type === 'tool',
  );
  const fields: string[] = options.vertex === true ? [VERTEX_VERSION] : [];
  if (options.vertex !== true || options.purpose === 'count')
    fields.push(`"model":${JSON.stringify(request.model)}`);
  const add = (name: string, json: string | undefined): void => {
    if (json !== undefined) fields.push(`"${name}":${json}`);
  };
  if (options.purpose === 'stream') {
    add('max_tokens', String(maxTokens));
    add('stream', 'true');
    // A model that thinks takes neither, and none takes both.
    const isFree = flags.temperature && (thinking === undefined || thinking.type === 'disabled');
    const sampling = samplingFields(request, { temperature: isFree, topP: false });
    for (const [name, value] of Object.entries(sampling.fields)) add(name, String(value));
    notes.push(...sampling.notes);
  }
  add('system', systemJson(request.system, marker));
  add(
    'tools',
    specs.length === 0
      ? undefined
      : toolsJson(specs, flags.cacheControlOnTools ? marker : undefined),
  );
  add('tool_choice', choice === undefined ? undefined : JSON.stringify(choice));
  add('thinking', thinking === undefined ? undefined : JSON.stringify(thinking));
  add('output_config', outputConfig === undefined ? undefined : JSON.stringify(outputConfig));
  const pieces = [
    utf8(`{${fields.join(',')},"messages":[`),
    ...conversationBytes(request.messages, {
      wireMessages: options.wireMessages,
      form: {
        vision: info.vision,
        emptySignature: flags.emptySignature,
        owner: options.owner,
        ids: options.ids,
      },
      marker,
    }),
    utf8(']}'),
  ];
  return { pieces, tools: specs.map(({ name }) => name), notes };
}

function toolChoice(
  request: ModelRequest,
  specs: readonly ToolSpec[],
  info: ModelInfo,
): ToolChoice | undefined {
  const choice = request.toolChoice;
  if (specs.length === 0) return undefined; // D3
  switch (choice.type) {
    case 'auto':
      return undefined;
    case 'none':
      return { type: 'none' };
    case 'tool':
      // C13: ignored by models without it, and by requests without that tool.
      return info.toolChoice && specs.some(({ name }) => name === choice.name)
        ? { type: 'tool', name: choice.name }
        : undefined;
    default:
      return choice satisfies never;
  }
}

const knownTools = new WeakMap<ToolSpec, string>();

function toolsJson(specs: readonly ToolSpec[], marker: string | undefined): string {
  const all = specs.map((spec) => {
    let json = knownTools.get(spec);
    if (json === undefined) {
      const { name, description, inputSchema } = spec;
      json = JSON.stringify({
        name,
        description: description.toWellFormed(),
        input_schema: inputSchema,
      });
      knownTools.set(spec, json);
    }
    return json;
  });
  return `[${all.map((json, index) => (index === all.length - 1 && marker !== undefined ? marked(json, marker) : json)).join(',')}]`;
}

function systemJson(system: readonly string[], marker: string): string | undefined {
  const blocks = system
    .filter((text) => text.trim() !== '')
    .map((text) =>
      JSON.stringify({ type: 'text', text: text.toWellFormed() } satisfies TextBlockParam),
    );
  if (blocks.length === 0) return undefined;
  return `[${blocks.map((json, index) => (index === blocks.length - 1 ? marked(json, marker) : json)).join(',')}]`;
}

/** Puts a cache breakpoint on a block. */
const marked = (json: string, marker: string): string =>
  `${json.slice(0, -1)},"cache_control":${marker}}`;
