import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { MeterView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { amount, money, tokens } from '../../texts/words.ts';
import { Button } from '../elements/button.tsx';
import { WindowSharesList } from './window-shares.tsx';

/** The share from which the meter warns: compaction is near (D2). */
const WARN = 0.8;
const AROUND = 2 * Math.PI * 6;

/** The context window as a ring, tokens and cost; the details on a click. */
export function Meter(): ComponentChildren {
  const panel = usePanel();
  const id = useId();
  const { session } = panel.store;
  const [isOpen, setOpen] = useState(false);
  const sessionId = session.id.value;
  const meter = session.meter.value;
  const share = shareOf(meter);
  const used = meter.inputTokens + meter.outputTokens > 0;
  if (share === null && !used) return null;
  const percent = share === null ? null : Math.round(share * 100);
  const label =
    percent === null ? l10n.t('Tokens and cost') : l10n.t('Context window {0} % full', percent);
  return (
    <div class="menu">
      <button
        type="button"
        class={`menu-button meter ${(share ?? 0) >= WARN ? 'is-full' : ''}`}
        title={label}
        aria-label={`${label}, ${money(meter.cost)}`}
        popovertarget={id}
      >
        {share !== null && (
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <circle class="track" cx="8" cy="8" r="6" />
            <circle
              class="fill"
              cx="8"
              cy="8"
              r="6"
              stroke-dasharray={`${Math.min(1, share) * AROUND} ${AROUND}`}
              transform="rotate(-90 8 8)"
            />
          </svg>
        )}
        {percent !== null && <span class="percent">{`${percent}%`}</span>}
        {used && <span class="cost">{cost(meter)}</span>}
      </button>
      <div
        id={id}
        class="menu-list meter-details"
        popover="auto"
        role="dialog"
        aria-label={l10n.t('Tokens and cost')}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        <div class="menu-heading">{l10n.t('This session')}</div>
        <Figures meter={meter} />
        {sessionId !== null && (
          <WindowSharesList
            sessionId={sessionId}
            isOpen={isOpen}
            limit={meter.contextLimit}
            used={meter.contextTokens}
          />
        )}
        {sessionId !== null && (
          <Button
            icon="fold"
            disabled={session.run.value.phase !== 'idle'}
            onClick={() => compact(panel)}
          >
            {l10n.t('Compact Now')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Figures of the session: tokens and cost. */
function Figures({ meter }: { readonly meter: MeterView }): ComponentChildren {
  return (
    <dl>
      <dt>{l10n.t('Context')}</dt>
      <dd>
        {meter.contextLimit === null
          ? tokens(meter.contextTokens ?? 0)
          : l10n.t(
              '{0} of {1} tokens',
              amount(meter.contextTokens ?? 0),
              amount(meter.contextLimit),
            )}
      </dd>
      <dt>{l10n.t('Input')}</dt>
      <dd>{tokens(meter.inputTokens)}</dd>
      {meter.cacheReadTokens > 0 && (
        <>
          <dt>{l10n.t('From cache')}</dt>
          <dd>{tokens(meter.cacheReadTokens)}</dd>
        </>
      )}
      <dt>{l10n.t('Output')}</dt>
      <dd>{tokens(meter.outputTokens)}</dd>
      <dt>{l10n.t('Cost')}</dt>
      <dd>
        {meter.costUnknown
          ? l10n.t('{0} and what has no known price', money(meter.cost))
          : money(meter.cost)}
      </dd>
    </dl>
  );
}

function compact(panel: ReturnType<typeof usePanel>): void {
  const sessionId = panel.store.session.id.peek();
  if (sessionId !== null) panel.host.do('compact', { sessionId });
}

function shareOf({ contextTokens, contextLimit }: MeterView): number | null {
  if (contextTokens === null || contextTokens === 0 || contextLimit === null || contextLimit === 0)
    return null;
  return contextTokens / contextLimit;
}

function cost(meter: MeterView): string {
  return meter.costUnknown ? `${money(meter.cost)}+` : money(meter.cost);
}
