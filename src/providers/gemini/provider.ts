import type { ModelCallContext, ModelRequest, Provider } from '../../core/model-call/model-call.ts';
import { utf8 } from '../http/bytes.ts';
import { InstanceWire, providerOver } from '../http/instance-wire.ts';
import type { InstanceOptions } from '../http/instance-wire.ts';
import { KeptForms } from '../http/request/kept-forms.ts';
import type { Refusal } from '../http/refusal/refusal.ts';
import type { CountQuestion } from '../http/request/token-count.ts';
import type { WireRequest } from '../http/wire-call.ts';
import { WireIds } from '../http/request/wire-ids.ts';
import { GEMINI_LIST, geminiAddress, geminiKeyHeaders } from './address.ts';
import { GeminiAssembly } from './assemble.ts';
import { writtenContents } from './content.ts';
import type { ContentForm } from './content.ts';
import { GEMINI_RULES } from './refusal-rules.ts';
import { geminiBody } from './request.ts';

/** Models behind the Gemini API. */
export const createGeminiProvider = (options: InstanceOptions): Provider =>
  providerOver(new GeminiWire(options), options, GEMINI_LIST);

/** Models before signatures were checked. */
const UNSIGNED_MODELS = /gemini-[12](?:\.\d)?-|gemma/;

/** A model below the address. */
const modelPath = ({ model }: ModelRequest): string =>
  `/models/${model
    .replace(/^models\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`;

class GeminiWire extends InstanceWire {
  readonly api = 'Gemini API';
  readonly rules = GEMINI_RULES;
  /** A stream has no end mark. */
  readonly endMarkOptional = true;
  readonly #options: InstanceOptions;
  readonly #contents = new KeptForms(writtenContents);
  readonly #ids = new WireIds({ fits: /^[\w-]{1,64}$/, length: 28, begin: 'bly_' });
  readonly #forms = new Map<string, ContentForm>();

  constructor(options: InstanceOptions) {
    super(options, {
      address: () => geminiAddress(options.instance.baseUrl),
      keyHeaders: geminiKeyHeaders,
    });
    this.#options = options;
  }

  prepare(request: ModelRequest, _context: ModelCallContext): WireRequest {
    const { form, ...body } = this.#body(request);
    const path = `${modelPath(request)}:streamGenerateContent?alt=sse`;
    return { path, ...body, assembly: new GeminiAssembly(form.owner) };
  }

  counting(request: ModelRequest): CountQuestion {
    const begin = `{"generateContentRequest":{"model":${JSON.stringify(modelPath(request).slice(1))},`;
    const [first, ...more] = this.#body(request).pieces;
    const pieces = [
      utf8(begin),
      ...(first === undefined ? [] : [first.subarray(1)]),
      ...more,
      utf8('}'),
    ];
    return { path: `${modelPath(request)}:countTokens`, pieces, field: 'totalTokens' };
  }

  #body(request: ModelRequest) {
    const info = this.#options.infoOf(request.model);
    const form = this.#form(request.model, info.vision);
    return { ...geminiBody(request, { info, form, contents: this.#contents }), form };
  }

  /** Some servers know no ids of calls, some load no pictures, or not from there. */
  corrected({ status, text }: Refusal, { messages, model }: ModelRequest): boolean {
    const form = this.#forms.get(model);
    if (status !== 400 || form === undefined) return false;
    const refusesIds = /unknown name "id" at '?contents/i.test(text) && form.ids !== undefined;
    const hasUrls = messages.some(({ parts }) => parts.some(({ type }) => type === 'image_url'));
    const refusesUrls = form.urls && hasUrls && /file_?(?:uri|data)|fetch|url/i.test(text);
    if (!refusesIds && !refusesUrls) return false;
    this.#forms.set(model, refusesIds ? { ...form, ids: undefined } : { ...form, urls: false });
    return true;
  }

  /** The same object for the same model: what is written in its form is kept. */
  #form(model: string, vision: boolean): ContentForm {
    const known = this.#forms.get(model);
    if (known?.vision === vision) return known;
    const owner = { instance: this.#options.instance.id, wire: 'gemini', model };
    const form = {
      ids: this.#ids,
      urls: true,
      ...known,
      vision,
      signed: !UNSIGNED_MODELS.test(model),
      owner,
    };
    this.#forms.set(model, form);
    return form;
  }
}
