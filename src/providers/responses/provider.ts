import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import { chatKeyHeaders, flagsFor } from '../chat/flags.ts';
import { InstanceWire, providerOver } from '../http/instance-wire.ts';
import type { InstanceOptions } from '../http/instance-wire.ts';
import { KeptForms } from '../http/request/kept-forms.ts';
import { refusedFields, saysOnlyOne, saysUnknown } from '../http/refusal/refused-fields.ts';
import type { Refusal } from '../http/refusal/refusal.ts';
import type { CountQuestion } from '../http/request/token-count.ts';
import type { WireRequest } from '../http/wire-call.ts';
import { WireIds } from '../http/request/wire-ids.ts';
import { responsesAddress } from './address.ts';
import { ResponsesAssembly } from './assemble.ts';
import { writtenItems } from './item.ts';
import type { ItemForm } from './item.ts';
import { RESPONSES_RULES } from './refusal-rules.ts';
import { responsesBody } from './request.ts';

/** Models behind the OpenAI Responses API, at any address that speaks it. Nothing of a conversation is stored there. */
export const createResponsesProvider = (options: InstanceOptions): Provider =>
  providerOver(new ResponsesWire(options), options);

/** Fields that a request can do without, where a server does not know them. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'include',
  'max_output_tokens',
  'prompt_cache_key',
  'reasoning',
  'reasoning.summary',
  'store',
  'temperature',
  'tool_choice',
  'top_p',
]);

/** Fields of an answer, which the question for its tokens does not have. */
const UNCOUNTED = [
  'include',
  'max_output_tokens',
  'prompt_cache_key',
  'store',
  'stream',
  'temperature',
  'top_p',
];

class ResponsesWire extends InstanceWire {
  readonly api = 'Responses API';
  readonly rules = RESPONSES_RULES;
  readonly #options: InstanceOptions;
  readonly #items = new KeptForms(writtenItems);
  readonly #ids = new WireIds({ fits: /^[\w-]{1,64}$/, length: 28, begin: 'bly_' });
  readonly #forms = new Map<string, ItemForm>();
  /** Fields that servers have refused, by model. */
  readonly #refused = new Map<string, ReadonlySet<string>>();

  constructor(options: InstanceOptions) {
    const { instance } = options;
    const address = (): string => responsesAddress(instance.baseUrl);
    super(options, {
      address,
      keyHeaders: (key) => chatKeyHeaders(key, flagsFor(address(), instance.flags)),
    });
    this.#options = options;
  }

  prepare(request: ModelRequest, { sessionId }: ModelCallContext): WireRequest {
    const body = this.#body(request, sessionId);
    return { path: '/responses', ...body, assembly: new ResponsesAssembly(body.owner) };
  }

  counting(request: ModelRequest): CountQuestion {
    const { pieces } = this.#body(request, '', UNCOUNTED);
    return { path: '/responses/input_tokens', pieces, field: 'input_tokens' };
  }

  #body(request: ModelRequest, sessionId: string, without: Iterable<string> = []) {
    const { model } = request;
    const info = this.#options.infoOf(model);
    const flags = flagsFor(this.address(), info.flags, this.#options.instance.flags);
    const refused = new Set([...(this.#refused.get(model) ?? []), ...without]);
    const form = this.#form(model, info.vision, info.vision && flags.pdf);
    const items = this.#items;
    const body = responsesBody(request, { info, flags, form, items, sessionId, refused });
    return { ...body, owner: form.owner };
  }

  /** A field that a server does not know is left out, and that is remembered. */
  corrected(refusal: Refusal, { model }: ModelRequest): boolean {
    const { status, text } = refusal;
    if (status !== 400 && status !== 422) return false;
    const known = this.#refused.get(model) ?? new Set<string>();
    const noSecrets = /encrypted content is not supported/i.test(text) ? ['include'] : [];
    const summary = /reasoning summar/i.test(text) ? ['reasoning.summary'] : [];
    const named = saysUnknown(refusal) ? refusedFields(refusal) : [];
    const both = saysOnlyOne(refusal) ? ['top_p'] : [];
    const field = [...both, ...noSecrets, ...summary, ...named.flatMap(withParent)].find(
      (one) => OPTIONAL.has(one) && !known.has(one),
    );
    if (field === undefined) return false;
    this.#refused.set(model, new Set([...known, field]));
    return true;
  }

  /** The same object for the same model: what is written in its form is kept. */
  #form(model: string, vision: boolean, pdf: boolean): ItemForm {
    const known = this.#forms.get(model);
    if (known?.vision === vision && known.pdf === pdf) return known;
    const owner = { instance: this.#options.instance.id, wire: 'responses', model };
    const form = { vision, pdf, owner, ids: this.#ids };
    this.#forms.set(model, form);
    return form;
  }
}

/** `reasoning.effort` is a part of `reasoning`, `include[0]` of `include`. */
const withParent = (field: string): readonly string[] => [
  field,
  field.split(/[.[]/, 1)[0] ?? field,
];
