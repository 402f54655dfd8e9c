import * as vscode from 'vscode';
import { openSettings } from '../settings/settings.ts';
import { scmCommands } from '../pending/source-control/scm-commands.ts';
import { askCommands } from './asks.ts';
import { accountCommands } from './connections/accounts.ts';
import { backgroundCommands } from './background.ts';
import { followUpCommands } from './follow-ups.ts';
import { webSearchCommands } from './connections/web-search.ts';
import { waitingCommands } from './waiting.ts';
import { centerCommands } from './control-center.ts';
import { forkCommands } from './fork.ts';
import { mcpCommands } from './connections/mcp-servers.ts';
import { ownServerCommands } from './connections/own-server.ts';
import { optionCommands } from './options.ts';
import { pendingChangeCommands } from './review/pending-changes.ts';
import { pendingCommentCommands } from './review/pending-comments.ts';
import { providerCommands } from './connections/providers.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';
import { restoreCommands } from './review/restore.ts';
import { sessionCommands } from './sessions.ts';
import { snapshotCommands } from './review/snapshots.ts';
import { tabCommands } from './tabs.ts';
import { telemetryCommands } from './connections/telemetry.ts';
import { timelineCommands } from './timeline.ts';

/** The handlers of all commands but the one that only shows the panel. */
export function commandHandlers(
  services: CommandServices,
): Omit<CommandHandlers, 'belay.focusPanel'> {
  return {
    ...sessionCommands(services),
    ...snapshotCommands(services),
    ...optionCommands(services),
    ...providerCommands(services),
    ...waitingCommands(services),
    ...followUpCommands(services),
    ...scmCommands(services.pending),
    ...pendingChangeCommands(services),
    ...pendingCommentCommands(services),
    ...restoreCommands(services),
    ...forkCommands(services),
    ...mcpCommands(services),
    ...accountCommands(services),
    ...webSearchCommands(services),
    ...centerCommands(services),
    ...ownServerCommands(services),
    ...tabCommands(services),
    ...telemetryCommands(services),
    ...timelineCommands(services),
    ...backgroundCommands(services),
    ...askCommands(services.asks),
    'belay.showJournal': () => services.view.reveal('show_journal'),
    'belay.showChangeList': () => services.view.reveal('focus_changes'),
    'belay.manageTrust': async () => {
      await vscode.commands.executeCommand('workbench.trust.manage');
    },
    'belay.openSettings': async () => {
      await openSettings();
    },
    'belay.openWalkthrough': async () => {
      await vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        'belay.belay#start',
        false,
      );
    },
    'belay.showLog': () => {
      services.host.showLog();
      return Promise.resolve();
    },
  };
}
