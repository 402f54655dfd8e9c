import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { plain } from '../settings/settings.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { misplacedKeys, moveKeys } from '../../../window/keys/misplaced-key.ts';

/** Looks for keys in the person's settings file, at the start and whenever it changes (rule 9). */
export function watchForKeys(keys: Pick<ProviderKeys, 'store' | 'source'>, log: Log): Disposable {
  const lifetime = new Lifetime();
  const declined = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  const look = (): void => {
    looking = looking
      .then(() => lookOnce(keys, declined))
      .catch((error: unknown) => log.error('A key could not be moved out of the settings.', error));
  };
  lifetime.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('belay')) look();
    }),
  );
  look();
  return lifetime;
}

async function lookOnce(
  keys: Pick<ProviderKeys, 'store' | 'source'>,
  declined: Set<string>,
): Promise<void> {
  const found = misplacedKeys(userSettings()).filter(({ key }) => !declined.has(key));
  await moveKeys(found, {
    ask: async (key) => {
      const chosen = await vscode.window.showWarningMessage(
        l10n.t(
          'belay.{0} in your settings file holds a key. Anybody who reads the file can use it, and it may be synchronized.',
          key,
        ),
        l10n.t('Move to Secret Storage'),
        l10n.t('Leave It'),
      );
      if (chosen !== l10n.t('Move to Secret Storage')) declined.add(key);
      return chosen === l10n.t('Move to Secret Storage');
    },
    store: (value) => keys.store(value),
    hasKey: async () => (await keys.source()) === 'stored',
    remove: async (key) => {
      await vscode.workspace
        .getConfiguration('belay')
        .update(key, undefined, vscode.ConfigurationTarget.Global);
    },
    told: (message) => void vscode.window.showInformationMessage(message),
  });
}

/** Everything below `belay.` in the person's own file, also what no setting is named like. */
export function userSettings(): Readonly<Record<string, unknown>> {
  const section = vscode.workspace.getConfiguration('belay');
  const names = Object.keys(plain(vscode.workspace.getConfiguration().get('belay')) ?? {});
  return Object.fromEntries(names.map((name) => [name, plain(section.inspect(name)?.globalValue)]));
}
