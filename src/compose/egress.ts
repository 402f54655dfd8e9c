import { type HostLists, HostMemory } from '../core/permissions/allowed-hosts.ts';
import type { ToolPins } from '../core/permissions/egress-guard.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { Store } from '../store/store.ts';
import type { EngineHost } from './engine-host.ts';

/** The guards of the way out of an engine, shared by all sessions. */
export interface EgressGuard {
  readonly hosts: HostMemory;
  readonly secrets: SecretBook;
  readonly pins: ToolPins;
  /** Looks again for what may have changed: the person's key. */
  refresh(): void;
}

/** @param lists the person's own; nothing is allowed by itself, however well known a host is */
export function composeEgress(
  host: EngineHost,
  lists: HostLists,
  { pins, secrets }: Pick<EgressGuard, 'pins' | 'secrets'>,
): EgressGuard {
  const hosts = new HostMemory(lists, host.person.unattended === true);
  const refresh = (): void => void rememberKey(host, secrets);
  refresh();
  return { hosts, secrets, pins, refresh };
}

/** The person's key is a secret like others; a tool may come upon it. Never rejects. */
async function rememberKey({ model, log }: EngineHost, secrets: SecretBook): Promise<void> {
  try {
    const key = await model.apiKey();
    if (key !== undefined) secrets.add(key, 'your API key');
  } catch (error) {
    log.error('The API key could not be read.', error);
  }
}

const PIN = 'tool-pin/';

/** Kept with the workspace: a server may wait for the next start before it changes what a tool says. */
export async function storedPins({ log }: EngineHost, { values }: Store): Promise<ToolPins> {
  const known = new Map<string, string>();
  for (const { key, value } of await values.list(PIN))
    if (typeof value === 'string') known.set(key.slice(PIN.length), value);
  return {
    get: (name) => known.get(name),
    set: (name, hash) => {
      known.set(name, hash);
      values.set(`${PIN}${name}`, hash).catch((error: unknown) => {
        log.error('It could not be kept that a tool was allowed.', error);
      });
    },
  };
}
