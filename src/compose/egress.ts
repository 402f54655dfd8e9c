import { type HostLists, HostMemory } from '../core/permissions/network/allowed-hosts.ts';
import type { ToolPins } from '../core/permissions/network/egress-guard.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { Store } from '../store/store.ts';
import { hasOwnKey } from '../providers/instance.ts';
import type { ModelNames } from '../providers/instance.ts';
import type { EngineHost } from './engine-host.ts';
import { keyFor } from './keys.ts';

/** The guards of the way out of an engine, shared by all sessions. */
export interface EgressGuard {
  readonly hosts: HostMemory;
  readonly secrets: SecretBook;
  readonly pins: ToolPins;
  /** Looks again for what may have changed: the person's keys. */
  refresh(): void;
}

/** The providers of models, as they are now. */
type InstanceList = Pick<ModelNames, 'instances'>;

/** @param lists the person's own; nothing is allowed by itself, however well known a host is */
export function composeEgress(
  host: EngineHost,
  lists: HostLists,
  {
    pins,
    secrets,
    names,
  }: Pick<EgressGuard, 'pins' | 'secrets'> & { readonly names: InstanceList },
): EgressGuard {
  const hosts = new HostMemory(lists, host.person.unattended === true);
  const refresh = (): void => void rememberKeys(host, secrets, names);
  refresh();
  return { hosts, secrets, pins, refresh };
}

/** The person's keys, of every provider, are secrets like others; a tool may come upon one. Never rejects. */
async function rememberKeys(
  { model, log }: EngineHost,
  secrets: SecretBook,
  names: InstanceList,
): Promise<void> {
  try {
    const own = await model.apiKey();
    if (own !== undefined) secrets.add(own, 'your API key');
    for (const instance of names.instances) {
      const key = hasOwnKey(instance) ? undefined : await keyFor(instance, model);
      if (key !== undefined) secrets.add(key, `your API key of ${instance.name}`);
    }
  } catch (error) {
    log.error('An API key could not be read.', error);
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
