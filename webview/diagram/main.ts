import '../texts/translations.ts';
import './diagram.css';
import { drawing } from './drawing.ts';
import { serveFrame } from './frame.ts';
import { renderDiagram } from './render.ts';
import { readThemeColors } from './theme-colors.ts';

interface HostApi {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): HostApi;

/** Shows the diagram that the host sends, in a tab. */
function serveTab(): void {
  const vscode = acquireVsCodeApi();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own, no window
  const tell = (kind: 'ready' | 'drawn'): void => vscode.postMessage({ kind });
  const page = document.querySelector<HTMLElement>('#diagram');
  let source = '';
  const draw = async (): Promise<void> => {
    const drawn = await renderDiagram(source, readThemeColors());
    page?.replaceChildren(drawing({ ...drawn, source }));
    tell('drawn');
  };
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('source' in data)) return;
    if (typeof data.source !== 'string') return;
    source = data.source;
    void draw();
  });
  new MutationObserver(() => {
    if (source !== '') void draw();
  }).observe(document.body, { attributeFilter: ['class'] });
  tell('ready');
}

/** A frame of the panel has a script with a nonce, and nothing of VS Code. */
const { nonce } = document.body.dataset;
if (nonce === undefined) serveTab();
else serveFrame(nonce);
