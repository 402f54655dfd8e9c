import type { ComponentChildren } from 'preact';

interface IconProps {
  /** Name of a codicon. */
  readonly name: string;
  readonly class?: string;
  /** Said by screen readers; without it the icon is decoration. */
  readonly label?: string;
}

export function Icon({ name, class: extra, label }: IconProps): ComponentChildren {
  const classes = `codicon codicon-${name}${extra === undefined ? '' : ` ${extra}`}`;
  return label === undefined ? (
    <span class={classes} aria-hidden="true" />
  ) : (
    <span class={classes} role="img" aria-label={label} title={label} />
  );
}

/** The mark of Belay: a carabiner. */
export function Carabiner({ class: extra }: { readonly class?: string }): ComponentChildren {
  return (
    <svg class={extra} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <g transform="rotate(18 12 12)">
        <path d="M17.9 8.1A5.9 5.9 0 0 0 12 2.2a5.9 5.9 0 0 0-5.9 5.9c0 1.1.3 2 .6 3l1.5 5.8a3.9 3.9 0 0 0 7.7-.2l1.5-6" />
        <path class="gate" d="M16.7 13.3l-.7 2.7" />
      </g>
    </svg>
  );
}
