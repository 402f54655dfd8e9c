import type { Skill } from '../../customizations/customization.ts';

/** Skills that a prompt names; more can be read by name all the same. */
const MOST_LISTED = 40;
/** Characters of the list. */
const MOST_CHARACTERS = 12_000;

/** The tool that reads a skill. */
export const READ_SKILL = 'read_skill';

/** The skills that the model may read by itself, by name and description only. */
export function skillsText(skills: readonly Skill[]): string {
  const lines: string[] = [];
  let left = MOST_CHARACTERS;
  for (const { name, description } of skills.slice(0, MOST_LISTED)) {
    const line = `- ${name}: ${description}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  if (lines.length === 0) return '';
  const more = skills.length - lines.length;
  const rest = more > 0 ? `\n- and ${more} more, which are not listed` : '';
  return `Skills are instructions for certain tasks. When one fits the task, read it with ${READ_SKILL} before you begin:\n${lines.join('\n')}${rest}`;
}
