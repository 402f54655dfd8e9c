import '../texts/translations.ts';
import './diagram.css';
import mermaid from 'mermaid';
import { drawing } from './drawing.ts';

interface HostApi {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): HostApi;

const vscode = acquireVsCodeApi();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own, no window
const tell = (kind: 'ready' | 'drawn'): void => vscode.postMessage({ kind });
const page = document.querySelector<HTMLElement>('#diagram');
let source = '';

/** The theme's colours as the library takes them. */
function colours(): Record<string, string | boolean> {
  const style = getComputedStyle(document.body);
  const of = (name: string, otherwise: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || otherwise;
  const dark = document.body.matches(
    '.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)',
  );
  const [ground, text] = dark ? ['#1e1e1e', '#d4d4d4'] : ['#ffffff', '#333333'];
  return {
    darkMode: dark,
    background: of('editor-background', ground),
    primaryColor: of('editorWidget-background', ground),
    primaryTextColor: of('editor-foreground', text),
    primaryBorderColor: of('focusBorder', text),
    lineColor: of('editor-foreground', text),
    textColor: of('editor-foreground', text),
    fontFamily: of('font-family', 'sans-serif'),
    fontSize: '14px',
  };
}

/** Draws the diagram; its text runs nothing, loads nothing and changes no setting that limits it. */
async function draw(): Promise<void> {
  if (page === null) return;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: 'base',
    themeVariables: colours(),
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 20_000,
    maxEdges: 300,
    suppressErrorRendering: true,
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'flowchart',
      'theme',
      'themeVariables',
      'themeCSS',
      'dompurifyConfig',
      'fontFamily',
    ],
  });
  try {
    const { svg, diagramType } = await mermaid.render('drawn', source);
    page.replaceChildren(drawing({ svg, kind: diagramType, source }));
    tell('drawn');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    page.replaceChildren(drawing({ problem: why, source }));
    tell('drawn');
  }
}

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
