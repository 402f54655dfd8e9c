import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ContextTools } from './context-tools.ts';
import type { Endpoint } from './endpoints.ts';

const NO_WINDOW =
  'needs a window of VS Code that has this folder open, with the setting belay.contextServer.enabled. There is none now.';

/** The tools of a window that serves its context, looked for at each call; where there is none, `own`. */
export function relayedTools(
  endpoints: () => Promise<readonly Endpoint[]>,
  own: ContextTools,
  version: string,
): ContextTools {
  const inWindow = async <Answer>(
    ask: (client: Client) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    for (const endpoint of await endpoints()) {
      const client = await connected(endpoint, version);
      if (client === undefined) continue;
      try {
        return await ask(client);
      } finally {
        await client.close();
      }
    }
    return undefined;
  };
  return {
    list: async () => {
      const listed = await inWindow(async (client) => client.listTools());
      return (
        listed?.tools.map(({ name, description = '', inputSchema }) => ({
          name,
          description,
          inputSchema: inputSchema as JsonObject,
        })) ?? own.list()
      );
    },
    call: async (name, input, signal) => {
      const answer = await inWindow(async (client) =>
        client.callTool({ name, arguments: input }, { signal }),
      );
      if (answer !== undefined) {
        const texts = answer.content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
        return { text: texts.join('\n'), isError: answer.isError === true };
      }
      const isOwn = (await own.list()).some((tool) => tool.name === name);
      return isOwn
        ? own.call(name, input, signal)
        : { text: `${name} ${NO_WINDOW}`, isError: true };
    },
  };
}

/** A client of the window; `undefined`: it is gone. */
async function connected({ url, secret }: Endpoint, version: string): Promise<Client | undefined> {
  const client = new Client({ name: 'belay-stdio', version });
  try {
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  } catch {
    await client.close().catch(() => undefined);
    return undefined;
  }
}
