import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Protection, Receiver } from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';

const TITLE = l10n.t('Privacy');

const receiversIn = (center: Center): readonly Receiver[] =>
  center.views.privacy.value?.receivers.filter(({ name, place, gets }) =>
    hits(center.words.value, TITLE, name, place, gets),
  ) ?? [];

const protectionsIn = (center: Center): readonly Protection[] =>
  center.views.privacy.value?.protections.filter(({ name, said }) =>
    hits(center.words.value, TITLE, name, said),
  ) ?? [];

/** The rows that the search leaves; `null`: not read yet. */
export function shownPrivacy(center: Center): readonly unknown[] | null {
  if (center.views.privacy.value === null) return null;
  return [...receiversIn(center), ...protectionsIn(center)];
}

/** Whatever leaves this machine, to whom, and what keeps it back. */
export function Privacy(): ComponentChildren {
  const center = useCenter();
  const receivers = receiversIn(center);
  const protections = protectionsIn(center);
  return (
    <>
      {receivers.length > 0 && <h3>{l10n.t('Who gets what')}</h3>}
      <ul class="facts">
        {receivers.map(({ name, place, gets, local }) => (
          <li key={name} class="fact" data-row={`privacy ${name}`} data-stop tabIndex={-1}>
            <Icon name={local ? 'device-desktop' : 'globe'} />
            <div class="words">
              <span>
                <strong>{name}</strong> <span class="quiet">{place}</span>
              </span>
              <span class="quiet">{gets}</span>
            </div>
          </li>
        ))}
      </ul>
      {protections.length > 0 && <h3>{l10n.t('What keeps it back')}</h3>}
      <ul class="facts">
        {protections.map((one) => (
          <Kept key={one.name} protection={one} />
        ))}
      </ul>
    </>
  );
}

function Kept({ protection }: { readonly protection: Protection }): ComponentChildren {
  const center = useCenter();
  const { name, on, said, setting } = protection;
  return (
    <li class="fact" data-row={`privacy ${name}`} data-stop tabIndex={-1}>
      <Icon name={on === null ? 'shield' : on ? 'pass' : 'circle-large-outline'} />
      <div class="words">
        <span>
          <strong>{name}</strong>{' '}
          {on !== null && <span class="quiet">{on ? l10n.t('on') : l10n.t('off')}</span>}
        </span>
        <span class="quiet">{said}</span>
      </div>
      {setting !== null && (
        <Button
          icon="settings-gear"
          label={l10n.t('Setting: {0}', name)}
          onClick={() => void center.do('openSetting', { setting })}
        >
          {l10n.t('Setting')}
        </Button>
      )}
    </li>
  );
}
