import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { doubtText, GREEN_MEANS } from '../../src/domain/review/evidence-words.ts';
import type { GreenChange, GreenView } from '../../src/protocol/review-view.ts';
import { usePanel } from '../panel.ts';
import { Button } from '../views/elements/button.tsx';
import { plural } from '../../src/domain/text/language.ts';

/** Changes that are named; the others are counted. */
const MAX_NAMED = 50;

/** The one question before green changes are kept: what that means, which they are, which not and why. */
export function GreenQuestion(): ComponentChildren {
  const panel = usePanel();
  const view = panel.evidence.asked.value;
  return view === undefined ? null : <Question view={view} />;
}

function Question({ view: { green, others } }: { readonly view: GreenView }): ComponentChildren {
  const { evidence: actions } = usePanel();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  // Before the question is painted: a key pressed at once belongs to it.
  useLayoutEffect(() => {
    const from = document.activeElement;
    box.current?.focus();
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  const close = (): void => {
    actions.asked.value = undefined;
  };
  return (
    <div
      ref={box}
      class="review-green"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <p id={id}>{GREEN_MEANS}</p>
      <div class="review-green-lists">
        <Named
          title={
            green.length === 0
              ? l10n.t('Nothing is green now.')
              : plural(green.length, '{0} change will be kept:', '{0} changes will be kept:')
          }
          changes={green}
          why={() => ''}
        />
        {others.length > 0 && (
          <Named
            title={plural(
              others.length,
              '{0} change will stay pending:',
              '{0} changes will stay pending:',
            )}
            changes={others}
            why={({ doubts }) => doubts.map(doubtText).join('; ')}
          />
        )}
      </div>
      <div class="review-green-buttons">
        {green.length > 0 && (
          <Button kind="primary" onClick={() => void actions.keepGreen()}>
            {plural(green.length, 'Keep {0} Change', 'Keep {0} Changes')}
          </Button>
        )}
        <Button onClick={close}>{green.length > 0 ? l10n.t('Cancel') : l10n.t('Close')}</Button>
      </div>
    </div>
  );
}

interface NamedProps<Change> {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly why: (change: Change) => string;
}

function Named<Change extends GreenChange>({
  title,
  changes,
  why,
}: NamedProps<Change>): ComponentChildren {
  const more = changes.length - MAX_NAMED;
  return (
    <>
      <p>{title}</p>
      <ul>
        {changes.slice(0, MAX_NAMED).map((change) => (
          <li key={`${change.path} ${change.hunkId}`}>
            <strong>{`${change.name}:${change.line}`}</strong>
            {why(change) === '' ? '' : ` — ${why(change)}`}
          </li>
        ))}
        {more > 0 && <li>{l10n.t('and {0} more', more)}</li>}
      </ul>
    </>
  );
}
