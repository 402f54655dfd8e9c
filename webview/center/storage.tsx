import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CenterCalls } from '../../src/protocol/center/requests.ts';
import type { CenterCommand, StoredPlace } from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { count, size } from '../words.ts';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';

const TITLE = 'Checkpoints and storage';

/** The places that the search leaves; `null`: not read yet. */
export function shownStorage(center: Center): readonly StoredPlace[] | null {
  const view = center.views.storage.value;
  const words = center.words.value;
  return view?.places.filter(({ name, path }) => hits(words, TITLE, name, path)) ?? null;
}

const COMMANDS: readonly (readonly [CenterCommand, icon: string, words: string])[] = [
  ['exportSession', 'export', 'Export Session…'],
  ['importSession', 'cloud-download', 'Import Session…'],
  ['deleteSession', 'trash', 'Delete Session…'],
  ['showLog', 'output', 'Show Log'],
];

/** All that is kept on this machine: where, how much, and the ways to be rid of it. */
export function Storage(): ComponentChildren {
  const center = useCenter();
  const view = center.views.storage.value;
  const places = shownStorage(center) ?? [];
  return (
    <>
      <p class="quiet">
        {`All of it is on this machine; ${count(view?.sessions ?? 0, 'session')} of this workspace.`}
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
    <section class="checkpoints" aria-label="Checkpoints" data-row="storage checkpoints">
      <h3>Checkpoints</h3>
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
          Delete Those of Sessions That Are Gone…
        </Button>
        <Button
          disabled={!isDays}
          onClick={() => void cleanUp({ kind: 'older', days: Number(days) })}
        >
          Delete Those Older Than
        </Button>
        <label>
          <input
            type="text"
            inputMode="numeric"
            class="days"
            aria-label="Days"
            aria-invalid={!isDays}
            value={days}
            onInput={(event) => setDays(event.currentTarget.value)}
          />
          <span> days</span>
        </label>
        <Button onClick={() => void cleanUp({ kind: 'everything' })}>Delete All…</Button>
        <Button
          icon="settings-gear"
          onClick={() => void center.do('openSetting', { setting: 'checkpoints.*' })}
        >
          Settings
        </Button>
      </div>
      <p role="status">{said}</p>
    </section>
  );
}
