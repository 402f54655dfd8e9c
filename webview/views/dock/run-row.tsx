import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { RunPhase, RunView } from '../../../src/protocol/view.ts';
import { useSeconds } from '../../now.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import { elapsed } from '../../texts/words.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { DockRow, type RowProps } from './dock-row.tsx';

const WORDS: Readonly<Record<Exclude<RunPhase, 'idle'>, string>> = {
  starting: l10n.t('Starting'),
  model: l10n.t('Waiting for the model'),
  streaming: l10n.t('Answering'),
  tools: l10n.t('Working'),
  retrying: l10n.t('Trying again'),
  waiting: l10n.t('Waiting for you'),
  stopping: l10n.t('Stopping…'),
  compacting: l10n.t('Compacting the conversation'),
};

/** True while a run is on, here or in another process; a run that waits is shown by its card, where that is on screen. */
export function hasRunRow({ store: { session }, questions }: Panel): boolean {
  const { phase } = session.run.value;
  if (phase === 'waiting' && questions.inView.value.size > 0) return false;
  return phase !== 'idle' || session.elsewhere.value;
}

/** The run's activity, for how long, and the way to stop it (D12). */
export function RunRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const { run, detached } = panel.store.session;
  if (detached.value !== null) return <BackgroundRow more={more} />;
  return run.value.phase === 'idle' ? <OtherWindowRow more={more} /> : <OwnRow more={more} />;
}

function OwnRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  useSeconds(true);
  const { parent, id, run: ownRun } = panel.store.session;
  const run = ownRun.value;
  if (run.phase === 'idle') return null;
  const stopping = panel.run.stopping.value || run.phase === 'stopping';
  const phase = stopping ? 'stopping' : run.phase;
  const waits = phase === 'waiting';
  const retry = phase === 'retrying' ? run.retry : null;
  const seconds = retry === null ? 0 : secondsUntil(panel, retry.until);
  const words = retry === null ? WORDS[phase] : retryWords(retry, seconds);
  return (
    <DockRow
      name={l10n.t('Current run')}
      class={`run-status is-${phase}`}
      role="status"
      icon={
        waits ? (
          <Icon name="shield" class="bead" />
        ) : (
          <Icon name="loading" class="bead codicon-modifier-spin" />
        )
      }
      label={waits ? <WaitingFor panel={panel} /> : words}
      title={words}
      preview={
        <>
          {run.iteration > 0 && !waits && (
            <span title={l10n.t('Model calls in this run')}>
              {l10n.t('step {0}', run.iteration)}
            </span>
          )}
          {run.startedAt !== null && (
            <time>{elapsed(panel.store.clock.now() - run.startedAt)}</time>
          )}
        </>
      }
      buttons={
        <>
          {seconds > 0 && (
            <Button
              icon="refresh"
              onClick={() => panel.host.do('retryNow', { sessionId: id.value ?? '' })}
            >
              {l10n.t('Try Now')}
            </Button>
          )}
          {!waits && retry === null && !stopping && parent.value === null && (
            <IconButton
              icon="server-process"
              label={l10n.t('Continue in the background')}
              onClick={() => panel.host.do('toBackground', { sessionId: id.value ?? '' })}
            />
          )}
          <Stop disabled={stopping} onClick={() => panel.run.stop()} />
        </>
      }
      more={more}
    />
  );
}

function Stop(props: {
  readonly disabled?: boolean;
  readonly onClick: () => void;
}): ComponentChildren {
  return (
    <Button icon="debug-stop" keys={KEYS.stop} title={l10n.t('Stop this run')} {...props}>
      {l10n.t('Stop')}
    </Button>
  );
}

const secondsUntil = (panel: Panel, until: number): number =>
  Math.max(0, Math.ceil((until - panel.store.clock.now()) / 1000));

function retryWords(
  { reason, attempt, attempts }: NonNullable<RunView['retry']>,
  seconds: number,
): string {
  return seconds === 0
    ? l10n.t('Retry {0} of {1} now: {2}', attempt, attempts, reason)
    : l10n.t('Retry {0} of {1} in {2} s: {3}', attempt, attempts, seconds, reason);
}

/** The session is shown as the other window records it; when that window dies, the handoff is offered. */
function OtherWindowRow({ more }: RowProps): ComponentChildren {
  const words = l10n.t('At work in another window. You can watch it here.');
  return (
    <DockRow
      name={l10n.t('Current run')}
      class="run-status is-elsewhere"
      role="status"
      icon={<Icon name="eye" class="bead" />}
      label={words}
      title={words}
      more={more}
    />
  );
}

const BACKGROUND_WORDS = {
  leaving: l10n.t('Goes to the background…'),
  working: l10n.t('Runs in the background'),
  stopping: l10n.t('Stopping…'),
  returning: l10n.t('Comes back after this step…'),
} as const;

/** The run is in the background, or on its way there or back. */
function BackgroundRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const { id, detached, run } = panel.store.session;
  const state = detached.value;
  const sessionId = id.value;
  if (state === null || sessionId === null) return null;
  const isHere = run.value.phase !== 'idle';
  const isOn = state === 'working';
  const words = isHere
    ? l10n.t('Goes on in the background after this step, or when the window closes.')
    : BACKGROUND_WORDS[state];
  return (
    <DockRow
      name={l10n.t('Current run')}
      class="run-status is-background"
      role="status"
      icon={
        <Icon
          name={isOn ? 'server-process' : 'loading'}
          class={`bead${isOn ? '' : ' codicon-modifier-spin'}`}
        />
      }
      label={words}
      title={words}
      buttons={
        <>
          {(isHere || isOn) && (
            <Button
              icon="reply"
              title={l10n.t('The run goes on in this window')}
              onClick={() => panel.host.do('takeBack', { sessionId })}
            >
              {l10n.t('Take Back')}
            </Button>
          )}
          {(isHere || isOn || state === 'returning') && (
            <Stop
              onClick={() => (isHere ? panel.run.stop() : panel.host.do('stop', { sessionId }))}
            />
          )}
        </>
      }
      more={more}
    />
  );
}

/** A button that leads to the waiting card. */
function WaitingFor({ panel }: { readonly panel: Panel }): ComponentChildren {
  const { approvals, questions } = panel.store.session;
  const title = approvals.value[0]?.title ?? questions.value[0]?.question;
  if (title === undefined) return WORDS.waiting;
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        document.querySelector('[data-question]')?.scrollIntoView({ block: 'nearest' });
        panel.questions.focus.value += 1;
      }}
    >
      {l10n.t('Needs your input: {0}', title)}
    </button>
  );
}
