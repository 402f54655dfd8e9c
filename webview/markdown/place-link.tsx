import type { ComponentChildren } from 'preact';

/** A link to a place in the same answer: a note, or its mark. */
export function PlaceLink({
  to,
  label,
  mark,
  children,
}: {
  /** A selector within the answer. */
  readonly to: string;
  readonly label: string;
  /** It is the mark of this note. */
  readonly mark?: string;
  readonly children: ComponentChildren;
}): ComponentChildren {
  const go = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLElement)) return;
    const place = currentTarget.closest('.markdown')?.querySelector<HTMLElement>(to);
    place?.scrollIntoView({ block: 'nearest' });
    place?.focus();
  };
  return (
    <a
      role="link"
      tabIndex={0}
      aria-label={label}
      data-mark={mark}
      onClick={go}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go(event);
      }}
    >
      {children}
    </a>
  );
}
