// The page's language, taken from the page before any other module is: tables of modules are in it, too.
import { speak } from '../../src/domain/text/language.ts';

const words = document.getElementById('words')?.textContent ?? '{}';
speak(document.documentElement.lang, JSON.parse(words) as Record<string, string>);
