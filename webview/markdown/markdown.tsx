import { useSignal } from '@preact/signals';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { makeVisible } from '../../src/domain/text/honest-text.ts';
import { block } from './block.tsx';
import { CodeBlock } from './code/code-block.tsx';
import { IncrementalMarkdown, type Block } from './incremental.ts';
import type { MarkdownContext } from './inline.tsx';
import type { MarkdownToken } from './syntax.ts';

interface MarkdownProps {
  readonly text: string;
  /** It is still being written. */
  readonly open: boolean;
  readonly context: MarkdownContext;
}

/** A text in markdown. While it grows, only its open end is rendered again. */
export function Markdown({ text, open, context }: MarkdownProps): ComponentChildren {
  const parser = useRef<IncrementalMarkdown>(null);
  parser.current ??= new IncrementalMarkdown();
  const [, step] = useState(0);
  // Invisible characters are shown, here as in every question: the same text for the model and the person.
  const visible = useMemo(() => makeVisible(text.replaceAll('\r\n', '\n')), [text]);
  const parsed = parser.current.update(visible, !open);
  const { groups, tail, code, behind } = parsed;
  const notes = useSignal<ReadonlySet<string>>(new Set());
  const own = useMemo(() => ({ ...context, notes }), [context]);
  const growing = useMemo(() => ({ ...own, growing: true }), [own]);
  useEffect(() => {
    if (!behind) return undefined;
    const frame = requestAnimationFrame(() => step((count) => count + 1));
    return () => cancelAnimationFrame(frame);
  });
  return (
    <div class="markdown">
      {groups.map((group, index) => (
        <Group key={index} blocks={group} context={own} />
      ))}
      {tail.length > 0 && <Tail tokens={tail} context={growing} />}
      {code !== null && <CodeBlock language={code.language} text={code.text} open />}
    </div>
  );
}

interface GroupProps {
  readonly blocks: readonly Block[];
  readonly context: MarkdownContext;
}

/** Finished blocks; rendered again only when they are others. */
class Group extends Component<GroupProps> {
  override shouldComponentUpdate(next: GroupProps): boolean {
    return next.blocks !== this.props.blocks || next.context !== this.props.context;
  }

  override render(): ComponentChildren {
    const { blocks, context } = this.props;
    return <div class="group">{blocks.map(({ key, token }) => block(token, key, context))}</div>;
  }
}

function Tail({
  tokens,
  context,
}: {
  readonly tokens: readonly MarkdownToken[];
  readonly context: MarkdownContext;
}): ComponentChildren {
  return <div class="group">{tokens.map((token, index) => block(token, index, context))}</div>;
}
