import * as l10n from '@vscode/l10n';
import type { InputSource, ScoredRow } from '../source.ts';

/** Before everything else while nothing is typed. */
const SCORE = 5000;

interface Kind {
  /** The text that choosing the row leaves in the input. */
  readonly text: string;
  readonly label: string;
  readonly icon: string;
}

/** The kinds of things to mention: choosing one lists only its things. */
export function kindsSource(hasResources: () => boolean): InputSource {
  const kinds: readonly Kind[] = [
    { text: '@file:', label: l10n.t('File'), icon: 'file' },
    { text: '@folder:', label: l10n.t('Folder'), icon: 'folder' },
    { text: '@symbol:', label: l10n.t('Symbol'), icon: 'symbol-method' },
    { text: '@session:', label: l10n.t('Session'), icon: 'comment-discussion' },
    { text: '@https://', label: l10n.t('Web page'), icon: 'globe' },
    { text: '@resource:', label: l10n.t('Resource of an MCP server'), icon: 'plug' },
  ];
  return {
    id: 'kind',
    trigger: '@',
    search: async (query) =>
      query === ''
        ? kinds
            .filter(({ text }) => text !== '@resource:' || hasResources())
            .map(({ text, label, icon }, index): ScoredRow => ({
              label,
              detail: text,
              icon,
              score: SCORE - index,
              does: { kind: 'insert', text },
            }))
        : [],
  };
}
