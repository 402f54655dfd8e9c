import type { ModelUpdate } from '../catalog/updates.ts';
import type { AskServer } from './answers.ts';
import { llamaCppModels } from './llama-cpp.ts';
import { lmStudioModels } from './lm-studio.ts';
import { ollamaModels } from './ollama.ts';

/** A program that serves models on the person's own machine, known by its port. */
export interface LocalServer {
  /** The id of its instance. */
  readonly id: string;
  readonly preset: string;
  /** Its models with their true windows; rejects when it is another server, or none. */
  readonly models: (ask: AskServer) => Promise<readonly ModelUpdate[]>;
}

export const LOCAL_SERVERS: readonly LocalServer[] = [
  { id: 'ollama', preset: 'ollama', models: ollamaModels },
  { id: 'lmstudio', preset: 'lmstudio', models: lmStudioModels },
  { id: 'llamacpp', preset: 'llama-cpp', models: llamaCppModels },
];

/** Bytes of one answer that are read; a list of models has a few hundred thousand. */
const MOST_BYTES = 4_000_000;
/** Models that are offered of one server, and characters of the longest name that is taken. */
const MOST_MODELS = 200;
const LONGEST_NAME = 150;

/** Asks the server at an address for its models; `undefined`: it is not there. Nothing is sent but the questions. */
export async function modelsAt(
  { models }: LocalServer,
  origin: string,
  { signal, send }: { readonly signal: AbortSignal; readonly send: typeof fetch },
): Promise<readonly ModelUpdate[] | undefined> {
  const ask: AskServer = async (path, body) => {
    const response = await send(`${origin}${path}`, {
      signal,
      // A stranger's program that answers at the port sends nobody elsewhere.
      redirect: 'error',
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return JSON.parse(await textOf(response)) as unknown;
  };
  try {
    const found = await models(ask);
    return found.filter(({ id }) => id !== '' && id.length <= LONGEST_NAME).slice(0, MOST_MODELS);
  } catch {
    return undefined;
  }
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of body ?? []) {
    const chunk = piece as Uint8Array;
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
