import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readUrl } from '../../../../core/permissions/network/request-guard.ts';
import type { SearchService } from '../../../../domain/settings/web-settings.ts';
import { checkKeyForm } from '../../../../window/keys/api-key-form.ts';
import { searchKeyName } from '../../secrets/search-key.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

type Choice = vscode.QuickPickItem & { readonly service: SearchService };

/** Where agents search the web (A17): at a server of the person, or with a key of a service. */
export function webSearchCommands({
  host: {
    extension: { secrets },
    settings,
  },
}: Pick<CommandServices, 'host'>) {
  const title = l10n.t('Belay: Web Search');
  const chosen = async (service: SearchService, label: string): Promise<void> => {
    await settings.write('webSearch.service', service);
    void vscode.window.showInformationMessage(
      l10n.t('Agents can search the web with {0} from the next message on.', label),
    );
  };
  return {
    'belay.setUpWebSearch': async () => {
      const choice = await vscode.window.showQuickPick(choices(), { title });
      if (choice === undefined) return;
      const { label, service } = choice;
      const name = `${title} (${label})`;
      if (service === 'searxng') {
        const address = await askAddress(name, settings.get('webSearch.url'));
        if (address === undefined) return;
        await settings.write('webSearch.url', address);
        await chosen(service, label);
        return;
      }
      const kept = searchKeyName(service);
      const hadOne = (await secrets.get(kept)) !== undefined;
      const key = await askKey(name, hadOne);
      if (key === undefined || (key === '' && !hadOne)) return;
      if (key === '') {
        await secrets.delete(kept);
        void vscode.window.showInformationMessage(l10n.t('The key of {0} is removed.', label));
        return;
      }
      await secrets.store(kept, key);
      await chosen(service, label);
    },
  } satisfies Partial<CommandHandlers>;
}

const choices = (): readonly Choice[] => [
  { label: 'SearXNG', service: 'searxng', description: l10n.t('a server of your own') },
  { label: 'Brave Search', service: 'brave', description: l10n.t('with a key') },
  { label: 'Tavily', service: 'tavily', description: l10n.t('with a key') },
];

/** `undefined`: it was given up. */
async function askAddress(title: string, present: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('The address of the server, which must answer in JSON.'),
    value: present,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const read = readUrl(value.trim());
      return 'url' in read ? undefined : l10n.t('This is no address of a web server.');
    },
  });
  return typed?.trim();
}

/** Empty: the kept one is removed; `undefined`: it was given up. */
async function askKey(title: string, hadOne: boolean): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
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
  return typed?.trim();
}
