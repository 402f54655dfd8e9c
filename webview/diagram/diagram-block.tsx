import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { getPictureUrl } from './picture.ts';
import type { Drawing } from './render.ts';
import { usePanel, type Panel } from '../panel.ts';
import { Diagrams } from './diagrams.ts';
import { IconButton } from '../views/elements/button.tsx';
import type { CodeBlockProps } from '../markdown/code/code-block-props.ts';
import { CodeActions } from '../markdown/code/code-actions.tsx';
import { FinishedCode } from '../markdown/code/finished-code.tsx';

/** The name of diagrams in fences. */
const DIAGRAM = 'mermaid';

let diagrams: Diagrams | undefined;

function getDiagrams({ host }: Panel): Diagrams {
  diagrams ??= new Diagrams(async () => (await host.ask('loadDiagramCode', {}))?.code);
  return diagrams;
}

/** A diagram, drawn when it comes into view; its source until then, on request, and where it cannot be drawn. */
export function DiagramBlock({ text, language }: CodeBlockProps): ComponentChildren {
  const panel = usePanel();
  const figure = useRef<HTMLElement>(null);
  const [drawing, setDrawing] = useState<Drawing>();
  const [showsSource, setShowsSource] = useState(false);
  useEffect(() => {
    const { current } = figure;
    if (current === null) return undefined;
    let unsubscribe = (): void => undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      unsubscribe = getDiagrams(panel).follow(text, setDrawing);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [text]);
  const picture = drawing !== undefined && 'svg' in drawing ? drawing : undefined;
  const openTab = (): void => panel.host.do('openDiagram', { text });
  return (
    <figure class="code" ref={figure}>
      <figcaption>
        <span class="language">{DIAGRAM}</span>
        <CodeActions text={text} info={language} language={DIAGRAM} open={false}>
          {picture !== undefined && (
            <IconButton
              icon={showsSource ? 'type-hierarchy' : 'code'}
              class="toggle"
              label={showsSource ? l10n.t('Show the diagram') : l10n.t('Show the source')}
              onClick={() => setShowsSource(!showsSource)}
            />
          )}
        </CodeActions>
      </figcaption>
      {picture !== undefined && !showsSource ? (
        <button
          type="button"
          class="diagram"
          title={l10n.t('Open the diagram')}
          aria-label={l10n.t('Open the diagram')}
          onClick={openTab}
        >
          <img alt="" src={getPictureUrl(picture.svg)} />
        </button>
      ) : (
        <pre tabIndex={0}>
          <FinishedCode text={text} language={DIAGRAM} />
        </pre>
      )}
      {drawing !== undefined && 'problem' in drawing && (
        <p class="diagram-problem">
          {l10n.t('The diagram cannot be drawn: {0}', drawing.problem.split('\n')[0] ?? '')}
        </p>
      )}
    </figure>
  );
}
