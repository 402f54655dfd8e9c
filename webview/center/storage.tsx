import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CenterCalls } from '../../src/protocol/center/requests.ts';
import type { CenterCommand, StoredPlace } from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { size } from '../texts/words.ts';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { count } from '../../src/domain/text/language.ts';

const TITLE = l10n.t('Checkpoints and storage');

/** The places that the search leaves; `null`: not read yet. */
export function shownStorage(center: Center): readonly StoredPlace[] | null {
  const view = center.views.storage.value;
  const words = center.words.value;
  return view?.places.filter(({ name, path }) => hits(words, TITLE, name, path)) ?? null;
}

const COMMANDS: readonly (readonly [CenterCommand, icon: string, words: string])[] = [
  ['exportSession', 'export', l10n.t('Export Session…')],
  ['importSession', 'cloud-download', l10n.t('Import Session…')],
  ['deleteSession', 'trash', l10n.t('Delete Session…')],
  ['showLog', 'output', l10n.t('Show Log')],
];

/** All that is kept on this machine: where, how much, and the ways to be rid of it. */
export function Storage(): ComponentChildren {
  const center = useCenter();
  const view = center.views.storage.value;
  const places = shownStorage(center) ?? [];
  return (
    <>
      <p class="quiet">
        {l10n.t(
          'All of it is on this machine; {0} of this workspace.',
          count(view?.sessions ?? 0, 'session'),
        )}
      </p>
      <ul class="facts">
        {places.map(({ name, path, bytes }) => (
          <li key={name} class="fact" data-row={`storage ${name}`} data-stop tabIndex={-1}>
            <div class="words">
              <strong>{name}</strong>
              <code class="quiet">{path}</code>
            </div>
            <span class="bytes">{size(bytes)}</span>
          </li>
        ))}
      </ul>
      <div class="actions" data-row="storage commands">
        {COMMANDS.map(([command, icon, words]) => (
          <Button
            key={command}
            icon={icon}
            onClick={() => {
              const done = center.do('runCommand', { command });
              void done.then(async () => center.read('storage'));
            }}
          >
            {words}
          </Button>
        ))}
      </div>
      <Checkpoints />
    </>
  );
}

/** Copies of files: how much, what is not in them, and what may go. */
function Checkpoints(): ComponentChildren {
  const center = useCenter();
  const [days, setDays] = useState('7');
  const [said, setSaid] = useState('');
  const checkpoints = center.views.storage.value?.checkpoints ?? null;
  if (checkpoints === null) return null;
  const cleanUp = async (what: CenterCalls['cleanUp']['params']): Promise<void> => {
    const done = await center.ask('cleanUp', what);
    // Nothing: the person gave up, or was told why not.
    setSaid(done?.said ?? '');
    await center.read('storage');
  };
  const isDays = /^\d{1,4}$/u.test(days);
  return (
    <section class="checkpoints" aria-label={l10n.t('Checkpoints')} data-row="storage checkpoints">
      <h3>{l10n.t('Checkpoints')}</h3>
      <p>{checkpoints.title}</p>
      {checkpoints.lines
        .filter((line) => line !== '')
        .map((line) => (
          <p class="quiet" key={line}>
            {line}
          </p>
        ))}
      <div class="actions">
        <Button stop onClick={() => void cleanUp({ kind: 'gone' })}>
          {l10n.t('Delete Those of Sessions That Are Gone…')}
        </Button>
        <Button
          disabled={!isDays}
          onClick={() => void cleanUp({ kind: 'older', days: Number(days) })}
        >
          {l10n.t('Delete Those Older Than')}
        </Button>
        <label>
          <input
            type="text"
            inputMode="numeric"
            class="days"
            aria-label={l10n.t('Days')}
            aria-invalid={!isDays}
            value={days}
            onInput={(event) => setDays(event.currentTarget.value)}
          />
          <span>{l10n.t('days')}</span>
        </label>
        <Button onClick={() => void cleanUp({ kind: 'everything' })}>
          {l10n.t('Delete All…')}
        </Button>
        <Button
          icon="settings-gear"
          onClick={() => void center.do('openSetting', { setting: 'checkpoints.*' })}
        >
          {l10n.t('Settings')}
        </Button>
      </div>
      <p role="status">{said}</p>
    </section>
  );
}
