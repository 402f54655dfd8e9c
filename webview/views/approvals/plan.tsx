import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Mode } from '../../../src/domain/permissions/permission-mode.ts';
import { planIn } from '../../../src/domain/session/plan.ts';
import { modeFace } from '../../modes.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { useArmed } from './gate.ts';
import { Menu } from '../elements/menu.tsx';

/** Modes in which a plan can be carried out. */
const MODES: readonly Mode[] = ['ask', 'edit', 'auto'];

/** The way on from a plan: carry it out in a mode, change it, or leave it. */
export function Plan(): ComponentChildren {
  const panel = usePanel();
  const messageId = proposed(panel);
  const armed = useArmed(messageId ?? '');
  if (messageId === undefined) return null;
  const accept = (mode: Mode): void => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId !== null) panel.host.do('acceptPlan', { sessionId, messageId, mode });
  };
  return (
    <section class="plan-offer" aria-label={l10n.t('The plan')}>
      <p>{l10n.t('Shall Belay carry out this plan?')}</p>
      <div class="approval-buttons">
        <Button kind="primary" icon="check" disabled={!armed} onClick={() => accept('ask')}>
          {l10n.t('Accept in mode Ask')}
        </Button>
        <Menu
          label={l10n.t('Accept in another mode')}
          heading={l10n.t('Carry it out in mode')}
          items={MODES.map(modeFace).map(({ symbol, ...face }) => ({ ...face, icon: symbol }))}
          class="keep-more"
          disabled={!armed}
          onPick={accept}
        >
          <Icon name="chevron-down" />
        </Menu>
        <Button
          onClick={() => {
            panel.input.insert.value = { text: `${l10n.t('Change the plan:')} ` };
          }}
        >
          {l10n.t('Change')}
        </Button>
        <Button
          title={l10n.t('Leaves the plan, and goes on in mode Ask')}
          onClick={() =>
            panel.host.do('setMode', { sessionId: panel.store.session.id.peek(), mode: 'ask' })
          }
        >
          {l10n.t('Discard')}
        </Button>
      </div>
    </section>
  );
}

/** The message that is a plan nobody has decided about: the last one, in mode Plan, when nothing runs. */
function proposed(panel: Panel): string | undefined {
  const { session, transcript } = panel.store;
  if (session.options.value.mode !== 'plan' || session.run.value.phase !== 'idle') return undefined;
  const last = transcript.entries.value.at(-1);
  if (last === undefined) return undefined;
  const { role, open } = last.view.value;
  if (role !== 'assistant' || open) return undefined;
  const text = last.parts.value
    .map((part) => part.value)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('');
  return planIn(text) === undefined ? undefined : last.id;
}
