import { type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { colourWhenSeen } from './colour.ts';
import type { Highlighted } from './highlight.ts';

/** Code that is complete: highlighted when it comes near the visible part. */
export function FinishedCode({
  text,
  language,
}: {
  readonly text: string;
  readonly language: string;
}): ComponentChildren {
  const element = useRef<HTMLElement>(null);
  const [coloured, setColoured] = useState<readonly Highlighted[]>();
  useEffect(() => {
    setColoured(undefined);
    const { current } = element;
    if (current === null) return undefined;
    return colourWhenSeen(current, { text, language, done: setColoured });
  }, [text, language]);
  return (
    <code ref={element} class={language === 'diff' ? 'language-diff' : undefined}>
      {coloured === undefined ? text : runs(coloured)}
    </code>
  );
}

function runs(nodes: readonly Highlighted[]): ComponentChildren {
  return nodes.map((node, index) =>
    'text' in node ? (
      node.text
    ) : (
      <span key={index} class={node.className}>
        {runs(node.children)}
      </span>
    ),
  );
}
