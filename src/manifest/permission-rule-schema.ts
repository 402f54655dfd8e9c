import type { JsonSchema } from '../domain/models/model.ts';
import { RULE_EFFECTS } from '../domain/permissions/permission-rule.ts';

const text = (markdownDescription: string): JsonSchema => ({ type: 'string', markdownDescription });

/** One permission rule in the settings. */
export const PERMISSION_RULE_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['effect'],
  additionalProperties: false,
  defaultSnippets: [{ body: { effect: 'ask', command: '' } }],
  properties: {
    effect: {
      enum: [...RULE_EFFECTS],
      markdownDescription: 'What the rule does. Deny wins over ask, ask over allow.',
    },
    command: text(
      'Program, subcommand and flags, compared with the parsed command: `git push`, `npm run *`.',
    ),
    path: text(
      'A glob below a workspace folder (`src/**`), an absolute one, or one below your home (`~/`). Without a slash: a name anywhere.',
    ),
    access: { enum: ['read', 'write'], markdownDescription: 'For `path`. Absent: both.' },
    host: text('A host name; `*.example.org` stands for all below it.'),
    server: text('An MCP server by its name in the settings.'),
    serverTool: text('A tool of that server.'),
    subject: text('What of `tool`: the name of a task, a cell of a notebook.'),
    hash: text('What the tool or the subject was when the rule was made.'),
    tool: text(
      'Name of a tool; `*` stands for any letters. A whole tool is allowed in mode Auto only.',
    ),
    in: text(
      'The folder in which the rule counts. Absent: everywhere. A command is allowed in exactly this folder; with `/**` at the end in those below it, too.',
    ),
    off: { type: 'boolean', markdownDescription: 'Switched off, not forgotten.' },
  },
};
