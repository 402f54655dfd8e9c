import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps {
  readonly icon: string;
  /** Title and name; with the key that does the same, if there is one. */
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly pressed?: boolean;
  /** -1: a list of which the keyboard has one place holds it. */
  readonly tabIndex?: -1;
}

/** A button that is an icon. */
export function IconButton({
  icon,
  label,
  onClick,
  disabled = false,
  class: extra,
  pressed,
  tabIndex,
}: IconButtonProps): ComponentChildren {
  return (
    <button
      type="button"
      class={extra === undefined ? 'icon-button' : `icon-button ${extra}`}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly kind?: 'primary' | 'secondary';
  readonly icon?: string;
  /** The key that does the same, shown on the button. */
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly title?: string;
  /** The button's answer to a question: `allow`, `deny`, `show`. */
  readonly answer?: string;
  /** Its name where the words alone do not tell which of several; begins with them. */
  readonly label?: string;
  /** The arrow keys stop here. */
  readonly stop?: boolean;
}

/** A button with words. */
export function Button({
  children,
  onClick,
  kind = 'secondary',
  icon,
  keys,
  disabled = false,
  title,
  answer,
  label,
  stop,
}: ButtonProps): ComponentChildren {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      disabled={disabled}
      title={title}
      data-answer={answer}
      aria-label={label}
      data-stop={stop}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </button>
  );
}
