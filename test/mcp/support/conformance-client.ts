import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Answered, type OpenOptions, open } from '../adapter.mjs';

/** One scenario, as the suite hands it over. */
export interface Scenario {
  readonly scenario: string;
  readonly url: string;
  readonly protocol: '2025-11-25' | '2026-07-28';
  readonly context: Context;
}

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** Connects, lists, and calls what the scenario names or every tool once, with a person who says yes. */
export async function runScenario(
  { url, protocol, context, scenario }: Scenario,
  log: (line: string) => void,
): Promise<void> {
  const session = await open({
    url,
    transport: 'http',
    protocol,
    clientInfo: { name: 'conformance', version: '1.0.0' },
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(await clientOf(scenario, context)),
    elicit: async (): Promise<Answered> => ({ action: 'accept', content: {} }),
    sample: async () => ({ text: 'ok' }),
    openExternal: browse,
    log,
  });
  try {
    const tools = await session.tools();
    const calls =
      context.toolCalls ??
      tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsOf(inputSchema) }));
    for (const { name, arguments: args } of calls) {
      const result: unknown = await session
        .call(name, args, { timeout: 20_000 })
        .catch((error: unknown) => String(error));
      log(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
    }
  } finally {
    await session.close();
  }
}

/** A client that was registered by hand, or one that signs in as itself: nobody is there then to do it. */
async function clientOf(
  scenario: string,
  { client_id: clientId, client_secret: clientSecret, private_key_pem: key, ...more }: Context,
): Promise<Partial<OpenOptions>> {
  if (clientId === undefined) return {};
  if (!scenario.startsWith('auth/client-credentials-'))
    return { registered: { clientId, clientSecret, ...more } };
  const grant = 'client_credentials';
  if (key === undefined)
    return { clientCredentials: { grant, clientId, clientSecret }, openExternal: refuse };
  const folder = await mkdtemp(path.join(tmpdir(), 'belay-key-'));
  const privateKeyFile = path.join(folder, 'key.pem');
  await writeFile(privateKeyFile, key, { mode: 0o600 });
  return { clientCredentials: { grant, clientId, privateKeyFile }, openExternal: refuse };
}

const refuse = async (): Promise<never> => {
  throw new Error('Nobody is there to sign in.');
};

/** Goes where a browser would go, back to the client in the end. */
async function browse(address: string): Promise<void> {
  let next: string | null = address;
  for (let hops = 0; hops < 5 && next !== null; hops += 1) {
    const response: Response = await fetch(next, { redirect: 'manual' });
    next = response.headers.get('location');
  }
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** Something for each argument that is needed. */
function argumentsOf(schema: unknown): object {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  return Object.fromEntries(
    required.map((name) => [name, SAMPLES[properties[name]?.type ?? ''] ?? null]),
  );
}
