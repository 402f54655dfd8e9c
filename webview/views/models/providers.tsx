import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  ProviderAction,
  ProviderRow,
  ProvidersView,
} from '../../../src/protocol/provider-view.ts';
import { usePanel } from '../../panel.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';

/** The providers of models: what state each is in, and check, key, edit, remove. */
export function Providers(): ComponentChildren {
  const panel = usePanel();
  const { app, models } = panel.store;
  const [view, setView] = useState<ProvidersView | null>(null);
  const load = async (): Promise<void> => {
    const read = await panel.host.ask('listProviders', {});
    if (read !== undefined) setView(read);
  };
  // Keys, settings and checks arrive as a change of the window's setup.
  useEffect(() => void load(), [app.value, models.value]);
  const act = (action: ProviderAction, provider: string | null): void => {
    void panel.host.ask('providerAction', { action, provider }).then(load);
  };
  return (
    <section
      class="rules providers"
      aria-label="Model providers"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        panel.page.value = 'conversation';
      }}
    >
      {view?.problems.map((problem) => (
        <p class="caution" key={problem} role="status">
          <Icon name="warning" />
          <span>{problem}</span>
        </p>
      ))}
      <ul class="provider-rows">
        {view?.rows.map((row) => (
          <Row key={row.id} row={row} act={(action) => act(action, row.id)} />
        ))}
      </ul>
      {view !== null && (
        <Button kind="primary" icon="add" onClick={() => act('add', null)}>
          Add Model Provider…
        </Button>
      )}
    </section>
  );
}

const KEYS: Readonly<Record<ProviderRow['key'], string>> = {
  stored: 'key stored',
  environment: 'key from the environment',
  none: 'no key',
  unneeded: 'needs no key',
};

/** Words of the sign before a row. */
function stateOf({ check, key }: ProviderRow): readonly [icon: string, words: string] {
  if (check !== null) return check.works ? ['pass', 'works'] : ['error', 'does not work'];
  return key === 'none' ? ['key', 'wants a key'] : ['circle-large-outline', 'not checked yet'];
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
  const count = `${models} ${models === 1 ? 'model' : 'models'}`;
  const keyed = key === 'stored' || key === 'none';
  return (
    <li class={`provider is-${icon}`} data-provider={id}>
      <span class="state" title={words}>
        <Icon name={icon} />
      </span>
      <div class="words">
        <strong>{name}</strong>
        <span class="quiet">{[host, api, count, KEYS[key]].join(' · ')}</span>
        <span class={check === null ? 'quiet' : 'said'}>{check?.said ?? words}</span>
        <span class="actions">
          <Button icon="plug" onClick={() => act('check')}>
            Check
          </Button>
          {keyed && (
            <Button icon="key" onClick={() => act('set_key')}>
              {key === 'none' ? 'Set Key' : 'Change Key'}
            </Button>
          )}
          {key === 'stored' && (
            <IconButton
              icon="circle-slash"
              label={`Remove the key of ${name}`}
              onClick={() => act('remove_key')}
            />
          )}
          <IconButton icon="edit" label={`Edit ${name}`} onClick={() => act('edit')} />
          {added && (
            <IconButton icon="trash" label={`Remove ${name}`} onClick={() => act('remove')} />
          )}
        </span>
      </div>
    </li>
  );
}
