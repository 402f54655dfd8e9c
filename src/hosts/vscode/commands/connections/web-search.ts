import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SearchService } from '../../../../domain/settings/web-settings.ts';
import { checkKeyForm } from '../../../../window/keys/api-key-form.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** The name of a service's key in the secret storage. */
export const searchKeyName = (service: SearchService): string => `belay.webSearch.${service}`;

const SERVICES: readonly (vscode.QuickPickItem & { readonly service: SearchService })[] = [
  { label: 'Brave Search', service: 'brave' },
  { label: 'Tavily', service: 'tavily' },
];

/** The key of a service that searches the web (A17); from then on, it is the one that is asked. */
export function webSearchCommands({
  host: {
    extension: { secrets },
    settings,
  },
}: Pick<CommandServices, 'host'>): Pick<CommandHandlers, 'belay.setWebSearchKey'> {
  return {
    'belay.setWebSearchKey': async () => {
      const title = l10n.t('Belay: Web Search Key');
      const chosen = await vscode.window.showQuickPick(SERVICES, { title });
      if (chosen === undefined) return;
      const { label, service } = chosen;
      const hadOne = (await secrets.get(searchKeyName(service))) !== undefined;
      const typed = await vscode.window.showInputBox({
        title: `${title} (${label})`,
        prompt: hadOne
          ? l10n.t('It takes the place of the one that is kept. Empty: that one is removed.')
          : l10n.t('It is kept in the secret storage of VS Code.'),
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) => {
          const problem = value === '' ? undefined : checkKeyForm(value);
          return problem?.severity === 'error' ? problem.message : undefined;
        },
      });
      if (typed === undefined || (typed.trim() === '' && !hadOne)) return;
      if (typed.trim() === '') {
        await secrets.delete(searchKeyName(service));
        void vscode.window.showInformationMessage(l10n.t('The key of {0} is removed.', label));
        return;
      }
      await secrets.store(searchKeyName(service), typed.trim());
      await settings.write('webSearch.service', service);
      void vscode.window.showInformationMessage(
        l10n.t('Agents can search the web with {0} from the next message on.', label),
      );
    },
  };
}
