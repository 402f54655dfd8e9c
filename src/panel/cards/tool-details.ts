import type { JsonObject } from '../../domain/json.ts';
import type { ToolDetail } from '../../protocol/view.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { numberIn, objectsIn, textIn } from './display-fields.ts';
import { operationIcon } from './tool-naming.ts';
import { rangeNote } from './tool-note.ts';

/** Rows of a card; the result has all. */
const MOST = 30;
/** Characters of a row's text and of its note. */
const LONGEST = 400;

const STEP_ICONS: Readonly<Record<string, string>> = {
  open: 'circle-large-outline',
  active: 'arrow-right',
  done: 'check',
};

const PATCH_ICONS: Readonly<Record<string, string>> = {
  add: 'diff-added',
  edit: 'diff-modified',
  delete: 'diff-removed',
  move: 'diff-renamed',
};

/** The icons that rows can show. */
export const DETAIL_ICONS: readonly string[] = [
  ...Object.values(STEP_ICONS),
  ...Object.values(PATCH_ICONS),
  'error',
  'file',
  'comment',
];

/** What a finished call consists of; nothing for calls about one thing. */
export function detailsOf(display: JsonObject | undefined): readonly ToolDetail[] {
  switch (display?.['kind']) {
    case 'read': {
      const files = objectsIn(display, 'files');
      return files.length < 2 ? [] : rows(files, readRow);
    }
    case 'patch':
      return rows(objectsIn(display, 'files'), patchRow);
    case 'manage':
      return rows(objectsIn(display, 'operations'), operationRow);
    case 'answer':
      return rows(objectsIn(display, 'answers'), (answer) => ({
        icon: 'comment',
        text: textIn(answer, 'question'),
        note: textIn(answer, 'answer'),
        path: '',
      }));
    default:
      return [];
  }
}

/** The steps of a plan, from the arguments of its call. */
export function plannedSteps(input: JsonObject): readonly ToolDetail[] {
  return rows(objectsIn(input, 'items'), (item) => {
    const status = textIn(item, 'status');
    return { icon: iconOf(STEP_ICONS, status), text: textIn(item, 'text'), note: '', path: '' };
  });
}

interface Row {
  readonly icon: string;
  readonly text: string;
  readonly note: string;
  /** The file to open; empty: none. */
  readonly path: string;
}

function rows(
  objects: readonly JsonObject[],
  rowOf: (object: JsonObject) => Row,
): readonly ToolDetail[] {
  return objects.slice(0, MOST).map((object) => {
    const { icon, text, note, path } = rowOf(object);
    const problem = textIn(object, 'problem');
    return {
      icon: problem === '' ? icon : 'error',
      text: shown(text),
      note: shown(problem === '' ? note : problem),
      file: problem === '' && path !== '' ? { path } : null,
      problem: problem !== '',
    };
  });
}

function readRow(file: JsonObject): Row {
  const path = textIn(file, 'path');
  return { icon: 'file', text: path, note: rangeNote(file), path };
}

function patchRow(file: JsonObject): Row {
  const path = textIn(file, 'path');
  const action = textIn(file, 'action');
  const [added, removed] = [numberIn(file, 'added') ?? 0, numberIn(file, 'removed') ?? 0];
  const note = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(
    ' ',
  );
  return {
    icon: iconOf(PATCH_ICONS, action),
    text: path,
    note,
    path: action === 'delete' ? '' : path,
  };
}

function operationRow(operation: JsonObject): Row {
  const [kind, path, to] = ['kind', 'path', 'to'].map((key) => textIn(operation, key)) as [
    string,
    string,
    string,
  ];
  return {
    icon: operationIcon(kind),
    text: to === '' ? path : `${path} → ${to}`,
    note: keptNote(textIn(operation, 'kept')),
    path: '',
  };
}

function keptNote(kept: string): string {
  if (kept === '') return '';
  return kept === 'trash' ? 'in the trash' : 'kept by Belay';
}

function iconOf(icons: Readonly<Record<string, string>>, key: string): string {
  return Object.hasOwn(icons, key) ? (icons[key] ?? 'file') : 'file';
}

const shown = (text: string): string => makeVisible(text.slice(0, LONGEST).replaceAll('\n', ' '));
