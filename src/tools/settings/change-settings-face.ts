import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';

const settingDisplay = defineDisplay(
  'setting',
  { setting: text, value: text },
  { note: ({ value }) => value },
);

export const changeSettingsFace = defineFace(
  'change_settings',
  { setting: text, value: text },
  {
    icon: 'settings-gear',
    title: l10n.t('Change a setting'),
    subject: ['setting'],
    displays: [settingDisplay],
  },
);
