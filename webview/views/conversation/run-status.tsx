import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { plural } from '../../../src/domain/text/language.ts';
import type { RunPhase, RunView } from '../../../src/protocol/view.ts';
import { useSeconds } from '../../now.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import { elapsed } from '../../texts/words.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { later } from '../elements/later.tsx';

const InBackground = later(async () => (await import('./in-background.tsx')).InBackground);

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

/** The run's activity, for how long, and the way to stop it (D12). */
export function RunStatus(): ComponentChildren {
  const panel = usePanel();
  const run = panel.store.session.run.value;
  const active = run.phase !== 'idle';
  useSeconds(active);
  const { detached, elsewhere, parent, id } = panel.store.session;
  const away = detached.value !== null;
  if (run.phase === 'idle') {
    if (!elsewhere.value) return null;
    return away ? <InBackground /> : <InAnotherWindow />;
  }
  const stopping = panel.run.stopping.value || run.phase === 'stopping';
  const phase = stopping ? 'stopping' : run.phase;
  const waits = phase === 'waiting';
  return (
    <>
      <div class={`run-status is-${phase}`} role="status" aria-live="off">
        {waits ? (
          <Icon name="shield" class="bead" />
        ) : (
          <Icon name="loading" class="bead codicon-modifier-spin" />
        )}
        <span class="phase">{waits ? <WaitingFor panel={panel} /> : WORDS[phase]}</span>
        <span class="facts">
          {run.iteration > 0 && !waits && (
            <span title={l10n.t('Model calls in this run')}>
              {l10n.t('step {0}', run.iteration)}
            </span>
          )}
          {run.startedAt !== null && (
            <time>{elapsed(panel.store.clock.now() - run.startedAt)}</time>
          )}
        </span>
        {!away && !waits && !stopping && parent.value === null && (
          <IconButton
            icon="server-process"
            label={l10n.t('Continue in the background')}
            onClick={() => panel.host.do('toBackground', { sessionId: id.value ?? '' })}
          />
        )}
        <Button
          icon="debug-stop"
          keys={KEYS.stop}
          disabled={stopping}
          title={l10n.t('Stop this run')}
          onClick={() => panel.run.stop()}
        >
          {l10n.t('Stop')}
        </Button>
      </div>
      {away && <InBackground />}
      {!stopping && <SubAgents panel={panel} />}
      {!stopping && <Retry run={run} panel={panel} />}
    </>
  );
}

/** How many sub-agents work, and a way to stop them without the run; each is stopped on its card. */
function SubAgents({ panel }: { readonly panel: Panel }): ComponentChildren {
  const children = panel.store.session.children.value;
  if (children.length === 0) return null;
  const stop = (): void => {
    for (const { sessionId } of children) panel.host.do('stop', { sessionId });
  };
  return (
    <div class="retry">
      <span>
        {plural(children.length, '{0} sub-agent is at work', '{0} sub-agents are at work')}
      </span>
      <Button icon="debug-stop" onClick={stop}>
        {l10n.t('Stop all sub-agents')}
      </Button>
    </div>
  );
}

/** The session is shown as the other window records it; when that window dies, the handoff is offered. */
function InAnotherWindow(): ComponentChildren {
  return (
    <div class="run-status is-elsewhere" role="status">
      <Icon name="eye" class="bead" />
      <span class="phase">{l10n.t('At work in another window. You can watch it here.')}</span>
    </div>
  );
}

function Retry({
  run,
  panel,
}: {
  readonly run: RunView;
  readonly panel: Panel;
}): ComponentChildren {
  if (run.retry === null || run.phase !== 'retrying') return null;
  const { reason, attempt, attempts, until } = run.retry;
  const left = Math.max(0, Math.ceil((until - panel.store.clock.now()) / 1000));
  const sessionId = panel.store.session.id.value;
  return (
    <div class="retry">
      <span>
        {left === 0
          ? l10n.t('{0} · try {1} of {2} now', reason, attempt, attempts)
          : l10n.t('{0} · try {1} of {2} in {3} s', reason, attempt, attempts, left)}
      </span>
      {left > 0 && sessionId !== null && (
        <Button icon="refresh" onClick={() => panel.host.do('retryNow', { sessionId })}>
          {l10n.t('Try Now')}
        </Button>
      )}
    </div>
  );
}

/** The words are a button that leads to what waits. */
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
      {l10n.t('Waiting for you: {0}', title)}
    </button>
  );
}
