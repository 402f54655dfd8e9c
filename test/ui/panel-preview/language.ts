// The language of the pictures, `--language de`, before any module of Belay makes a text.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { speak } from '../../../src/domain/text/language.ts';
import { pseudo } from '../../boundary/said-texts.ts';
import { root } from '../../rig/processes.ts';
import type { Language } from './preview.ts';

const at = process.argv.indexOf('--language');

/** English, where nothing is said. */
export const language = (at === -1 ? 'en' : process.argv.splice(at, 2)[1]) as Language;

if (language === 'pseudo') speak('en', pseudo('bundle'));
else if (language !== 'en')
  speak(
    language,
    JSON.parse(
      readFileSync(path.join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'),
    ) as Record<string, string>,
  );
