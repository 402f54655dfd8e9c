import type { ComponentChildren } from 'preact';
import { usePanel } from '../panel.ts';
import { Button } from './button.tsx';
import { Carabiner, Icon } from './icon.tsx';

interface Example {
  readonly icon: string;
  readonly text: string;
}

const EXAMPLES: readonly Example[] = [
  { icon: 'compass', text: 'Explain how this workspace is built' },
  { icon: 'beaker', text: 'Run the tests and fix what fails' },
  { icon: 'bug', text: 'Find where errors are swallowed, and propose a fix' },
  { icon: 'book', text: 'Write a README for this project' },
];

/** What the demo model understands. */
const DEMO_EXAMPLES: readonly Example[] = [
  { icon: 'rocket', text: 'guided tour' },
  { icon: 'compass', text: 'explain this workspace' },
  { icon: 'search', text: 'find TODO' },
  { icon: 'terminal', text: 'run npm test' },
];

/** The first minute: what Belay is, and the ways to begin. */
export function EmptyState(): ComponentChildren {
  const panel = usePanel();
  const { app, models, session } = panel.store;
  const chosen = models.value.find((model) => model.id === session.options.value.model);
  const demo = chosen?.demo === true;
  const ready = app.value.hasKey || demo;
  return (
    <div class="empty">
      <Carabiner class="mark" />
      <h2>Belay</h2>
      <p>
        A coding agent that holds the rope: you review every edit, every run can be stopped and
        resumed, and nothing is lost.
      </p>
      {!app.value.hasKey && (
        <div class="begin">
          <Button kind="primary" icon="key" onClick={() => panel.do('setApiKey', {})}>
            Set API Key
          </Button>
          {!demo && (
            <Button icon="play" onClick={() => panel.do('tryDemo', {})}>
              Try the Demo
            </Button>
          )}
        </div>
      )}
      {demo && (
        <p class="quiet">
          The demo model is built in and works offline: it follows a few fixed requests with the
          real tools.
        </p>
      )}
      {!ready && <p class="quiet">The demo needs no key and no network.</p>}
      {ready && (
        <ul class="examples" aria-label="Examples">
          {(demo ? DEMO_EXAMPLES : EXAMPLES).map(({ icon, text }) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => {
                  panel.insert.value = { text };
                }}
              >
                <Icon name={icon} />
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
