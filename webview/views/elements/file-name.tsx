import type { ComponentChildren } from 'preact';

/** Characters of a name that is shown as one piece, and of the end that is kept of a longer one. */
const SHORT = 14;
const END = 10;

/** The name of a file. Where there is no room for it, its middle goes: beginning and end tell files apart. */
export function FileName({
  name,
  class: own,
}: {
  readonly name: string;
  readonly class: string;
}): ComponentChildren {
  if (name.length <= SHORT) return <span class={own}>{name}</span>;
  const at = name.length - END;
  return (
    <span class={`${own} file-name`}>
      <span>{name.slice(0, at)}</span>
      <span>{name.slice(at)}</span>
    </span>
  );
}
