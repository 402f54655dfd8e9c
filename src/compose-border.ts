import { HostMemory } from './core/permissions/allowed-hosts.ts';
import type { HostLists } from './core/permissions/allowed-hosts.ts';
import type { ToolPins } from './core/permissions/border.ts';
import { SecretBook } from './core/secrets/secret-book.ts';
import type { EngineHost } from './engine-host.ts';

/** What guards the border of an engine: one of each, shared by all sessions. */
export interface Border {
  readonly hosts: HostMemory;
  readonly secrets: SecretBook;
  readonly pins: ToolPins;
  /** Looks again for what may have changed: the person's key. */
  refresh(): void;
}

/** @param lists the person's own; nothing is allowed by itself, however well known a host is */
export function composeBorder(host: EngineHost, lists: HostLists): Border {
  const hosts = new HostMemory(lists);
  const secrets = new SecretBook(host.secrets);
  const refresh = (): void => void rememberKey(host, secrets);
  refresh();
  return { hosts, secrets, pins: host.toolPins ?? memoryPins(), refresh };
}

/** The person's key is a secret like others; a tool may come upon it. Never rejects. */
async function rememberKey({ apiKey, log }: EngineHost, secrets: SecretBook): Promise<void> {
  try {
    const key = await apiKey();
    if (key !== undefined) secrets.add(key, 'your API key');
  } catch (error) {
    log.error('The API key could not be read.', error);
  }
}

function memoryPins(): ToolPins {
  const known = new Map<string, string>();
  return { get: (name) => known.get(name), set: (name, hash) => void known.set(name, hash) };
}
