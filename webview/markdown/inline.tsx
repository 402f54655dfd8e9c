import * as l10n from '@vscode/l10n';
import { type ReadonlySignal, type Signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Token } from 'marked';
import { realTarget } from '../../src/domain/text/shown-link.ts';
import { decodeEntities } from './entities.ts';
import type { FilesThere } from './files-there.ts';
import { type LinePlace, linePlaces } from './line-places.ts';
import {
  fileTarget,
  knownFile,
  linkTarget,
  looksLikeFile,
  mayBeFile,
  type LinkTarget,
} from './links.ts';
import { FormulaView } from './formula.tsx';
import { pathsIn, type Piece } from './paths.ts';
import { PlaceLink } from './place-link.tsx';
import type { MarkdownToken } from './syntax.ts';

/** A text's part of the session around it. */
export interface MarkdownContext {
  /** Files that tools have named: inline code that names one becomes a link (A9). */
  readonly files: ReadonlySignal<ReadonlySet<string>>;
  /** Other files that answers name, as far as the host has found them. */
  readonly there: Pick<FilesThere, 'has' | 'want'>;
  readonly open: (target: NonNullable<LinkTarget>) => void;
  /** The text is that of a link: nothing in it leads elsewhere. */
  readonly inLink?: boolean;
  /** The text is still being written: no file of it is looked for yet. */
  readonly growing?: boolean;
  /** Labels of the footnotes that the text has, as far as it is shown. */
  readonly notes?: Signal<ReadonlySet<string>>;
  /** Lines that the block's texts name. */
  readonly lines?: ReadonlyMap<Token, readonly LinePlace[]>;
}

/** The inline tokens of a whole block. */
export function paragraph(tokens: readonly Token[], context: MarkdownContext): ComponentChildren[] {
  const lines = linePlaces(tokens);
  return inlines(tokens, lines.size === 0 ? context : { ...context, lines });
}

/** Inline tokens as nodes. Everything that is not known markup is text. */
export function inlines(tokens: readonly Token[], context: MarkdownContext): ComponentChildren[] {
  return tokens.map((token, index) => inline(token as MarkdownToken, index, context));
}

function inline(token: MarkdownToken, key: number, context: MarkdownContext): ComponentChildren {
  switch (token.type) {
    case 'text':
      if (token.tokens !== undefined) return inlines(token.tokens, context);
      return withPaths(
        token.escaped === true ? token.text : decodeEntities(token.text),
        context.lines?.get(token) ?? [],
        context,
      );
    case 'escape':
      return token.text;
    case 'strong':
      return <strong key={key}>{inlines(token.tokens, context)}</strong>;
    case 'em':
      return <em key={key}>{inlines(token.tokens, context)}</em>;
    case 'del':
      return <del key={key}>{inlines(token.tokens, context)}</del>;
    case 'br':
      return <br key={key} />;
    case 'codespan':
      return context.inLink !== true && looksLikeFile(token.text) ? (
        <FileCode key={key} text={token.text} context={context} />
      ) : (
        <code key={key}>{token.text}</code>
      );
    case 'link': {
      const target = linkTarget(token.href);
      const text = inlines(token.tokens, { ...context, inLink: true });
      return target === null ? (
        <span key={key}>{text}</span>
      ) : (
        link(key, shownAs(target, token.text), text, context)
      );
    }
    case 'image':
      return image(token, key, context);
    case 'checkbox':
      return <Checkbox key={key} checked={token.checked} />;
    case 'formula':
      return <FormulaView key={key} formula={token} />;
    case 'footnoteMark':
      return <NoteMark key={key} label={token.label} context={context} />;
    default:
      // HTML and anything unknown: shown as it was written.
      return token.raw;
  }
}

/** Inline code that becomes a link as soon as it is known for a file; nothing else is rendered again. */
function FileCode({
  text,
  context,
}: {
  readonly text: string;
  readonly context: MarkdownContext;
}): ComponentChildren {
  const target = fileTarget(text);
  const code = <code>{text}</code>;
  return target?.kind !== 'file' ? (
    code
  ) : (
    <KnownFile key={text} target={target} context={context}>
      {code}
    </KnownFile>
  );
}

