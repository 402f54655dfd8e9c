import { type Told, told } from '../../domain/text/told.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { Message } from '../../domain/message.ts';
import type { ModelInfo, ToolSpec } from '../../domain/models/model.ts';
import { USUAL_FLAGS } from '../../domain/models/wire-flags.ts';
import { joined, utf8, withCommas } from '../http/bytes.ts';
import type { KeptForms } from '../http/request/kept-forms.ts';
import { samplingFields } from '../http/request/sampling.ts';
import { usableTools } from '../http/request/usable-tools.ts';
import { LONGEST_NAME } from './content.ts';
import type { ContentForm, WrittenContent } from './content.ts';
import { reducedSchema } from './schema.ts';
import { thinkingConfig } from './thinking.ts';

export interface GeminiRequestOptions {
  readonly info: ModelInfo;
  readonly form: ContentForm;
  readonly contents: KeptForms<ContentForm, readonly WrittenContent[]>;
}

interface GeminiBody {
  readonly pieces: readonly Uint8Array[];
  readonly tools: readonly string[];
  readonly notes: readonly Told[];
}

/** The only translation of a request to Gemini. The same request gives the same bytes. */
export function geminiBody(request: ModelRequest, options: GeminiRequestOptions): GeminiBody {
  const { info, form, contents } = options;
  const { declarations, names, notes } = declared(request.tools);
  const maxOutputTokens = request.maxOutputTokens ?? info.maxOutputTokens;
  const system = request.system
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text: text.toWellFormed() }));
  const thinking = thinkingConfig(request, info, maxOutputTokens);
  const mode = toolConfig(request, names, info);
  const sampling = samplingFields(request, { ...USUAL_FLAGS, ...info.flags }, 'topP');
  const fields = {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    generationConfig: {
      maxOutputTokens,
      ...sampling.fields,
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    },
    ...(mode === undefined ? {} : { toolConfig: { functionCallingConfig: mode } }),
  };
  const start = JSON.stringify(fields).slice(0, -1);
  const tools =
    declarations.length === 0
      ? ''
      : `,"tools":[{"functionDeclarations":[${declarations.join(',')}]}]`;
  return {
    pieces: [
      utf8(`${start}${tools},"contents":[`),
      ...withCommas(conversation(request.messages, form, contents)),
      utf8(']}'),
    ],
    tools: names,
    notes: [...notes, ...sampling.notes],
  };
}

function toolConfig(
  { toolChoice: choice }: ModelRequest,
  names: readonly string[],
  info: ModelInfo,
): object | undefined {
  if (names.length === 0 || choice.type === 'auto') return undefined;
  if (choice.type === 'none') return { mode: 'NONE' };
  return info.toolChoice && names.includes(choice.name)
    ? { mode: 'ANY', allowedFunctionNames: [choice.name] }
    : undefined;
}

/** A tool's declaration, and what of it cannot be said. */
interface Declared {
  /** Absent: the whole tool is left out. */
  readonly json?: string;
  readonly leftOut: readonly string[];
}

const knownTools = new WeakMap<ToolSpec, Declared>();

function declaration(spec: ToolSpec): Declared {
  let known = knownTools.get(spec);
  if (known === undefined) {
    const { name, description } = spec;
    const { schema, leftOut, tooLarge } = reducedSchema(spec.inputSchema);
    const tool = { name, description: description.toWellFormed(), parametersJsonSchema: schema };
    known = tooLarge === true ? { leftOut } : { json: JSON.stringify(tool), leftOut };
    knownTools.set(spec, known);
  }
  return known;
}

function declared(tools: readonly ToolSpec[]): {
  readonly declarations: readonly string[];
  readonly names: readonly string[];
  readonly notes: readonly Told[];
} {
  const { specs, notes: unusable } = usableTools(tools, LONGEST_NAME);
  const notes = [...unusable];
  const declarations: string[] = [];
  const names: string[] = [];
  for (const spec of specs) {
    const { json, leftOut } = declaration(spec);
    if (!/^[a-z_]/i.test(spec.name))
      notes.push(
        told`The tool "${spec.name}" was left out: Gemini wants a letter or _ at the beginning of its name.`,
      );
    else if (json === undefined)
      notes.push(
        told`The tool "${spec.name}" was left out: the schema of its input has more parts than Gemini takes.`,
      );
    else {
      declarations.push(json);
      names.push(spec.name);
      if (leftOut.length > 0)
        notes.push(
          told`Gemini does not take all of the schema of the tool "${spec.name}". Left out: ${leftOut.join(', ')}. Inputs are still checked against the whole of it.`,
        );
    }
  }
  return { declarations, names, notes };
}

const OPENING = {
  user: utf8('{"role":"user","parts":['),
  results: utf8('{"role":"user","parts":['),
  model: utf8('{"role":"model","parts":['),
} as const;
const CLOSING = utf8(']}');

/** Said when the history ends with the model's own words: the API wants the last ones to be another's. */
const GO_ON: WrittenContent = { kind: 'user', parts: [utf8('{"text":"Continue."}')] };

/** The contents: neighbours of one kind are one, so that all results of a step stand together. */
function conversation(
  messages: readonly Message[],
  form: ContentForm,
  kept: KeptForms<ContentForm, readonly WrittenContent[]>,
): readonly Uint8Array[] {
  const turns: { readonly kind: WrittenContent['kind']; readonly parts: Uint8Array[] }[] = [];
  for (const { kind, parts } of messages.flatMap((message) => kept.of(message, form))) {
    const isLate = kind === 'results' && turns.at(-1)?.kind === 'user';
    const before = turns.at(isLate ? -2 : -1);
    if (before?.kind === kind) before.parts.push(...parts);
    else turns.push({ kind, parts: [...parts] });
  }
  if (turns.at(-1)?.kind === 'model') turns.push({ ...GO_ON, parts: [...GO_ON.parts] });
  return turns.map(({ kind, parts }) => joined([OPENING[kind], ...withCommas(parts), CLOSING]));
}
