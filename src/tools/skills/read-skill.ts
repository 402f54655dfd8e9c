import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { readSkillFace } from './read-skill-face.ts';

const schema = z.strictObject({
  name: z.string().check(z.minLength(1)),
  file: z.optional(
    z
      .string()
      .check(z.minLength(1), z.describe('one of the files beside it; default: the skill itself')),
  ),
});

/** Skills are read by name, also those of the person's home folder: no path outside the workspace is ever given. */
export function readSkillTool({ disk: { skills } }: ToolParts): Tool {
  return defineTool(readSkillFace, {
    description: 'Reads a skill: instructions for a task, and the names of the files beside them.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'skills',
    permission: 'none',
    available: async () => (await skills?.hasSkills()) === true,
    run: async ({ name, file }) => {
      const text = (await skills?.readSkill(name, file)) ?? '';
      return {
        content: [{ type: 'text', text }],
        display: { kind: 'skill', characters: text.length },
      };
    },
  });
}
