import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../panel.ts';
import { countsOf, namesOf } from '../series.ts';
import { Icon } from '../views/elements/icon.tsx';

/** Many calls in a row as one line, which unfolds. */
export function SeriesLine({ id }: { readonly id: string }): ComponentChildren {
  const panel = usePanel();
  const { conversation } = panel;
  const words = useComputed(() => {
    const series = conversation.series.value.get(id);
    return series === undefined ? ['', ''] : [countsOf(series), namesOf(series)];
  });
  const unfolded = conversation.isOpen(id);
  const [counts, names] = words.value;
  return (
    <div class="tool series">
      <button
        type="button"
        class="tool-line"
        aria-expanded={unfolded}
        onClick={() => conversation.fold(`series/${id}`, !unfolded)}
      >
        <Icon name="layers" class="bead" />
        <span class="tool-title">{counts}</span>
        <span class="subject">{names}</span>
        <Icon name={unfolded ? 'chevron-up' : 'chevron-down'} class="tool-fold" />
      </button>
    </div>
  );
}
