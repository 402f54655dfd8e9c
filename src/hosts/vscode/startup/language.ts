import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { speak } from '../../../domain/text/language.ts';
import type { PanelPage } from '../../../panel/html.ts';

/** The language of VS Code, where Belay has a translation; else English. */
const language = (): string => (vscode.l10n.bundle === undefined ? 'en' : vscode.env.language);

/** Takes the language and the translations that VS Code has loaded: before anything else of Belay is. */
export function speakAsVsCode(): void {
  speak(language(), vscode.l10n.bundle);
}

/** The language of a page in a webview, and its translations, which are a file of their own beside those of the host. */
export function pageLanguage(): Pick<PanelPage, 'language' | 'words'> {
  const { uri } = vscode.l10n;
  if (uri === undefined) return { language: 'en', words: '{}' };
  const file = uri.fsPath.replace(/bundle(?=\.l10n\.[\w-]+\.json$)/, 'panel');
  return { language: language(), words: readFileSync(file, 'utf8') };
}
