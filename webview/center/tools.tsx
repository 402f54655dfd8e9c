import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ToolLine, ToolsView } from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { Switch } from './switch.tsx';
import { count } from '../../src/domain/text/language.ts';

type Module = ToolsView['modules'][number];

const fitting = (center: Center, { name, tools }: Module): readonly ToolLine[] =>
  tools.filter((tool) =>
    hits(center.words.value, l10n.t('Tools'), name, tool.name, tool.description),
  );

/** The tools that the search leaves; `null`: not read yet. */
export function shownTools(center: Center): readonly ToolLine[] | null {
  const view = center.views.tools.value;
  return view === null ? null : view.modules.flatMap((module) => fitting(center, module));
}

/** The tools that the model is offered, by module, each with its switch. */
export function Tools(): ComponentChildren {
  const center = useCenter();
  const modules = center.views.tools.value?.modules ?? [];
  return (
    <>
      <p class="quiet">
        {l10n.t(
          'What is on is offered to the model, from the next run on. Tools of MCP servers stand with their servers.',
        )}
      </p>
      {modules.map((module) => (
        <ToolModule key={module.name} module={module} tools={fitting(center, module)} />
      ))}
    </>
  );
}

function ToolModule({
  module,
  tools,
}: {
  readonly module: Module;
  readonly tools: readonly ToolLine[];
}): ComponentChildren {
  const center = useCenter();
  if (tools.length === 0) return null;
  const off = tools.filter(({ on }) => !on);
  const change = (names: readonly string[], on: boolean): void => {
    const [only = ''] = names;
    const which = names.length === 1 ? only : count(names.length, 'tool');
    const said = on ? l10n.t('{0} on.', which) : l10n.t('{0} off.', which);
    void center
      .do('switchTools', { tools: [...names], on }, said)
      .then(async () => center.read('tools'));
  };
  return (
    <section class="tool-module" aria-label={module.name}>
      <div class="module-head">
        <h3>{module.name}</h3>
        <span class="quiet">
          {l10n.t('{0} of {1} on', tools.length - off.length, tools.length)}
        </span>
        <span class="spring" />
        {off.length > 0 && (
          <Button
            onClick={() =>
              change(
                off.map(({ name }) => name),
                true,
              )
            }
          >
            {l10n.t('All On')}
          </Button>
        )}
      </div>
      <ul>
        {tools.map(({ name, description, on, note }) => (
          <li class="tool-line" key={name} data-row={`tools ${name}`}>
            <Switch
              on={on}
              label={l10n.t('Offer {0}', name)}
              onSwitch={(next) => change([name], next)}
            />
            <div class="words">
              <span>
                <code>{name}</code> {note !== '' && <span class="quiet">{note}</span>}
              </span>
              <span class="quiet">{description}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
