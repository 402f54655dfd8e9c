import mermaid from 'mermaid';
import { MAX_DIAGRAM_CHARS } from '../../src/protocol/code-view.ts';

/** A drawn diagram, or why it cannot be drawn. */
export type Drawing =
  | { readonly svg: string; readonly kind: string }
  | { readonly problem: string };

/** Draws a diagram. Its text runs nothing, loads nothing, and cannot change a setting that limits it. */
export async function renderDiagram(
  source: string,
  colors: Readonly<Record<string, string | boolean>>,
): Promise<Drawing> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: 'base',
    themeVariables: colors,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: MAX_DIAGRAM_CHARS,
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
    return { svg, kind: diagramType };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
