import type { JsonObject } from '../../domain/data/json.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { ToolDetail } from '../../protocol/view.ts';
import type { CardRow, DisplayKind, ShownDisplay } from '../../tools/face/face.ts';
import { read, text } from '../../tools/face/fields.ts';
import { FACES } from '../../tools/faces.ts';

/** Rows of a card; the result has all. */
const MOST = 30;
/** Characters of a row's text and of its note. */
const LONGEST = 400;
/** The longest note of a card, in characters. */
const NOTE_LIMIT = 120;

const KINDS: ReadonlyMap<unknown, DisplayKind> = new Map(
  FACES.flatMap(({ displays }) => displays.map((one): [string, DisplayKind] => [one.kind, one])),
);

/** Reads the display of a finished call, by its kind; of one that no built-in tool writes, its note. */
export function shownDisplay(display: JsonObject = {}): ShownDisplay {
  const shown = KINDS.get(display['kind'])?.show(display) ?? {
    note: read({ note: text }, display).note,
    rows: [],
  };
  return { ...shown, note: shown.note.slice(0, NOTE_LIMIT) };
}

/** The rows of a card for the panel. */
export function detailsOf(rows: readonly CardRow[]): readonly ToolDetail[] {
  return rows
    .slice(0, MOST)
    .map(({ icon, text: said, note = '', path = '', url = '', problem = '' }) => ({
      icon: problem === '' ? icon : 'error',
      text: shown(said),
      note: shown(problem === '' ? note : problem),
      file: problem === '' && path !== '' ? { path } : null,
      url: url === '' ? null : url,
      problem: problem !== '',
    }));
}

const shown = (value: string): string => makeVisible(value.slice(0, LONGEST).replaceAll('\n', ' '));
