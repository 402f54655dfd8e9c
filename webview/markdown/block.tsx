import * as l10n from '@vscode/l10n';
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PlaceLink } from './place-link.tsx';
import { CodeBlock } from './code/code-block.tsx';
import { decodeEntities } from './entities.ts';
import { FormulaView } from './formula.tsx';
import { inlines, paragraph, type MarkdownContext } from './inline.tsx';
import type { Heading } from './heading-levels.ts';
import type { Details, Footnote, MarkdownToken } from './syntax.ts';

/** A block as nodes. */
export function block(
  token: MarkdownToken,
  key: number,
  context: MarkdownContext,
): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {paragraph(token.tokens, context)}
        </p>
      );
    case 'heading':
      return heading(token, key, context);
    case 'code':
      return <CodeBlock key={key} language={token.lang ?? ''} text={token.text} open={false} />;
    case 'list':
      return list(token, key, context);
    case 'blockquote':
      return (
        <blockquote key={key} dir="auto">
          {blocks(token.tokens, context)}
        </blockquote>
      );
    case 'table':
      return table(token, key, context);
    case 'hr':
      return <hr key={key} />;
    case 'text':
      return (
        <span key={key} dir="auto">
          {token.tokens === undefined ? plain(token) : paragraph(token.tokens, context)}
        </span>
      );
    case 'formula':
      return <FormulaView key={key} formula={token} />;
    case 'details':
      return unfolding(token, key, context);
    case 'footnote':
      return footnote(token, key, context);
    case 'space':
    case 'def':
      return null;
    default:
      // HTML and anything unknown: shown as it was written.
      return (
        <p key={key} class="verbatim" dir="auto">
          {token.raw.trimEnd()}
        </p>
      );
  }
}

function blocks(tokens: readonly Token[], context: MarkdownContext): ComponentChildren[] {
  return tokens.map((token, index) => block(token as MarkdownToken, index, context));
}

/** A part that is unfolded with a click: the one element of HTML that answers may have. */
function unfolding(
  { summary, tokens, open }: Details,
  key: number,
  context: MarkdownContext,
): ComponentChildren {
  return (
    <details key={key} open={open}>
      <summary>{summary.length === 0 ? l10n.t('Details') : paragraph(summary, context)}</summary>
      {blocks(tokens, context)}
    </details>
  );
}

function footnote(
  { label, tokens }: Footnote,
  key: number,
  context: MarkdownContext,
): ComponentChildren {
  return (
    <div key={key} class="footnote" role="note" tabIndex={-1} data-note={label}>
      <NoteNumber label={label} context={context} />
      <div>{blocks(tokens, context)}</div>
    </div>
  );
}

/** The number of a note, which leads back to its first mark. The note is known from now on. */
function NoteNumber({
  label,
  context,
}: {
  readonly label: string;
  readonly context: MarkdownContext;
}): ComponentChildren {
  const { notes } = context;
  useEffect(() => {
    if (notes !== undefined && !notes.peek().has(label))
      notes.value = new Set([...notes.peek(), label]);
  }, [label, notes]);
  return (
    <PlaceLink
      label={l10n.t('Back to the mark of note {0}', label)}
      to={`[data-mark=${JSON.stringify(label)}]`}
    >
      {label}
    </PlaceLink>
  );
}

function plain(token: Tokens.Text): string {
  return token.escaped === true ? token.text : decodeEntities(token.text);
}

/** Headings of an answer are below that of its message, which is of level 2. */
function heading(token: Heading, key: number, context: MarkdownContext): ComponentChildren {
  const Level = `h${token.level ?? 3}` as const;
  return (
    <Level key={key} dir="auto" class={`depth-${token.depth}`}>
      {paragraph(token.tokens, context)}
    </Level>
  );
}

function list(token: Tokens.List, key: number, context: MarkdownContext): ComponentChildren {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? 'task-item' : undefined}>
      {itemContent(item, context)}
    </li>
  ));
  if (!token.ordered)
    return (
      <ul key={key} dir="auto">
        {items}
      </ul>
    );
  const start = typeof token.start === 'number' && token.start !== 1 ? token.start : undefined;
  return start === undefined ? (
    <ol key={key} dir="auto">
      {items}
    </ol>
  ) : (
    <ol key={key} start={start} dir="auto">
      {items}
    </ol>
  );
}

function itemContent(item: Tokens.ListItem, context: MarkdownContext): ComponentChildren {
  return item.tokens.map((token, index) => {
    const inner = token as MarkdownToken;
    // A tight list has bare text; a checkbox stands before it on the same line.
    if (inner.type === 'text')
      return inner.tokens === undefined ? plain(inner) : paragraph(inner.tokens, context);
    if (inner.type === 'checkbox') return inlines([inner], context);
    return block(inner, index, context);
  });
}

function table(token: Tokens.Table, key: number, context: MarkdownContext): ComponentChildren {
  const align = (index: number): string | undefined => {
    const side = token.align[index];
    return side === 'right' || side === 'center' ? `align-${side}` : undefined;
  };
  return (
    <div key={key} class="table" tabIndex={0} role="region" aria-label={l10n.t('Table')}>
      <table dir="auto">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} class={align(index)} dir="auto">
                {paragraph(cell.tokens, context)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Rows token={token} align={align} context={context} />
        </tbody>
      </table>
    </div>
  );
}

/** Rows that are shown at once: more would keep the panel for longer than a few frames. */
const ROWS = 200;

function Rows({
  token,
  align,
  context,
}: {
  readonly token: Tokens.Table;
  readonly align: (index: number) => string | undefined;
  readonly context: MarkdownContext;
}): ComponentChildren {
  const [most, setMost] = useState(ROWS);
  const left = token.rows.length - most;
  return (
    <>
      {token.rows.slice(0, most).map((row, at) => (
        <tr key={at}>
          {row.map((cell, index) => (
            <td key={index} class={align(index)} dir="auto">
              {paragraph(cell.tokens, context)}
            </td>
          ))}
        </tr>
      ))}
      {left > 0 && (
        <tr>
          <td colSpan={token.header.length}>
            <button type="button" class="rest" onClick={() => setMost(most + ROWS)}>
              {l10n.t('Show more: {0} rows are not shown', left)}
            </button>
          </td>
        </tr>
      )}
    </>
  );
}
