import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import * as vscode from 'vscode';
import { speak } from '../../../domain/text/language.ts';
import type { PanelPage } from '../../../panel/html.ts';

/** Translations as `build/texts.mjs` packs them: those of each language in the order of the English texts. */
interface Packed {
  readonly english: readonly string[];
  readonly languages: Readonly<Record<string, readonly string[]>>;
}

/** The language of VS Code and its translations, where Belay has them; else English. */
function translated(bundle: 'bundle' | 'panel'): {
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
} {
  const { language } = vscode.env;
  if (language === 'en') return { language, texts: {} };
  const file = new URL(`./${bundle}.l10n.br`, import.meta.url);
  const packed = brotliDecompressSync(readFileSync(file)).toString();
  const { english, languages } = JSON.parse(packed) as Packed;
  const own = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (own === undefined) return { language: 'en', texts: {} };
  const texts = english.map((text, at) => [text, own[at] ?? text] as const);
  return { language, texts: Object.fromEntries(texts) };
}

/** Takes the language of VS Code: before anything else of Belay speaks. */
export function speakAsVsCode(): void {
  const { language, texts } = translated('bundle');
  speak(language, texts);
}

/** The language of a page in a webview, and its translations, which are others than those of the host. */
export function pageLanguage(): Pick<PanelPage, 'language' | 'words'> {
  const { language, texts } = translated('panel');
  return { language, words: JSON.stringify(texts) };
}
