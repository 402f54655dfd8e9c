import type { ComponentChildren } from 'preact';
import { Markdown } from '../markdown/markdown.tsx';
import { usePanel } from '../panel.ts';

/** Text of the model. */
export function TextPart({
  text,
  open,
}: {
  readonly text: string;
  readonly open: boolean;
}): ComponentChildren {
  const { markdown } = usePanel();
  if (text === '') return null;
  return <Markdown text={text} open={open} context={markdown} />;
}
