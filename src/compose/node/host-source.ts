import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathBelow } from '../../domain/paths.ts';
import type { SearchService } from '../../domain/settings/web-settings.ts';
import { settingsFrom } from '../../domain/settings/read-settings.ts';
import type { SettingKey, Settings } from '../../domain/settings/settings.ts';
import { COMMAND_LINE } from '../../domain/session/session.ts';
import type { HostArguments } from '../../hosts/node/headless/arguments.ts';
import type { BackgroundOrder } from '../../hosts/node/headless/background-order.ts';
import { environmentProxies, type Proxies } from '../../hosts/node/proxies.ts';
import { openUserFolder } from '../../hosts/node/user-folder.ts';
import { defaultInstance } from '../../providers/anthropic/instance.ts';
import { variable } from '../../providers/environment-keys.ts';
import { FoundModels, serverOrigins } from '../../providers/found/found-models.ts';
import type { EngineHost, HostModel, HostPerson, HostStore } from '../engine-host.ts';
import { environmentModel } from './environment-model.ts';
import { environmentSearch } from './environment-search.ts';

/** The variable with the key of the collector of traces. */
const TELEMETRY_KEY = 'BELAY_OTLP_KEY';

/** All of a headless host that depends on who starts it: a person at a command line, or a window. */
export interface HostSource {
  readonly settings: Settings;
  readonly model: HostModel;
  /** Keys, which no log shows. */
  readonly keys: () => readonly string[];
  readonly telemetryKey: string | undefined;
  readonly webSearch: NonNullable<EngineHost['tools']['webSearch']>;
  /** At least one; absolute, without links. */
  readonly roots: readonly [string, ...string[]];
  /** The data folder, and more folders that no tool reads or writes. */
  readonly ownFolders: readonly [string, ...string[]];
  readonly person: HostStore['person'];
  readonly channel: HostStore['channel'];
  readonly rights: Pick<HostPerson, 'level' | 'unattended' | 'personasOf' | 'reviewed'>;
  /** Programs that search, the first that is there is taken; empty: the one on the path. */
  readonly ripgrep: readonly string[];
  /** MCP servers that the person switched off. */
  readonly serversOff: readonly string[];
  readonly proxies: Proxies;
}

/** Arguments and the environment. */
export function sourceOfArguments(request: HostArguments, reviewed: boolean): HostSource {
  const { modelUrl, settings: given, unattended } = request;
  const settings = settingsFrom(
    (name: SettingKey) =>
      name === 'model.baseUrl' && modelUrl !== undefined ? modelUrl : given.get(name),
    () => undefined,
  );
  const { key, model } = environmentModel(settings, process.env);
  const telemetryKey = variable(process.env, TELEMETRY_KEY);
  const data = realpathSync(request.data);
  const root = realpathSync(request.workspace);
  const person = userFolder(request.person, path.dirname(data));
  return {
    settings,
    model,
    keys: () => [key, telemetryKey].filter((one) => one !== undefined),
    telemetryKey,
    webSearch: environmentSearch(process.env),
    roots: [root],
    // A folder that holds the workspace can't be kept from tools.
    ownFolders: pathBelow(person, root) === undefined ? [data, person] : [data],
    person: { folder: person, name: path.basename(root) },
    channel: COMMAND_LINE,
    rights: {
      level: () => settings('identity.defaultLevel'),
      unattended,
      personasOf: 'headless',
      reviewed,
    },
    ripgrep: [],
    serversOff: [],
    proxies: environmentProxies(process.env),
  };
}

/** The folder of the user's data, without links where it exists. @param given of the command line */
function userFolder(given: string | undefined, fallback: string): string {
  const folder = path.resolve(given ?? openUserFolder(fallback));
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** The order of a window: what its session may and has, and no more. @param order as it is now; its folders stay */
export function sourceOfOrder(order: () => BackgroundOrder): HostSource {
  const { telemetryKey, ownFolders, roots, person, ripgrep, serversOff, proxies } = order();
  const settings = settingsFrom(
    (name) => order().settings[name],
    () => undefined,
  );
  const own = defaultInstance(
    () => settings('model.baseUrl'),
    () => settings('model.keyVariable'),
  );
  return {
    settings,
    model: {
      apiKey: async () => Promise.resolve(order().keys[own.id]),
      instances: [own],
      keyOf: async ({ id }) => Promise.resolve(order().keys[id]),
      keyed: { has: (address) => order().keyed.includes(address), add: async () => undefined },
      found: new FoundModels({ origins: serverOrigins(process.env) }),
      titlesByModel: false,
    },
    keys: () =>
      [...Object.values(order().keys), ...Object.values(order().searchKeys), telemetryKey].filter(
        (one) => one !== undefined,
      ),
    telemetryKey,
    webSearch: {
      key: async (service: SearchService) => Promise.resolve(order().searchKeys[service]),
    },
    roots,
    ownFolders,
    person,
    channel: COMMAND_LINE,
    rights: {
      level: () => settings('identity.defaultLevel'),
      unattended: false,
      personasOf: 'vscode',
      reviewed: true,
    },
    ripgrep,
    serversOff,
    proxies,
  };
}
