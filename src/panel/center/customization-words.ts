import * as l10n from '@vscode/l10n';
import type { FileProblem } from '../../core/customizations/front-matter.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';

/** A problem of a file and its effect, in a sentence; the line first. */
export function problemWords({ line, kind, about }: FileProblem): string {
  const sentence = sentenceOf(kind, makeVisible(about));
  return line === null ? sentence : l10n.t('Line {0}: {1}', line, sentence);
}

function sentenceOf(kind: FileProblem['kind'], about: string): string {
  switch (kind) {
    case 'no_end':
      return l10n.t('The head that begins here has no end (“---”), and is ignored.');
    case 'not_understood':
      return l10n.t('“{0}” is not understood, and is ignored.', about);
    case 'ignored':
      return l10n.t('“{0}” has no effect in Belay.', about);
    case 'bad_value':
      return l10n.t('“{0}” has a value that it cannot have, and is ignored.', about);
    case 'unknown_tool':
      return l10n.t('There is no tool or module “{0}”: it is left out.', about);
    case 'no_description':
      return l10n.t('It has no description: the model is not told of it.');
    case 'not_run':
      return l10n.t('Command lines (!`…`) are not run: they go as text.');
    case 'narrows_only':
      return l10n.t('“{0}” is ignored: a persona of the workspace can only narrow.', about);
    case 'no_model':
      return l10n.t('The model “{0}” is not one of yours: it is ignored.', about);
    default:
      return kind satisfies never;
  }
}
