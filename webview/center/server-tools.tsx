import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { RuleEffect } from '../../src/domain/permissions/permission-rule.ts';
import type { ServerRow, ServerToolRow } from '../../src/protocol/center/view.ts';
import { amount } from '../texts/words.ts';
import { useCenter } from './center.ts';
import { hits } from './search.ts';
import { Switch } from './switch.tsx';
import { count } from '../../src/domain/text/language.ts';

/** Its tools that have all words in them; without words none in particular. */
export const fittingTools = (
  { tools, name }: ServerRow,
  words: readonly string[],
): readonly ServerToolRow[] =>
  words.length === 0
    ? []
    : tools.filter((tool) => hits(words, name, tool.name, tool.title, tool.description));

const APPROVALS: Readonly<Record<RuleEffect | 'mode', string>> = {
  mode: l10n.t('By mode'),
  ask: l10n.t('Always ask'),
  allow: l10n.t('Allow'),
  deny: l10n.t('Never'),
};

/** The tools of a server, each with its switch and its rule. */
export function ServerTools({ row }: { readonly row: ServerRow }): ComponentChildren {
  const center = useCenter();
  const fitting = fittingTools(row, center.words.value);
  const tools = fitting.length > 0 ? fitting : row.tools;
  if (tools.length === 0) return null;
  return (
    <section aria-label={l10n.t('Tools of {0}', row.name)}>
      <h3>{count(row.tools.length, 'tool')}</h3>
      <ul class="server-tools">
        {tools.map((tool) => (
          <Tool key={tool.name} tool={tool} />
        ))}
      </ul>
    </section>
  );
}

function Tool({ tool }: { readonly tool: ServerToolRow }): ComponentChildren {
  const center = useCenter();
  const { name, title, description, on, note, readOnly, approval, decidedBy, tokens } = tool;
  const mayChange = center.views.mcp.value?.mayChange === true;
  const said = [
    note,
    readOnly ? l10n.t('says that it only reads') : '',
    l10n.t('{0} tokens', amount(tokens)),
  ];
  const then = async (work: Promise<unknown>): Promise<void> => {
    await work;
    await center.read('mcp');
  };
  return (
    <li class="tool-line" data-row={`mcp ${name}`}>
      <Switch
        on={on}
        label={l10n.t('Offer {0}', title)}
        onSwitch={(next) =>
          void then(
            center.do(
              'switchTools',
              { tools: [name], on: next },
              next ? l10n.t('{0} on.', title) : l10n.t('{0} off.', title),
            ),
          )
        }
      />
      <div class="words">
        <span>
          <code>{title}</code> <span class="quiet">{said.filter(Boolean).join(' · ')}</span>
        </span>
        <span class="quiet">{description}</span>
        {decidedBy !== null && <span class="why">{l10n.t('Decided by: {0}', decidedBy)}</span>}
      </div>
      <select
        aria-label={l10n.t('Approval of {0}', title)}
        disabled={!mayChange}
        title={
          mayChange
            ? l10n.t('Allow is for the tool as it is now, in this workspace')
            : l10n.t('Rules are changed at the level owner, in a trusted workspace')
        }
        value={approval ?? 'mode'}
        onChange={(event) => {
          const chosen = event.currentTarget.value as RuleEffect | 'mode';
          const effect = chosen === 'mode' ? null : chosen;
          void then(
            center.do('approveTool', { tool: name, effect }, `${title}: ${APPROVALS[chosen]}.`),
          );
        }}
      >
        {Object.entries(APPROVALS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </li>
  );
}
