import * as l10n from '@vscode/l10n';
import type { MemoryScope } from '../../domain/memory.ts';
import { said } from '../../domain/text/language.ts';
import { type CardRow, defineDisplay, defineFace } from '../face/face.ts';
import { keyOf, listOf, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';

const SCOPES: Readonly<Record<MemoryScope, string>> = {
  workspace: said('this workspace'),
  person: said('all workspaces'),
};
const notes = listOf({ id: text, text });
const rowsOf = (shown: readonly { readonly text: string }[]): readonly CardRow[] =>
  shown.map((note) => ({ icon: 'note', text: note.text }));

const memoryDisplay = defineDisplay(
  'memory',
  { scope: keyOf(SCOPES, 'workspace'), notes },
  { note: ({ scope }) => l10n.t(SCOPES[scope]), rows: (display) => rowsOf(display.notes) },
);

const memoriesDisplay = defineDisplay(
  'memories',
  { notes },
  {
    note: (display) => counted(display.notes.length, 'remembered fact'),
    rows: (display) => rowsOf(display.notes),
  },
);

export const rememberFace = defineFace(
  'remember',
  { text, scope: keyOf(SCOPES, 'workspace') },
  { icon: 'bookmark', title: l10n.t('Remember'), subject: ['text'], displays: [memoryDisplay] },
);

export const recallFace = defineFace(
  'recall',
  { query: text },
  {
    icon: 'bookmark',
    title: l10n.t('Look into memory'),
    subject: ['query'],
    counted: [said('{0} look into memory'), said('{0} looks into memory')],
    displays: [memoriesDisplay],
  },
);

export const forgetFace = defineFace(
  'forget',
  { id: text },
  { icon: 'bookmark', title: l10n.t('Forget a note'), subject: ['id'], displays: [memoryDisplay] },
);
