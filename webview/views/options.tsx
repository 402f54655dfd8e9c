import type { ComponentChildren } from 'preact';
import type { OptionsView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { amount } from '../words.ts';
import { Icon } from './icon.tsx';
import { Menu, type MenuItem } from './menu.tsx';

type Mode = OptionsView['mode'];
type Thinking = OptionsView['thinking'];

const MODES: readonly (MenuItem<Mode> & { readonly short: string; readonly symbol: string })[] = [
  {
    value: 'read',
    label: 'Read only',
    short: 'Read',
    symbol: 'eye',
    description: 'Reads and searches. Changes nothing.',
  },
  {
    value: 'plan',
    label: 'Plan first',
    short: 'Plan',
    symbol: 'checklist',
    description: 'Reads and searches, then proposes a plan.',
  },
  {
    value: 'ask',
    label: 'Ask first',
    short: 'Ask',
    symbol: 'shield',
    description: 'Asks before every edit and command.',
  },
  {
    value: 'edit',
    label: 'Edit freely',
    short: 'Edit',
    symbol: 'edit',
    description: 'Edits the workspace; asks before commands.',
  },
  {
    value: 'auto',
    label: 'By your rules',
    short: 'Auto',
    symbol: 'law',
    description: 'Edits; your rules decide about the rest, unknown things are asked.',
  },
];

const THINKING: readonly MenuItem<Thinking>[] = [
  { value: 'off', label: 'Off', description: 'Answers at once.' },
  { value: 'low', label: 'A little' },
  { value: 'medium', label: 'More' },
  { value: 'high', label: 'Most', description: 'Slower and dearer; for hard problems.' },
];

/** What the session runs with: permission mode, model, thinking. */
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
  const mode = MODES.find((one) => one.value === options.value.mode) ?? MODES[1];
  return (
    <span data-picker="mode">
      <Menu
        label={`What Belay may do without asking: ${mode?.label ?? ''}`}
        heading="Without asking, Belay may"
        items={MODES}
        selected={options.value.mode}
        class={`picker ${options.value.mode === 'auto' ? 'is-caution' : ''}`}
        onPick={(value) => panel.do('setMode', { sessionId: id.peek(), mode: value })}
      >
        <Icon name={mode?.symbol ?? 'shield'} />
        <span class="picker-label">{mode?.short}</span>
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
        onPick={(value) => panel.do('setModel', { sessionId: id.peek(), model: value })}
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
        onPick={(value) => panel.do('setThinking', { sessionId: id.peek(), thinking: value })}
      >
        <Icon name="lightbulb" />
        {level !== 'off' && <span class="picker-label wide-only">{level}</span>}
      </Menu>
    </span>
  );
}
