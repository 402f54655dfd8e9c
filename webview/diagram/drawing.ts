/** A diagram as it was drawn, or why it could not be. */
import * as l10n from '@vscode/l10n';
import { getPictureUrl } from './picture.ts';
import type { Drawing } from './render.ts';

type Drawn = Drawing & { readonly source: string };

/** Widths of the picture in percent of its own. */
const ZOOMS = [25, 50, 75, 100, 150, 200, 300, 400] as const;

/** The page's content: the diagram as a picture, in which nothing runs or loads, and its source. */
export function drawing(drawn: Drawn): DocumentFragment {
  const all = document.createDocumentFragment();
  if ('problem' in drawn) {
    const note = element('p', 'problem', l10n.t('The diagram cannot be drawn: {0}', drawn.problem));
    note.setAttribute('role', 'alert');
    all.append(element('h1', '', l10n.t('Diagram')), note);
  } else all.append(...picture(drawn.svg, drawn.kind));
  const details = element('details', 'source');
  details.open = 'problem' in drawn;
  const text = element('pre', '', drawn.source);
  text.tabIndex = 0;
  details.append(element('summary', '', l10n.t('Source')), text);
  all.append(details);
  return all;
}

function picture(svg: string, kind: string): readonly HTMLElement[] {
  const image = element('img', '');
  image.alt = l10n.t('Diagram ({0}); its source is below', kind);
  image.src = getPictureUrl(svg);
  const frame = element('div', 'picture');
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', l10n.t('Diagram'));
  frame.append(image);
  let zoom = 0;
  const show = (): void => {
    const percent = ZOOMS[zoom - 1];
    image.style.maxWidth = percent === undefined ? '100%' : 'none';
    image.style.width = percent === undefined ? '' : `${(image.naturalWidth * percent) / 100}px`;
  };
  const bar = element('div', 'bar');
  bar.append(element('h1', '', l10n.t('Diagram')));
  const button = (label: string, to: () => number): HTMLElement => {
    const made = element('button', '', label);
    made.type = 'button';
    made.addEventListener('click', () => {
      zoom = Math.min(ZOOMS.length, Math.max(1, to()));
      show();
    });
    return made;
  };
  const fit = element('button', '', l10n.t('Fit'));
  fit.type = 'button';
  fit.addEventListener('click', () => {
    zoom = 0;
    show();
  });
  const from = (): number => (zoom === 0 ? ZOOMS.indexOf(100) + 1 : zoom);
  bar.append(
    fit,
    button(l10n.t('Smaller'), () => from() - 1),
    button(l10n.t('Larger'), () => from() + 1),
  );
  return [bar, frame];
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}
