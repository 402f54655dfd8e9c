import { editDisplay } from '../editing/edit-display.ts';
import { defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';

export const editNotebookFace = defineFace(
  'edit_notebook',
  { path: text },
  {
    icon: 'notebook',
    title: 'Edit cells of',
    subject: ['path'],
    isFile: true,
    displays: [editDisplay],
  },
);
