import { defineDisplay, defineFace } from './face/face.ts';
import { count, text } from './face/fields.ts';
import { counted } from './face/words.ts';

const pageDisplay = defineDisplay(
  'page',
  { resultId: text, offset: count, length: count, total: count },
  {
    note: ({ offset, length, total }) =>
      `${offset.toLocaleString('en')}–${(offset + length).toLocaleString('en')} of ${counted(total, 'character')}`,
  },
);

export const readResultFace = defineFace(
  'read_result',
  { result_id: text },
  {
    icon: 'output',
    title: 'Read more of a long result',
    counted: ['read', 'reads'],
    displays: [pageDisplay],
  },
);
