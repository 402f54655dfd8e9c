import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CodeBlockProps } from './code-block-props.ts';
import { CodeActions } from './code-actions.tsx';
import { FinishedCode } from './finished-code.tsx';
import { later } from '../../views/elements/later.tsx';
import { numeral } from '../../../src/domain/text/language.ts';

/** Lines of one piece of a code block that is being written: finished pieces are left alone. */
const PIECE = 60;

/** Characters of code that are shown at once: the browser lays out as many in 30 ms. */
const SHOWN = 100_000;

const Diagram = later(
  async () => (await import('../../diagram/diagram-block.tsx')).DiagramBlock,
  PlainBlock,
);

/** A code block with its language and what can be done with it; a diagram is drawn once it is complete. */
export function CodeBlock(props: CodeBlockProps): ComponentChildren {
  const { language, open } = props;
  return !open && /^mermaid\b/iu.test(language) ? (
    <Diagram {...props} />
  ) : (
    <PlainBlock {...props} />
  );
}

function PlainBlock({ language, text, open }: CodeBlockProps): ComponentChildren {
  const [most, setMost] = useState(SHOWN);
  const shown = text.length > most ? text.slice(0, most) : text;
  const name = /^[^\s{,:]*/u.exec(language)?.[0] ?? '';
  return (
    <figure class="code">
      <figcaption>
        <span class="language">{name === '' ? 'text' : name}</span>
        <CodeActions text={text} info={language} language={name.toLowerCase()} open={open} />
      </figcaption>
      <pre tabIndex={0}>
        {open ? (
          <GrowingCode text={shown} />
        ) : (
          <FinishedCode text={shown} language={name.toLowerCase()} />
        )}
      </pre>
      {shown.length < text.length && (
        <button type="button" class="rest" onClick={() => setMost(most + SHOWN)}>
          {l10n.t(
            'Show more: {0} of {1} characters are shown',
            thousands(shown.length),
            thousands(text.length),
          )}
        </button>
      )}
    </figure>
  );
}

function thousands(count: number): string {
  return numeral(count);
}

function GrowingCode({ text }: { readonly text: string }): ComponentChildren {
  return (
    <code>
      {pieces(text).map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </code>
  );
}

class Piece extends Component<{ readonly text: string }> {
  override shouldComponentUpdate(next: { readonly text: string }): boolean {
    return next.text !== this.props.text;
  }

  override render(): ComponentChildren {
    return <span>{this.props.text}</span>;
  }
}

/** Cuts after every `PIECE` lines, so that only the last piece changes while text is appended. */
function pieces(text: string): string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  for (let from = 0; from < lines.length; from += PIECE) {
    const piece = lines.slice(from, from + PIECE).join('\n');
    found.push(from + PIECE < lines.length ? `${piece}\n` : piece);
  }
  return found;
}
