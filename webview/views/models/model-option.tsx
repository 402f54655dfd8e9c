import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { shortPrices } from '../../../src/domain/text/price-words.ts';
import type { ModelRow } from '../../../src/protocol/snapshot.ts';
import { amount } from '../../texts/words.ts';
import { Icon } from '../elements/icon.tsx';

interface OptionProps {
  readonly id: string;
  readonly row: ModelRow;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPick: () => void;
  readonly onFavor: () => void;
}

/** One model in the list: its marks, its facts, and the star. */
export function ModelOption(props: OptionProps): ComponentChildren {
  const { id, row, isActive, isChosen, onPick, onFavor } = props;
  return (
    <div
      id={id}
      class={`item ${isActive ? 'is-active' : ''}`}
      role="option"
      data-model={row.id}
      aria-selected={isChosen}
      title={[row.name, ...factsOf(row), ...abilitiesOf(row)].join(' · ')}
      onClick={onPick}
    >
      <Icon name={isChosen ? 'check' : 'blank'} />
      <span class="words">
        <span class="label">{row.name}</span>
        <span class="description">{factsOf(row).join(' · ')}</span>
      </span>
      {/* For the pointer: an option holds no button, and the keyboard has Shift+Enter. */}
      <span
        class={`icon-button star ${row.favorite ? 'is-on' : ''}`}
        title={row.favorite ? l10n.t('No favorite any more') : l10n.t('Make it a favorite')}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onFavor();
        }}
      >
        <Icon name={row.favorite ? 'star-full' : 'star-empty'} />
      </span>
    </div>
  );
}

const isDemo = ({ source }: ModelRow): boolean => source.kind === 'demo';

const marksOf = (row: ModelRow): readonly string[] => [
  ...(row.local || isDemo(row) ? [l10n.t('local')] : []),
  ...(row.price !== '' && shortPrices(row.price).length === 0 && !isDemo(row)
    ? [l10n.t('free')]
    : []),
];

function factsOf(row: ModelRow): readonly string[] {
  if (isDemo(row)) return marksOf(row);
  return [
    ...marksOf(row),
    ...(row.ready ? shortPrices(row.price) : [l10n.t('needs a key')]),
    amount(row.contextWindow),
  ];
}

/** The words of the tooltip. */
const abilitiesOf = (row: ModelRow): readonly string[] => [
  ...(isDemo(row) ? [l10n.t('Built in, offline, needs no key')] : []),
  ...(shortPrices(row.price).length === 0 ? [] : [row.price]),
  ...(row.vision ? [l10n.t('images')] : []),
  ...(row.thinking ? [l10n.t('thinking')] : []),
];