/** A text whose paths with a line, and lines of a file that its sentence names, are links. */
function withPaths(
  text: string,
  lines: readonly LinePlace[],
  context: MarkdownContext,
): ComponentChildren {
  if (context.inLink === true) return text;
  const pieces: Piece[] = [];
  let taken = 0;
  for (const { from, to, target } of lines) {
    pieces.push(...pathsIn(text.slice(taken, from)), { text: text.slice(from, to), target });
    taken = to;
  }
  pieces.push(...pathsIn(text.slice(taken)));
  if (pieces.every(({ target }) => target === undefined)) return text;
  return pieces.map((piece, index) =>
    piece.target === undefined ? (
      piece.text
    ) : (
      <KnownFile key={`${index} ${piece.text}`} target={piece.target} context={context}>
        {piece.text}
      </KnownFile>
    ),
  );
}

/** The name of a file: a link as soon as a tool has named the file, or the host has found it. */
function KnownFile({
  target,
  context,
  children,
}: {
  readonly target: Extract<LinkTarget, { readonly kind: 'file' }>;
  readonly context: MarkdownContext;
  readonly children: ComponentChildren;
}): ComponentChildren {
  const { files, growing = false, there } = context;
  const path = target.path.replace(/^\.\//u, '');
  const known = useComputed(() => {
    const named = knownFile(path, files.value);
    if (named?.kind === 'file') return named.path;
    return there.has(path).value ? path : null;
  });
  const isKnown = known.value !== null;
  useEffect(() => {
    if (!isKnown && !growing && mayBeFile(path)) there.want(path);
  }, [isKnown, growing, path]);
  return known.value === null
    ? children
    : link(0, { ...target, path: known.value }, children, context);
}

/** The mark of a footnote; what looks like one stays text. */
function NoteMark({
  label,
  context,
}: {
  readonly label: string;
  readonly context: MarkdownContext;
}): ComponentChildren {
  if (context.notes?.value.has(label) !== true || context.inLink === true) return `[^${label}]`;
  return (
    <sup>
      <PlaceLink
        label={l10n.t('Note {0}', label)}
        to={`[data-note=${JSON.stringify(label)}]`}
        mark={label}
      >
        {label}
      </PlaceLink>
    </sup>
  );
}

/** Images are not loaded: a request would tell the world what is being read. */
function image(
  token: Extract<MarkdownToken, { type: 'image' }>,
  key: number,
  context: MarkdownContext,
): ComponentChildren {
  const text = l10n.t('{0} (image not loaded)', token.text === '' ? l10n.t('image') : token.text);
  const target = linkTarget(token.href);
  return target === null ? (
    <span key={key}>{text}</span>
  ) : (
    link(key, shownAs(target, token.text), text, context)
  );
}

/** A web address goes to the host with the text it was shown under. */
function shownAs(target: NonNullable<LinkTarget>, shown: string): NonNullable<LinkTarget> {
  return target.kind === 'web' ? { ...target, shown } : target;
}

function link(
  key: number,
  target: NonNullable<LinkTarget>,
  children: ComponentChildren,
  context: MarkdownContext,
): ComponentChildren {
  const shown =
    target.kind === 'web'
      ? target.url
      : `${target.path}${target.line === undefined ? '' : `:${target.line}`}`;
  const real = target.kind === 'web' ? realTarget(target.shown ?? '', target.url) : undefined;
  // Without `href` nothing can follow it: not the browser, not a middle click, not a drag.
  return (
    <a
      key={key}
      role="link"
      tabIndex={0}
      title={shown}
      onClick={() => context.open(target)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') context.open(target);
      }}
    >
      {children}
      {real !== undefined && <span class="real-target">{` (${real})`}</span>}
    </a>
  );
}

/** A box of a task list; it cannot be ticked. */
function Checkbox({ checked }: { readonly checked: boolean }): ComponentChildren {
  return (
    <span
      class={`codicon codicon-${checked ? 'pass' : 'circle-large-outline'} task`}
      role="img"
      aria-label={checked ? l10n.t('done') : l10n.t('open')}
    />
  );
}
