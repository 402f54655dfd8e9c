import type { ComponentChildren } from 'preact';
import type { OptionsView } from '../../../src/protocol/view.ts';
import { MODE_FACES, modeFace } from '../../modes.ts';
import { usePanel } from '../../panel.ts';
import { KEYS } from '../../platform.ts';
import { amount } from '../../words.ts';
import { Icon } from '../elements/icon.tsx';
import { Menu, type MenuItem } from '../elements/menu.tsx';

type Thinking = OptionsView['thinking'];

const THINKING: readonly MenuItem<Thinking>[] = [
  { value: 'off', label: 'Off', description: 'Answers at once.' },
  { value: 'low', label: 'A little' },
  { value: 'medium', label: 'More' },
  { value: 'high', label: 'Most', description: 'Slower and dearer; for hard problems.' },
];

/** The session's permission mode, model and thinking. */
export function Options(): ComponentChildren {
  return (
    <>
      <ModePicker />
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
        label={`Mode: ${mode.label}. What Belay may do without asking (${KEYS.mode})`}
        heading="Without asking, Belay may"
        items={MODE_FACES}
        selected={options.value.mode}
        class={`picker ${mode.value === 'auto' ? 'is-caution' : ''}`}
        onPick={(value) => panel.host.do('setMode', { sessionId: id.peek(), mode: value })}
      >
        <Icon name={mode.symbol} />
        <span class="picker-label">{mode.label}</span>
      </Menu>
    </span>
  );
}

function ModelPicker(): ComponentChildren {
  const panel = usePanel();
  const { models, app, session } = panel.store;
  const { id, options } = session;
  const chosen = models.value.find((model) => model.id === options.value.model);
  const items = models.value.map((model): MenuItem<string> => {
    const facts = [`${amount(model.contextWindow)} tokens`, model.price].filter(
      (fact) => fact !== '',
    );
    if (!model.demo && !app.value.hasKey) facts.push('needs a key');
    return {
      value: model.id,
      label: model.name,
      description: model.demo ? 'Built in, offline, needs no key' : facts.join(' · '),
    };
  });
  const name =
    chosen?.name ?? (options.value.model === '' ? 'Choose a model' : options.value.model);
  return (
    <span data-picker="model" class="shrinks">
      <Menu
        label={`Model: ${name}`}
        heading="Model"
        items={items}
        selected={options.value.model}
        class="picker"
        onPick={(value) => panel.host.do('setModel', { sessionId: id.peek(), model: value })}
      >
        <span class="picker-label">{name}</span>
        <Icon name="chevron-down" />
      </Menu>
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
        label={`Thinking: ${level}`}
        heading="Thinking before the answer"
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
