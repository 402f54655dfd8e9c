export interface PanelPage {
  readonly script: string;
  /** Addresses of what the script imports: asked for with it, not behind it (measured: 100 to 200 ms sooner). */
  readonly chunks?: readonly string[];
  readonly style: string;
  /** The origin of the webview's own resources. */
  readonly source: string;
  /** Random, new for each page. */
  readonly nonce: string;
  /** BCP 47. */
  readonly language: string;
  /** JSON: translations by the English texts. */
  readonly words: string;
  /** JSON: the commands of the message box; absent: the page has none. */
  readonly commands?: string;
  /** Name of the tab it is in, of letters, digits and slashes; absent: it is in a view. */
  readonly place?: string;
}

/**
 * Restricts the webview to its own built files and nothing else of this machine.
 * @param dist the folder that esbuild writes to, within the extension
 */
export function panelOptions<Place>(dist: Place) {
  return { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
}

/**
 * The page of the panel. Nothing is allowed that is not named here: no inline script or style, no
 * frames, no connections, images and sounds only from the package and from data that the host sent.
 */
export function panelHtml(page: PanelPage): string {
  const { source, chunks = [], nonce } = page;
  return documentOf(page, {
    script: ` src="${page.script}">`,
    head: `<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Belay</title>
${chunks.map((chunk) => `<link rel="modulepreload" nonce="${nonce}" href="${chunk}">`).join('\n')}`,
    body: `<div id="panel"${page.place === undefined ? '' : ` data-place="${page.place}"`}></div>
${page.commands === undefined ? '' : dataOf(page, 'commands', page.commands)}
`,
    allowed: [
      // With the nonce: styles of the frame that draws diagrams, which has this page's policy.
      `style-src ${source} 'nonce-${nonce}'`,
      `font-src ${source}`,
      `img-src ${source} data:`,
      'media-src data:',
    ],
  });
}

/**
 * The page that draws a diagram of an answer in a tab. Its script is part of it, because it is kept compressed; it loads its own
 * style and shows pictures that it made itself; its library measures texts with styles of its own, which no other page
 * may have.
 */
export function diagramHtml(page: Omit<PanelPage, 'script'>, script: string): string {
  return documentOf(page, {
    script: `>${script.replaceAll('</script', String.raw`<\/script`)}`,
    head: '<title>Diagram</title>',
    body: '<main id="diagram"></main>',
    allowed: [`style-src ${page.source} 'unsafe-inline'`, 'img-src data:'],
  });
}

/** A document that runs its own script; `allowed`: what else of it may be loaded, as directives of its policy. */
function documentOf(
  { style, nonce, language, words }: Omit<PanelPage, 'script'>,
  own: {
    readonly head: string;
    readonly body: string;
    readonly allowed: readonly string[];
    /** From the end of the element's name: its address, or its text. */
    readonly script: string;
  },
): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    ...own.allowed,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${own.head}
<link rel="stylesheet" href="${style}">
</head>
<body>
${own.body}
${dataOf({ nonce }, 'words', words)}
<script type="module" nonce="${nonce}"${own.script}</script>
</body>
</html>
`;
}

/** Data of the page, which its script finds by its id. */
const dataOf = ({ nonce }: Pick<PanelPage, 'nonce'>, id: string, json: string): string =>
  `<script type="application/json" nonce="${nonce}" id="${id}">${json.replaceAll('<', String.raw`\u003c`)}</script>`;
