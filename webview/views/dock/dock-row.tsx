import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { Icon } from '../elements/icon.tsx';

export interface RowProps {
  /** The button that shows the other rows; only one row has it. */
  readonly more: ComponentChildren;
}

export interface Fold {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

interface DockRowProps extends RowProps {
  /** Names the row for a screen reader. */
  readonly name: string;
  readonly class?: string;
  /** For a row whose words change by themselves. */
  readonly role?: 'status';
  /** Absent: the row has nothing to unfold. */
  readonly fold?: Fold;
  /** Stands where a row that unfolds has its chevron. */
  readonly icon?: ComponentChildren;
  readonly label: ComponentChildren;
  /** Grey words after the label, cut to the room that is left. */
  readonly preview?: ComponentChildren;
  readonly title?: string;
  readonly buttons?: ComponentChildren;
  /** The unfolded content. */
  readonly children?: ComponentChildren;
}

/** One line of the dock: words, buttons, and the content that it unfolds into. */
export function DockRow(props: DockRowProps): ComponentChildren {
  const { name, role, fold, icon, label, preview, title, buttons, more, children } = props;
  const words = (
    <>
      {fold === undefined ? icon : <Icon name={fold.isOpen ? 'chevron-down' : 'chevron-right'} />}
      <span class="dock-name">{label}</span>
      {preview !== undefined && <span class="dock-preview">{preview}</span>}
    </>
  );
  return (
    <section
      // The first class tells kinds of rows apart: the focus does not go from one kind to another.
      class={`${props.class ?? 'plain'} dock-row`}
      aria-label={name}
      role={role}
      aria-live={role === undefined ? undefined : 'off'}
    >
      <div class="dock-head">
        {fold === undefined ? (
          <span class="dock-label" title={title}>
            {words}
          </span>
        ) : (
          <button
            type="button"
            class="dock-label"
            aria-expanded={fold.isOpen}
            title={title}
            onClick={fold.onToggle}
          >
            {words}
          </button>
        )}
        {buttons}
        {more}
      </div>
      {children}
    </section>
  );
}

/** Reads and changes whether a row is unfolded. */
export function useFold(key: string): Fold {
  const { dock } = usePanel();
  return { isOpen: dock.open.value === key, onToggle: () => dock.toggle(key) };
}
