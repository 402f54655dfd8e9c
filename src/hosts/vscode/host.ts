import * as vscode from 'vscode';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { ApprovalQueue } from '../../window/approvals/approval-queue.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import type { HostLog } from '../../window/log/host-log.ts';
import { openLog } from './log/open-log.ts';
import { KeyedAddresses } from '../../window/keys/keyed-addresses.ts';
import { RecentModels } from '../../window/models/recent-models.ts';
import { KnownChecks } from './models/known-checks.ts';
import { watchForKeys } from './secrets/settings-keys.ts';
import type { CredentialStorage } from '../../mcp/auth/credential-book.ts';
import { defaultInstance } from '../../providers/anthropic/instance.ts';
import { liveInstances } from '../../providers/instances-setting.ts';
import { ProviderKeys } from './secrets/provider-keys.ts';
import { type DeclaredCommand, declaredCommands } from './commands/declared-commands.ts';
import { SettingsReader } from './settings/settings.ts';
import type { Doors } from './startup/doors.ts';
import type { HostFolders } from './own-folders.ts';
import { dataFolderOf } from './startup/light-start.ts';
import { tellPerson } from './human/tell.ts';
import { Workspace } from './workspace/workspace.ts';

/** The ports that VS Code gives the core, before there is an agent. */
export interface Host extends Disposable {
  readonly log: HostLog;
  readonly showLog: () => void;
  /** Shows a sentence that the person must not miss. */
  readonly tell: (level: 'warning' | 'error', message: string) => void;
  readonly settings: SettingsReader;
  readonly workspace: Workspace;
  readonly keys: ProviderKeys;
  /** Results of trying providers in this window. */
  readonly checks: KnownChecks;
  readonly recentModels: RecentModels;
  /** `Approver` and `Human`. */
  readonly desk: ApprovalQueue;
  readonly folders: HostFolders;
  readonly extension: {
    readonly doors: Doors;
    readonly uri: vscode.Uri;
    readonly version: string;
    /** VS Code's own memory of this workspace. */
    readonly state: vscode.Memento;
    /** The same for all workspaces. */
    readonly sharedState: vscode.Memento;
    /** On the clock of `performance.now()`, in milliseconds. */
    readonly startedAt: number;
    /** Commands that the manifest declares. */
    readonly commands: readonly DeclaredCommand[];
    /** Tokens of MCP servers' sign-ins. */
    readonly secrets: CredentialStorage;
  };
}

/**
 * The first half of the extension: nothing here waits, and nothing here needs the core.
 * @param openUserFolder gives the folder of the user's data, or what it is called with where that can't be used
 */
export function openHost(
  context: vscode.ExtensionContext,
  doors: Doors,
  openUserFolder: (fallback: string) => string,
): Host {
  const settings = new SettingsReader();
  const opened = openLog(context, () => settings.get('log.level'));
  const { log } = opened;
  const lifetime = new Lifetime((error) => log.error('Something could not be released.', error));
  lifetime.add(opened);
  lifetime.add(settings);
  const keys = lifetime.add(
    new ProviderKeys({
      storage: context.secrets,
      environment: process.env,
      keyed: new KeyedAddresses(context.globalState),
      instances: liveInstances(
        [
          defaultInstance(
            () => settings.get('model.baseUrl'),
            () => settings.get('model.keyVariable'),
          ),
        ],
        () => settings.get('model.providers'),
      ),
      log,
      hide: (key) => log.hide(key),
    }),
  );
  const hideKeys = (): void => {
    for (const instance of keys.instances) void keys.read(instance);
  };
  lifetime.add(keys.onChanged(hideKeys));
  hideKeys();
  lifetime.add(watchForKeys(keys, log));
  const earlier = context.globalStorageUri.fsPath;
  const shared = openUserFolder(earlier);
  const { version } = context.extension.packageJSON as { readonly version: string };
  log.info('Belay starts.', {
    version,
    editor: vscode.version,
    trusted: vscode.workspace.isTrusted,
  });
  return {
    log,
    showLog: () => opened.show(),
    tell: (level, message) => void tellPerson(level, message, () => opened.show()),
    settings,
    workspace: lifetime.add(new Workspace()),
    keys,
    checks: new KnownChecks(),
    recentModels: new RecentModels(context.globalState),
    desk: lifetime.add(
      new ApprovalQueue((error) => log.error('What waits could not be shown.', error)),
    ),
    folders: {
      data: dataFolderOf(context),
      shared,
      earlier,
      logs: context.logUri.fsPath,
      editor: vscode.env.appRoot,
    },
    extension: {
      doors,
      uri: context.extensionUri,
      version,
      state: context.workspaceState,
      sharedState: context.globalState,
      commands: declaredCommands(context.extension),
      startedAt: performance.now(),
      secrets: {
        get: async (key) => context.secrets.get(key),
        store: async (key, value) => context.secrets.store(key, value),
        delete: async (key) => context.secrets.delete(key),
      },
    },
    dispose: () => lifetime.dispose(),
  };
}
