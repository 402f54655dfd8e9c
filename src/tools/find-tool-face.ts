import * as l10n from '@vscode/l10n';
import { FIND_TOOL } from '../core/tool-call/find-tool.ts';
import { defineFace } from './face/face.ts';
import { text } from './face/fields.ts';

export const findToolFace = defineFace(
  FIND_TOOL,
  { query: text },
  { icon: 'search', title: l10n.t('Look for a tool'), subject: ['query'], displays: [] },
);
