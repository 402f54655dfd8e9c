import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  EditorMessage,
  EditorModel,
  EditorModels,
  EditorPart,
  EditorRequest,
} from '../../src/core/ports/editor/editor-models.ts';
import type { Disposable } from '../../src/domain/lifetime/disposable.ts';
import { Listeners } from '../../src/domain/lifetime/listeners.ts';

interface Scripted {
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  readonly capabilities: { readonly toolCalling?: boolean; readonly imageInput?: boolean };
  readonly requiresAuthorization?: object;
}

interface Script {
  readonly MODELS: Readonly<Record<string, readonly Scripted[]>>;
  tokensOf(message: EditorMessage): number;
  answer(
    id: string,
    request: EditorRequest,
    sleep: (milliseconds: number) => Promise<void>,
  ): AsyncIterable<EditorPart>;
}

const script = createRequire(import.meta.url)('../fixtures/model-extension/script.cjs') as Script;

const failed = (code: string): Error =>
  Object.assign(new Error(`${code}.`), { code, name: 'LanguageModelError' });

/** The editor's models in plain Node: those of the sample extension, by the same script. */
export class FakeEditorModels implements EditorModels {
  /** Requests as they were sent, with the model's id. */
  readonly sent: (EditorRequest & { readonly model: string })[] = [];
  /** How often the person was asked for consent. */
  questions = 0;
  /** What the person answers. */
  consent: () => Promise<boolean> = () => Promise.resolve(true);
  readonly #changed = new Listeners();
  #offered: readonly EditorModel[] = all();
  #agreed = false;

  /** Only these models are there now. */
  offer(ids: readonly string[]): void {
    this.#offered = all().filter(({ id }) => ids.includes(id));
    this.#changed.fire();
  }

  list(): Promise<readonly EditorModel[]> {
    return Promise.resolve(this.#offered);
  }

  async send(
    model: string,
    request: EditorRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<EditorPart>> {
    const found = this.#offered.find(({ id }) => id === model);
    if (found === undefined) throw failed('NotFound');
    if (found.vendor === 'sample-guarded' && !this.#agreed) {
      this.questions += 1;
      this.#agreed = await this.consent();
      if (!this.#agreed) throw failed('NoPermissions');
    }
    this.sent.push({ ...request, model });
    return this.#parts(model, request, signal);
  }

  countTokens(_model: string, message: EditorMessage): Promise<number> {
    return Promise.resolve(script.tokensOf(message));
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  async *#parts(
    model: string,
    request: EditorRequest,
    signal: AbortSignal,
  ): AsyncGenerator<EditorPart> {
    const id = model.slice(model.indexOf('/') + 1);
    const sleep = async (milliseconds: number): Promise<void> =>
      delay(milliseconds, undefined, { signal });
    try {
      for await (const part of script.answer(id, request, sleep)) {
        await delay(1);
        yield part;
      }
    } catch (error) {
      // As in VS Code, an answer that was canceled ends quietly.
      if (!signal.aborted) throw error;
    }
  }
}

function all(): readonly EditorModel[] {
  return Object.entries(script.MODELS).flatMap(([vendor, models]) =>
    models.map(({ id, name, maxInputTokens, capabilities }) => ({
      id: `${vendor}/${id}`,
      name,
      vendor,
      maxInputTokens,
      tools: capabilities.toolCalling === true,
      images: capabilities.imageInput === true,
    })),
  );
}
