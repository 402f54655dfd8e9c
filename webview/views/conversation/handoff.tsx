import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { HandoffCall, HandoffView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { since } from '../../texts/words.ts';
import { Button } from '../elements/button.tsx';
import { JournalFacts } from './journal-facts.tsx';
import { Icon } from '../elements/icon.tsx';
import { count } from '../../../src/domain/text/language.ts';

type Decision = 'happened' | 'run_again' | 'let_model_check';

const DECISIONS: readonly { readonly value: Decision; readonly label: string }[] = [
  { value: 'let_model_check', label: l10n.t('Let the model check') },
  { value: 'happened', label: l10n.t('It happened') },
  { value: 'run_again', label: l10n.t('Run it again') },
];

/** The remains of a run that was cut off: what is certain, what is not, and the ways on. */
export function Handoff({ handoff }: { readonly handoff: HandoffView }): ComponentChildren {
  const panel = usePanel();
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision>>>({});
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const { runId, finished, stopped, unknown, asked, draft } = handoff;
  const resume = async (): Promise<void> => {
    setBusy(true);
    const all = Object.fromEntries(
      unknown.map((call) => [call.callId, decisions[call.callId] ?? 'let_model_check']),
    );
    if ((await panel.host.ask('resume', { runId, decisions: all })) === undefined) setBusy(false);
  };
  const discard = async (): Promise<void> => {
    if (!sure) {
      setSure(true);
      return;
    }
    setBusy(true);
    if ((await panel.host.ask('discardRun', { runId })) === undefined) setBusy(false);
  };
  const when = since(handoff.startedAt, panel.store.clock.now());
  return (
    <section class="handoff" aria-label={l10n.t('Interrupted run')}>
      <h2>
        <Icon name="debug-disconnect" />
        {l10n.t('This run was interrupted')}
      </h2>
      <p class="quiet">
        {l10n.t(
          'Started {0}, {1}. Everything on record is kept; nothing runs twice by itself.',
          when,
          count(handoff.iteration, 'step'),
        )}
      </p>
      {finished.length > 0 && (
        <details>
          <summary>{l10n.t('{0} certainly done', count(finished.length, 'call'))}</summary>
          <Calls calls={finished} />
        </details>
      )}
      {stopped.length > 0 && (
        <details open>
          <summary>
            {l10n.t(
              '{0} stopped in the middle: a part may be done, and the model is told so',
              count(stopped.length, 'call'),
            )}
          </summary>
          <Calls calls={stopped} />
        </details>
      )}
      {unknown.length > 0 && <p>{l10n.t('Begun, but whether it took effect is not known:')}</p>}
      {unknown.map((call) => (
        <UnknownCall
          key={call.callId}
          call={call}
          decision={decisions[call.callId] ?? 'let_model_check'}
          onDecide={(decision) => setDecisions({ ...decisions, [call.callId]: decision })}
        />
      ))}
      {asked.length > 0 && (
        <details>
          <summary>{l10n.t('{0} asked for, not begun', count(asked.length, 'call'))}</summary>
          <Calls calls={asked} />
        </details>
      )}
      {draft !== '' && (
        <details>
          <summary>{l10n.t('Text that was being written')}</summary>
          <div class="request-text">{draft}</div>
        </details>
      )}
      <Cautions handoff={handoff} />
      <div class="handoff-buttons">
        <Button
          kind="primary"
          icon="debug-continue"
          disabled={busy || !handoff.resumable}
          onClick={() => void resume()}
        >
          {l10n.t('Resume')}
        </Button>
        <Button disabled={busy} onClick={() => void discard()}>
          {sure ? l10n.t('Really Discard') : l10n.t('Discard')}
        </Button>
      </div>
    </section>
  );
}

/** Cautions before it goes on. */
function Cautions({ handoff }: { readonly handoff: HandoffView }): ComponentChildren {
  return (
    <>
      <JournalFacts />
      {handoff.promptDrift && (
        <p class="caution">
          <Icon name="warning" />{' '}
          {l10n.t('The instructions or the tools have changed since. Resuming uses the new ones.')}
        </p>
      )}
      {handoff.reason !== '' && <p class="caution">{handoff.reason}</p>}
    </>
  );
}

interface UnknownProps {
  readonly call: HandoffCall;
  readonly decision: Decision;
  readonly onDecide: (decision: Decision) => void;
}

/** A call that may or may not have taken effect: only the person can say. */
function UnknownCall({ call, decision, onDecide }: UnknownProps): ComponentChildren {
  return (
    <fieldset class="unknown-call">
      <legend>
        <Icon name={call.icon} />
        <span class="tool-title">{call.title}</span>
      </legend>
      <pre class="detail" tabIndex={0}>
        {call.detail}
      </pre>
      <div class="decisions">
        {DECISIONS.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name={call.callId}
              checked={decision === value}
              onChange={() => onDecide(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Calls({ calls }: { readonly calls: readonly HandoffCall[] }): ComponentChildren {
  return (
    <ul class="calls">
      {calls.map((call) => (
        <li key={call.callId}>
          <Icon name={call.icon} />
          <span class="tool-title">{call.title}</span> <span class="subject">{call.subject}</span>
        </li>
      ))}
    </ul>
  );
}
