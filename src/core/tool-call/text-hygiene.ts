/** Text at the border of the core; the rules are in the domain, because the panel follows the same. */
export { cleanText, makeVisible } from '../../domain/text/honest-text.ts';
