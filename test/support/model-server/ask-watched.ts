// Asks a server over the Messages wire once for an answer, a count and its models, and prints what was read meanwhile:
// names of environment variables and paths of files. Bundled and started by a test.
import fs from 'node:fs';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { callContext, modelRequest, outcomeOf } from '../model-call.ts';

const variables: string[] = [];
const files: string[] = [];

process.env = new Proxy(process.env, {
  get: (environment, name) => {
    variables.push(String(name));
    return Reflect.get(environment, name) as unknown;
  },
});

/** Notes the paths that a function of `fs` is called with. */
function watch(target: object, name: string): void {
  const original = Reflect.get(target, name) as (...args: readonly unknown[]) => unknown;
  Reflect.set(target, name, (...args: readonly unknown[]) => {
    files.push(String(args[0]));
    return original(...args);
  });
}
for (const name of ['readFile', 'readFileSync', 'open', 'openSync', 'statSync']) watch(fs, name);
for (const name of ['readFile', 'open', 'stat']) watch(fs.promises, name);

const [, , address = '', key = ''] = process.argv;
const provider = createAnthropicProvider({
  apiKey: async () => Promise.resolve(key === '' ? undefined : key),
  baseUrl: () => address,
  cacheTtl: () => '5m',
  catalog: createCatalog({ offered: ['anthropic'] }),
  clock: new SystemClock(),
});
async function main(): Promise<void> {
  const { signal } = new AbortController();
  const { failure } = await outcomeOf(provider.call, modelRequest(), callContext());
  const counted = await provider.countTokens?.(modelRequest(), signal);
  const models = await provider.fetchModels?.(signal);
  console.log(JSON.stringify({ failure, counted, models: models?.length, variables, files }));
}

void main();
