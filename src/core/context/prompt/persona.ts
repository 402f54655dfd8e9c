import { cleanText } from '../../../domain/text/honest-text.ts';
import type { PersonaInForce } from '../../customizations/persona.ts';

/** Characters of one persona's text. */
const MOST_CHARACTERS = 32_000;

/** The words of the personas in force. */
export interface PersonaPrompt {
  /** In the place of Belay's own instructions; absent: those stay. */
  readonly replaced?: string;
  /** Beside them; may be empty. */
  readonly added: string;
}

export function personaPrompt({ layers }: PersonaInForce): PersonaPrompt {
  const said = layers.filter(({ text }) => text !== '');
  const replacing = said.findLast(({ replaces }) => replaces);
  const added = said
    .filter((one) => one !== replacing)
    .map(({ name, text }) => {
      const shown = cleanText(text).slice(0, MOST_CHARACTERS).toWellFormed();
      return `Work as the persona "${name}":\n<persona>\n${shown}\n</persona>`;
    });
  return {
    ...(replacing === undefined ? {} : { replaced: replacing.text }),
    added: added.join('\n\n'),
  };
}
