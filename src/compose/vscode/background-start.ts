import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { SETTINGS, type SettingKey } from '../../domain/settings/settings.ts';
import { type SearchService, SEARCH_SERVICES } from '../../domain/settings/web-settings.ts';
import { BackgroundProcess } from '../../hosts/node/headless/background-process.ts';
import type { BackgroundOrder } from '../../hosts/node/headless/background-order.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { listOwnFolders } from '../../hosts/vscode/own-folders.ts';
import { keptSwitches } from '../../hosts/vscode/mcp/kept-switches.ts';
import { environmentProxies, type Proxies } from '../../hosts/node/proxies.ts';
import { searchKeyName } from '../../hosts/vscode/secrets/search-key.ts';
import { TELEMETRY_KEY } from '../../hosts/vscode/secrets/telemetry-key.ts';
import { ripgrepOf } from '../../hosts/vscode/workspace/ripgrep.ts';
import { hasOwnKey } from '../../providers/instance.ts';
import { keyedAt } from '../../providers/keyed-at.ts';
import type { WaitingProcess } from '../../window/background-runs.ts';
import type { EngineBase } from '../base.ts';
import type { Engine } from '../engine.ts';
import { builtFile } from './built-file.ts';

export type StartHost = Pick<Host, 'settings' | 'desk' | 'folders'> & {
  readonly keys: Pick<Host['keys'], 'read' | 'keyed'>;
  readonly workspace: Pick<Host['workspace'], 'trusted' | 'roots' | 'name'>;
  readonly extension: Pick<Host['extension'], 'secrets' | 'state' | 'sharedState'>;
};

export type StartBase = Pick<EngineBase, 'names' | 'registry' | 'commands'>;

/**
 * Starts a process that goes on with a session's run. Rejects with a sentence where that session cannot.
 * @param program the bundled headless host
 */
export async function startInBackground(
  host: StartHost,
  base: StartBase,
  { permissions }: Pick<Engine, 'permissions'>,
  sessionId: string,
  program = builtFile('headless.cjs'),
): Promise<WaitingProcess> {
  // Whatever its sub-agents wait for, it waits for.
  const isOfIt = (id: string): boolean => permissions.root(id) === sessionId;
  refuseBound(host, base, sessionId, isOfIt);
  const order = async (): Promise<BackgroundOrder> =>
    orderOf(host, { names: base.names, permissions }, sessionId);
  const process = await BackgroundProcess.start(program, await order());
  return {
    goOn: async () => process.goOn(await order()),
    end: () => process.end(),
  };
}

/** Refuses what only this window has. */
function refuseBound(
  { workspace, desk }: StartHost,
  { names, registry, commands }: StartBase,
  sessionId: string,
  isOfIt: (id: string) => boolean,
): void {
  if (!workspace.trusted)
    throw fault(
      'permission',
      told`This workspace is not trusted: nothing goes on in it without its window.`,
    );
  if (workspace.roots.length === 0)
    throw fault('config', told`No folder is open that a run could go on in without its window.`);
  const { instance } = names.addressOf(registry.optionsOf(sessionId).model);
  if (instance.wire === 'vscode-lm')
    throw fault(
      'config',
      told`The model of this session is one of VS Code, which is not there without its window. Choose another one first.`,
    );
  if (desk.pending().some(({ question }) => isOfIt(question.sessionId)))
    throw fault(
      'busy',
      told`This run waits for you: answer first, then it can go on without its window.`,
    );
  const running = commands.background?.list().filter((one) => one.running) ?? [];
  if (running.some(({ origin }) => isOfIt(origin.sessionId)))
    throw fault(
      'busy',
      told`A command of this session runs in the background and ends with its window. Stop it first, or wait for it.`,
    );
}

/** All that the process needs, as it is now. */
async function orderOf(
  { settings, keys, workspace, folders, extension }: StartHost,
  { names, permissions }: Pick<EngineBase, 'names'> & Pick<Engine, 'permissions'>,
  sessionId: string,
): Promise<BackgroundOrder> {
  const [root = '', ...others] = workspace.roots;
  const services = Object.keys(SEARCH_SERVICES) as SearchService[];
  const telemetryKey = await extension.secrets.get(TELEMETRY_KEY);
  const { state, sharedState } = extension;
  return {
    sessionId,
    settings: Object.fromEntries(
      (Object.keys(SETTINGS) as SettingKey[]).map((key) => [key, settings.get(key)]),
    ),
    yeses: await permissions.yeses(sessionId),
    keys: await present(
      names.instances.map(
        (one) => [one.id, async () => (hasOwnKey(one) ? keys.read() : keys.read(one))] as const,
      ),
    ),
    keyed: names.instances.map(keyedAt).filter((address) => keys.keyed.has(address)),
    searchKeys: await present(
      services.map(
        (name) => [name, async () => extension.secrets.get(searchKeyName(name))] as const,
      ),
    ),
    ...(telemetryKey === undefined ? {} : { telemetryKey }),
    roots: [root, ...others],
    ownFolders: listOwnFolders(folders),
    person: { folder: folders.shared, name: workspace.name ?? '' },
    ripgrep: ripgrepOf(folders.editor),
    serversOff: keptSwitches({ user: sharedState, workspace: state }).off,
    proxies: proxiesOf(settings.proxy),
  };
}

/** VS Code's settings count before the environment. */
function proxiesOf(set: Host['settings']['proxy']): Proxies {
  if (set === undefined) return {};
  const { url, without } = set;
  return {
    ...environmentProxies(process.env),
    ...(url === '' ? {} : { 'http.proxy': url }),
    ...(without.length === 0 ? {} : { 'http.noProxy': without.join(',') }),
  };
}

/** Those that have a value. */
async function present(
  entries: readonly (readonly [name: string, read: () => Promise<string | undefined>])[],
): Promise<Readonly<Record<string, string>>> {
  const read = await Promise.all(
    entries.map(async ([name, value]) => [name, await value()] as const),
  );
  return Object.fromEntries(
    read.filter((one): one is readonly [string, string] => one[1] !== undefined),
  );
}
