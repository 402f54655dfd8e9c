import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { spoken } from '../../../domain/text/language.ts';
import { keptSessions } from '../state/kept-sessions.ts';

const opening = (): string => l10n.t('Opening the database…');
const failure = (): string =>
  l10n.t('Belay could not start; the notification says why and what to do.');

/** Sessions shown while the database is being opened. */
const SHOWN = 50;

/**
 * Shows the sessions that VS Code's own memory knows, until the panel itself comes: the database may be slow,
 * or another process may keep it. A page without any script.
 */
export function showSessionsOf(
  state: Pick<vscode.Memento, 'get'>,
  view: vscode.WebviewView,
  failed: boolean,
): void {
  view.webview.options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
  view.webview.html = previewHtml(
    keptSessions(state),
    failed ? failure() : opening(),
    crypto.randomUUID().replaceAll('-', ''),
  );
}

/** The page; `nonce` allows its one style. */
function previewHtml(
  sessions: ReturnType<typeof keptSessions>,
  sentence: string,
  nonce: string,
): string {
  const rows = sessions.slice(0, SHOWN).map(({ title, summary }) => {
    const more = summary === undefined ? '' : `<p>${escaped(summary)}</p>`;
    return `<li><h2>${escaped(title)}</h2>${more}</li>`;
  });
  return `<!DOCTYPE html>
<html lang="${spoken()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${STYLE}</style>
<title>Belay</title>
</head>
<body>
<p class="opening" role="status">${sentence}</p>
<ul aria-label="Sessions">${rows.join('')}</ul>
</body>
</html>
`;
}

const STYLE = `
body { padding: 0; font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); }
.opening { margin: 0; padding: 8px 12px; color: var(--vscode-descriptionForeground); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: 6px 12px; }
h2, li p { margin: 0; font-size: inherit; font-weight: normal; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li p { color: var(--vscode-descriptionForeground); }
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (character) => ESCAPES[character] ?? '');
