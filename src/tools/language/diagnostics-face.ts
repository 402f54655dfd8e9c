import { defineDisplay, defineFace } from '../face/face.ts';
import { count, texts } from '../face/fields.ts';
import { countedIfAny, joined } from '../face/words.ts';

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
      ) || 'no problems',
  },
);

export const diagnosticsFace = defineFace(
  'diagnostics',
  { paths: texts },
  {
    icon: 'warning',
    title: 'Check for problems',
    counted: ['check', 'checks'],
    subject: ['paths'],
    isFile: true,
    displays: [problemsDisplay],
  },
);
