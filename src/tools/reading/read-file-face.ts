import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, listOf, maybeCount, maybeTold, paths, recordOf, text } from '../face/fields.ts';
import type { Read } from '../face/fields.ts';
import { counted, joined } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

export const pages = { from: count, to: count, total: count };

const file = {
  path: text,
  /** 1-based, inclusive; absent for images. */
  from: maybeCount,
  to: maybeCount,
  /** Lines of the whole file, where they were counted. */
  lines: maybeCount,
  /** Of a PDF file. */
  pages: recordOf(pages),
  problem: maybeTold,
};

const readDisplay = defineDisplay(
  'read',
  { files: listOf(file) },
  {
    note: ({ files }) => {
      const [first] = files;
      if (files.length === 1 && first !== undefined) return rangeNote(first);
      const failed = files.filter(({ problem = '' }) => problem !== '').length;
      return files.length === 0
        ? ''
        : joined(counted(files.length, 'file'), failed === 0 ? '' : l10n.t('{0} not read', failed));
    },
    rows: ({ files }) =>
      files.length < 2
        ? []
        : files.map((one) => {
            const { path, problem = '' } = one;
            return {
              icon: 'file',
              text: path,
              note: rangeNote(one),
              path,
              problem: inWords(problem),
            };
          }),
  },
);

export type ReadDisplay = DisplayOf<typeof readDisplay>;

export const readFileFace = defineFace(
  'read_file',
  { files: paths, path: text },
  {
    icon: 'file',
    title: l10n.t('Read'),
    counted: [said(l10n.t('{0} read')), said(l10n.t('{0} reads'))],
    subject: ['files', 'path'],
    isFile: true,
    displays: [readDisplay],
  },
);

/** The part that was read: "lines 1–60 of 412", "9 lines", "12 pages". */
export function rangeNote({
  from,
  to,
  lines,
  pages: read,
}: Pick<Read<typeof file>, 'from' | 'to' | 'lines' | 'pages'>): string {
  if (read !== undefined) return pagesNote(read);
  if (from === undefined || to === undefined) return '';
  if (from === 1 && to === lines) return counted(lines, 'line');
  return lines === undefined
    ? l10n.t('lines {0}–{1}', from, to)
    : l10n.t('lines {0}–{1} of {2}', from, to, lines);
}

function pagesNote({ from, to, total }: Read<typeof pages>): string {
  return from === 1 && to === total
    ? counted(total, 'page')
    : l10n.t('pages {0}–{1} of {2}', from, to, total);
}
