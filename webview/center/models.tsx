import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ProviderAction, ProviderRow } from '../../src/protocol/provider-view.ts';
import { Button, IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { count } from '../../src/domain/text/language.ts';

/** The providers that the search leaves; `null`: not read yet. */
export function shownProviders(center: Center): readonly ProviderRow[] | null {
  const view = center.views.models.value;
  const words = center.words.value;
  return (
    view?.rows.filter(({ id, name, host, api }) =>
      hits(words, l10n.t('Models model providers'), id, name, host, api),
    ) ?? null
  );
}

/** The providers of models: what state each is in, and check, key, edit, remove. */
export function Models(): ComponentChildren {
  const center = useCenter();
  const view = center.views.models.value;
  const act = (action: ProviderAction, provider: string | null): void => {
    const done = center.do('providerAction', { action, provider });
    void done.then(async () => center.read('models'));
  };
  return (
    <>
      {view?.problems.map((problem) => (
        <p class="caution" key={problem} role="status">
          <Icon name="warning" />
          <span>{problem}</span>
        </p>
      ))}
      <ul class="provider-rows">
        {shownProviders(center)?.map((row) => (
          <Row key={row.id} row={row} act={(action) => act(action, row.id)} />
        ))}
      </ul>
      <div data-row="models">
        <Button icon="add" onClick={() => act('add', null)}>
          {l10n.t('Add Model Provider…')}
        </Button>
      </div>
    </>
  );
}

const KEYS: Readonly<Record<ProviderRow['key'], string>> = {
  stored: l10n.t('key stored'),
  environment: l10n.t('key from the environment'),
  none: l10n.t('no key'),
  unneeded: l10n.t('needs no key'),
};

/** Words of the sign before a row. */
function stateOf({ check, key }: ProviderRow): readonly [icon: string, words: string] {
  if (check !== null)
    return check.works ? ['pass', l10n.t('works')] : ['error', l10n.t('does not work')];
  return key === 'none'
    ? ['key', l10n.t('wants a key')]
    : ['circle-large-outline', l10n.t('not checked yet')];
}

function Row({
  row,
  act,
}: {
  readonly row: ProviderRow;
  readonly act: (action: ProviderAction) => void;
}): ComponentChildren {
  const { name, host, api, models, key, check, added, id } = row;
  const [icon, words] = stateOf(row);
  const keyed = key === 'stored' || key === 'none';
  return (
    <li class={`provider is-${icon}`} data-provider={id} data-row={`models ${id}`}>
      <span class="state" title={words}>
        <Icon name={icon} />
      </span>
      <div class="words">
        <strong>{name}</strong>
        <span class="quiet">{[host, api, count(models, 'model'), KEYS[key]].join(' · ')}</span>
        <span class={check === null ? 'quiet' : 'said'}>{check?.said ?? words}</span>
      </div>
      <span class="actions">
        <Button icon="plug" stop label={l10n.t('Check {0}', name)} onClick={() => act('check')}>
          {l10n.t('Check')}
        </Button>
        {keyed && (
          <Button icon="key" onClick={() => act('set_key')}>
            {key === 'none' ? l10n.t('Set Key') : l10n.t('Change Key')}
          </Button>
        )}
        {key === 'stored' && (
          <IconButton
            icon="circle-slash"
            label={l10n.t('Remove the key of {0}', name)}
            onClick={() => act('remove_key')}
          />
        )}
        <IconButton icon="edit" label={l10n.t('Edit {0}', name)} onClick={() => act('edit')} />
        {added && (
          <IconButton
            icon="trash"
            label={l10n.t('Remove {0}', name)}
            onClick={() => act('remove')}
          />
        )}
      </span>
    </li>
  );
}
