import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LinkedAccount } from '../../../../core/ports/store/person.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** Authentication providers that VS Code brings along; no API lists those of other extensions. */
const PROVIDERS = [
  { id: 'github', name: 'GitHub' },
  { id: 'microsoft', name: 'Microsoft' },
] as const;

/** Commands for the accounts of the person (A1): id, name and provider are kept, and nothing else. */
export function accountCommands({ engine }: Pick<CommandServices, 'engine'>) {
  const { person } = engine.store;
  return {
    'belay.linkAccount': async () => {
      const linked = await person.accounts();
      const known = (await signedIn()).filter(
        (one) => !linked.some(({ provider, id }) => provider === one.provider && id === one.id),
      );
      const chosen = await vscode.window.showQuickPick(
        [
          ...known.map((account) => ({
            label: account.label,
            description: nameOf(account),
            account,
          })),
          ...PROVIDERS.map(({ id, name }) => ({
            label: l10n.t('Sign in to {0}…', name),
            description: '',
            provider: id,
          })),
        ],
        { title: l10n.t('Belay: Link Account') },
      );
      if (chosen === undefined) return;
      const account = 'account' in chosen ? chosen.account : await signIn(chosen.provider);
      if (account === undefined) return;
      await person.link(account);
      await vscode.window.showInformationMessage(
        l10n.t('{0} is linked. Your usage and budgets stay as they are.', account.label),
      );
    },
    'belay.unlinkAccount': async () => {
      const linked = await person.accounts();
      const chosen = await vscode.window.showQuickPick(
        linked.map((account) => ({ label: account.label, description: nameOf(account), account })),
        {
          title: l10n.t('Belay: Unlink Account'),
          placeHolder: linked.length === 0 ? l10n.t('No account is linked.') : '',
        },
      );
      if (chosen !== undefined) await person.unlink(chosen.account);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Accounts that are signed in; nobody is asked for anything. */
async function signedIn(): Promise<readonly LinkedAccount[]> {
  const found = await Promise.all(
    PROVIDERS.map(async ({ id: provider }) => {
      try {
        const accounts = await vscode.authentication.getAccounts(provider);
        return accounts.map(({ id, label }) => ({ provider, id, label }));
      } catch {
        // This editor does not have the provider.
        return [];
      }
    }),
  );
  return found.flat();
}

/** The token of the session stays with the editor. */
async function signIn(provider: string): Promise<LinkedAccount | undefined> {
  const session = await vscode.authentication
    .getSession(provider, [], { createIfNone: true })
    .then(undefined, () => undefined);
  if (session === undefined) return undefined;
  const { id, label } = session.account;
  return { provider, id, label };
}

const nameOf = ({ provider }: LinkedAccount): string =>
  PROVIDERS.find(({ id }) => id === provider)?.name ?? provider;
