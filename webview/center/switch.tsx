import type { ComponentChildren } from 'preact';

interface SwitchProps {
  readonly on: boolean;
  /** Its name for a screen reader. */
  readonly label: string;
  readonly onSwitch: (on: boolean) => void;
}

/** A switch; the state is the host's, so it moves when that has changed. */
export function Switch({ on, label, onSwitch }: SwitchProps): ComponentChildren {
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      data-stop
      checked={on}
      aria-label={label}
      onChange={(event) => {
        onSwitch(event.currentTarget.checked);
      }}
    />
  );
}
