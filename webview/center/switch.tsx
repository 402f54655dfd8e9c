import type { ComponentChildren } from 'preact';

interface SwitchProps {
  readonly on: boolean;
  /** Its name for a screen reader. */
  readonly label: string;
  /** More words where the mouse rests. */
  readonly title?: string;
  /** The arrow keys go to it: it stands for its row. */
  readonly isRow?: boolean;
  readonly onSwitch: (on: boolean) => void;
}

/** A switch; the state is the host's, so it moves when that has changed. */
export function Switch({
  on,
  label,
  title,
  isRow = true,
  onSwitch,
}: SwitchProps): ComponentChildren {
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      data-stop={isRow ? true : undefined}
      checked={on}
      aria-label={label}
      title={title}
      onChange={(event) => {
        onSwitch(event.currentTarget.checked);
      }}
    />
  );
}
