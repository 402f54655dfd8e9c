import * as l10n from '@vscode/l10n';
import { USE_TOOL } from '../core/tool-call/use-tool.ts';
import { defineFace } from './face/face.ts';
import { text } from './face/fields.ts';

export const useToolFace = defineFace(
  USE_TOOL,
  { tool: text },
  {
    icon: 'tools',
    title: l10n.t('Look up the tool'),
    subject: ['tool'],
    displays: [],
  },
);
