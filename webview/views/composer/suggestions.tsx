import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Choice, CompletionList } from './completing.ts';
import { Icon } from '../elements/icon.tsx';

interface SuggestionsProps {
  readonly list: CompletionList;
  readonly onPick: (row: Choice) => void;
}

/** Names of options, so that the input can point at the chosen one. */
export const optionId = (index: number): string => `suggestion-${index}`;

/** Rows that fit what is being typed; walked through from the input. */
export function Suggestions({ list, onPick }: SuggestionsProps): ComponentChildren {
  const box = useRef<HTMLDivElement>(null);
  const { rows, chosen, typed } = list;
  useEffect(() => {
    box.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, rows]);
  return (
    <div
      ref={box}
      class="suggestions"
      role="listbox"
      // It scrolls; Tab in the input chooses a row, and never comes here.
      tabIndex={0}
      id="suggestions"
      // The focus stays in the input, also while it is scrolled with the mouse.
      onMouseDown={(event) => event.preventDefault()}
      aria-label={typed.trigger === '/' ? l10n.t('Commands') : l10n.t('Things to mention')}
    >
      {rows.map((row, index) => (
        <div
          key={`${row.label} ${row.detail}`}
          id={optionId(index)}
          class={index === chosen ? 'suggestion is-chosen' : 'suggestion'}
          role="option"
          aria-selected={index === chosen}
          aria-disabled={row.does.kind === 'hint'}
          title={row.detail}
          onMouseDown={() => onPick(row)}
        >
          <Icon name={row.icon} />
          <span class="label">{row.label}</span>
          <span class="quiet">{row.detail}</span>
        </div>
      ))}
    </div>
  );
}
