import type { CenterPlace } from '../../../protocol/center/messages.ts';
import { CENTER_SECTIONS } from '../../../protocol/center/view.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Commands that show the Control Center, or a section of it. */
export function centerCommands({
  center,
}: Pick<CommandServices, 'center'>): Pick<
  CommandHandlers,
  | 'belay.openControlCenter'
  | 'belay.manageProviders'
  | 'belay.showCheckpointStorage'
  | 'belay.showMcpServers'
  | 'belay.showMemory'
  | 'belay.showRules'
  | 'belay.showTools'
> {
  return {
    'belay.openControlCenter': async (section, item) => center.open(placeOf(section, item)),
    'belay.manageProviders': async (item) => center.open(placeOf('models', item)),
    'belay.showCheckpointStorage': async () => center.open({ section: 'storage' }),
    'belay.showMcpServers': async (item) => center.open(placeOf('mcp', item)),
    'belay.showMemory': async () => center.open({ section: 'memory' }),
    'belay.showRules': async () => center.open({ section: 'rules' }),
    'belay.showTools': async (item) => center.open(placeOf('tools', item)),
  };
}

/** Other extensions and keybindings may give anything. */
function placeOf(given: unknown, item: unknown): CenterPlace | undefined {
  const section = CENTER_SECTIONS.find((one) => one === given);
  if (section === undefined) return undefined;
  return typeof item === 'string' ? { section, item } : { section };
}
