import * as l10n from '@vscode/l10n';
import { cleanText } from '../../domain/text/honest-text.ts';

/** Characters of a text that a link brings. */
export const LONGEST_PROMPT = 8000;

/** The text of a link `…/prompt?text=…`, as a person may see it; or why there is none. */
export type LinkedPrompt = { readonly text: string } | { readonly problem: string };

/** How `cleanText` shows what nobody would see. */
const UNSEEN = /<(?:U\+[0-9A-F]{2,6}|\d+ hidden tag characters)>/gu;

/**
 * Reads the query of a link, decoded once. A stranger wrote it: only text comes of it, at most 8,000 characters;
 * characters that nobody sees are taken away or shown.
 */
export function readPromptLink(query: string): LinkedPrompt {
  // After VS Code's decoding a text may have `&` and `=` in it: it is all that follows.
  const raw = /^text=(?<text>.*)$/su.exec(query)?.groups?.['text'];
  if (raw === undefined) return { problem: l10n.t('it has no “text”') };
  if (raw.length > LONGEST_PROMPT)
    return { problem: l10n.t('its text has more than {0} characters', LONGEST_PROMPT) };
  const text = cleanText(raw).replaceAll(UNSEEN, '').trim();
  return text === '' ? { problem: l10n.t('its text is empty') } : { text };
}
