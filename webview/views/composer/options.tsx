import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { NO_PERSONA } from '../../../src/domain/persona.ts';
import type { OptionsView } from '../../../src/protocol/view.ts';
import { MODE_FACES, modeFace } from '../../modes.ts';
import { usePanel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import { Icon } from '../elements/icon.tsx';
import { Menu, type MenuItem } from '../elements/menu.tsx';
import { ModelPicker } from '../models/model-picker.tsx';

type Thinking = OptionsView['thinking'];

const THINKING: readonly MenuItem<Thinking>[] = [
  { value: 'off', label: l10n.t('Off'), description: l10n.t('Answers at once.') },
  { value: 'low', label: l10n.t('A little') },
  { value: 'medium', label: l10n.t('More') },
  {
    value: 'high',
    label: l10n.t('Most'),
    description: l10n.t('Slower and dearer; for hard problems.'),
  },
];

/** The session's permission mode, model and thinking. */
export function Options(): ComponentChildren {
  return (
    <>
      <ModePicker />
      <PersonaPicker />
      <ModelPicker />
      <ThinkingPicker />
    </>
  );
}

function ModePicker(): ComponentChildren {
  const panel = usePanel();
  const { id, options } = panel.store.session;
  const mode = modeFace(panel.modeKey.wanted.value ?? options.value.mode);
  return (
    <span data-picker="mode">
      <Menu
        label={l10n.t('Mode: {0}. What Belay may do without asking ({1})', mode.label, KEYS.mode)}
        heading={l10n.t('Without asking, Belay may')}
        items={MODE_FACES}
        selected={options.value.mode}
        class="picker"
        onPick={(value) => panel.host.do('setMode', { sessionId: id.peek(), mode: value })}
      >
        <Icon name={mode.symbol} />
        <span class="picker-label">{mode.label}</span>
        <Icon name="chevron-down" />
      </Menu>
    </span>
  );
}

/** The persona in force; a click chooses another one. Nothing where there is none to choose. */
function PersonaPicker(): ComponentChildren {
  const panel = usePanel();
  const { persona = '' } = panel.store.session.options.value;
  const name = persona === NO_PERSONA ? '' : persona;
  if (name === '' && (panel.store.app.value.personas ?? 0) === 0) return null;
  const label = name === '' ? l10n.t('No persona') : l10n.t('Persona: {0}', name);
  return (
    <span data-picker="persona">
      <button
        type="button"
        class={`picker ${name === '' ? 'is-off' : ''}`}
        aria-label={l10n.t('{0}. Choose another', label)}
        title={l10n.t('{0}. Choose another', label)}
        onClick={() => panel.host.do('runCommand', { command: 'choosePersona' })}
      >
        <Icon name="person" />
        {name !== '' && <span class="picker-label">{name}</span>}
      </button>
    </span>
  );
}

function ThinkingPicker(): ComponentChildren {
  const panel = usePanel();
  const { models, session } = panel.store;
  const { id, options } = session;
  const chosen = models.value.find((model) => model.id === options.value.model);
  if (chosen?.thinking !== true) return null;
  const level = options.value.thinking;
  return (
    <span data-picker="thinking">
      <Menu
        label={l10n.t('Thinking: {0}', level)}
        heading={l10n.t('Thinking before the answer')}
        items={THINKING}
        selected={level}
        class={`picker ${level === 'off' ? 'is-off' : ''}`}
        onPick={(value) => panel.host.do('setThinking', { sessionId: id.peek(), thinking: value })}
      >
        <Icon name="lightbulb" />
        {level !== 'off' && <span class="picker-label wide-only">{level}</span>}
      </Menu>
    </span>
  );
}
