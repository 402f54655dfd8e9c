import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count, texts } from '../face/fields.ts';
import { countedIfAny, joined } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const problemsDisplay = defineDisplay(
  'problems',
  {
    errors: count,
    warnings: count,
    /** Notes and hints. */
    others: count,
    files: count,
  },
  {
    note: ({ errors, warnings, others }) =>
      joined(
        countedIfAny(errors, 'error'),
        countedIfAny(warnings, 'warning'),
        countedIfAny(others, 'note'),
      ) || l10n.t('no problems'),
  },
);

export const diagnosticsFace = defineFace(
  'diagnostics',
  { paths: texts },
  {
    icon: 'warning',
    title: l10n.t('Check for problems'),
    counted: [said(l10n.t('{0} check')), said(l10n.t('{0} checks'))],
    subject: ['paths'],
    isFile: true,
    displays: [problemsDisplay],
  },
);
