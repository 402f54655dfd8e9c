import type { Told } from '../../domain/text/told.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { ModelInfo, ToolSpec } from '../../domain/models/model.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';
import { effortFor } from '../catalog/effort.ts';
import { utf8, withCommas } from '../http/bytes.ts';
import type { KeptForms } from '../http/request/kept-forms.ts';
import { samplingFields } from '../http/request/sampling.ts';
import { usableTools } from '../http/request/usable-tools.ts';
import { inputText, LONGEST_NAME, userItem } from './item.ts';
import type { ItemForm, WrittenItems } from './item.ts';

export interface ResponsesRequestOptions {
  readonly info: ModelInfo;
  readonly flags: WireFlags;
  readonly form: ItemForm;
  readonly items: KeptForms<ItemForm, WrittenItems>;
  readonly sessionId: string;
  /** Fields that the server has refused. */
  readonly refused: ReadonlySet<string>;
}

/** Characters that a key of a prompt cache may have. */
const LONGEST_CACHE_KEY = 64;
/** The API's least limit of an answer. */
const LEAST_OUTPUT = 16;

/** Said when the history ends with the model's own words: the API wants the last ones to be another's. */
const GO_ON = utf8(JSON.stringify(userItem([inputText('Continue.')])));

/**
 * The only translation of a request to Responses. Nothing is stored at the server: what it must get back goes along.
 * The same request gives the same bytes.
 */
export function responsesBody(
  request: ModelRequest,
  options: ResponsesRequestOptions,
): {
  readonly pieces: readonly Uint8Array[];
  readonly tools: readonly string[];
  readonly notes: readonly Told[];
} {
  const { flags, form, items: kept, refused } = options;
  const { specs, notes } = usableTools(request.tools, LONGEST_NAME);
  const takesBoth = flags.topP && (refused.has('temperature') || !refused.has('top_p'));
  const sampling = samplingFields(request, { temperature: flags.temperature, topP: takesBoth });
  const fields = Object.entries({
    ...fieldsOf(request, specs, options),
    ...sampling.fields,
  }).filter(([name, value]) => value !== undefined && !refused.has(name));
  const start = JSON.stringify(Object.fromEntries(fields)).slice(0, -1);
  const tools = specs.map(toolJson).join(',');
  const written = request.messages.map((message) => kept.of(message, form));
  const endsWithAnswer = written.findLast(({ bytes }) => bytes.length > 0)?.endsWithAnswer;
  const items = [
    ...systemItem(request.system),
    ...written.flatMap(({ bytes }) => bytes),
    ...(endsWithAnswer === true ? [GO_ON] : []),
  ];
  return {
    pieces: [
      utf8(`${start}${tools === '' ? '' : `,"tools":[${tools}]`},"input":[`),
      ...withCommas(items),
      utf8(']}'),
    ],
    tools: specs.map(({ name }) => name),
    notes: [...notes, ...sampling.notes],
  };
}

function fieldsOf(
  request: ModelRequest,
  specs: readonly ToolSpec[],
  { info, flags, refused, sessionId }: ResponsesRequestOptions,
): Readonly<Record<string, unknown>> {
  const { value: effort } = effortFor(info, request.thinking);
  const isSummarized = request.thinking !== 'off' && !refused.has('reasoning.summary');
  return {
    model: request.model,
    stream: true,
    store: false,
    // Models that do not think refuse it.
    include: info.thinking ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: Math.max(LEAST_OUTPUT, request.maxOutputTokens ?? info.maxOutputTokens),
    reasoning:
      effort === undefined ? undefined : { effort, ...(isSummarized ? { summary: 'auto' } : {}) },
    prompt_cache_key: sessionId.slice(0, LONGEST_CACHE_KEY),
    tool_choice: flags.toolChoice ? toolChoice(request, specs, info) : undefined,
  };
}

function toolChoice(
  { toolChoice: choice }: ModelRequest,
  specs: readonly ToolSpec[],
  info: ModelInfo,
): unknown {
  if (specs.length === 0 || choice.type === 'auto') return undefined;
  if (choice.type === 'none') return 'none';
  return info.toolChoice && specs.some(({ name }) => name === choice.name)
    ? { type: 'function', name: choice.name }
    : undefined;
}

const knownTools = new WeakMap<ToolSpec, string>();

/** `strict` is off by name: this API has it on where nothing is said, and it wants schemas that those of MCP servers rarely are. */
function toolJson(spec: ToolSpec): string {
  let json = knownTools.get(spec);
  if (json === undefined) {
    const { name, inputSchema: parameters } = spec;
    const description = spec.description.toWellFormed();
    json = JSON.stringify({ type: 'function', name, description, parameters, strict: false });
    knownTools.set(spec, json);
  }
  return json;
}

/** The system prompt as an item: not every server knows `instructions`. */
function systemItem(system: readonly string[]): readonly Uint8Array[] {
  const text = system.filter((block) => block.trim() !== '').join('\n\n');
  if (text === '') return [];
  const item = { type: 'message', role: 'system', content: [inputText(text)] };
  return [utf8(JSON.stringify(item))];
}
