import type { JsonSchema } from '../../../domain/model.ts';

const texts = (markdownDescription: string): JsonSchema => ({
  type: 'object',
  markdownDescription,
  additionalProperties: { type: 'string' },
  default: {},
});

const enabled: JsonSchema = {
  type: 'boolean',
  default: true,
  markdownDescription: 'Whether Belay starts this server.',
};

const local: JsonSchema = {
  title: 'Local server',
  markdownDescription:
    'A program that Belay starts and talks to over its standard input and output.',
  required: ['command'],
  additionalProperties: false,
  properties: {
    command: {
      type: 'string',
      minLength: 1,
      markdownDescription:
        'The program, by name or absolute path. It is started directly, never through a shell.',
    },
    args: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      markdownDescription: 'Its arguments, one an entry.',
    },
    env: texts(
      'Environment variables it gets besides a minimal set. Belay’s own environment is not passed on.',
    ),
    cwd: {
      type: 'string',
      markdownDescription: 'Its working directory. Absent: the first workspace folder.',
    },
    enabled,
  },
};

const remote: JsonSchema = {
  title: 'Remote server',
  markdownDescription: 'A server reached over streamable HTTP.',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: {
      type: 'string',
      pattern: '^https?://.+',
      patternErrorMessage:
        'A URL that begins with https:// (or http:// on this machine) is expected.',
      markdownDescription: 'Its address.',
    },
    headers: texts('Headers sent with every request. Settings are not a safe place for secrets.'),
    enabled,
  },
};

/** What `belay.mcp.servers` holds: servers by name, each local or remote. */
export const MCP_SERVERS_SCHEMA: JsonSchema = {
  type: 'object',
  propertyNames: {
    pattern: '^[A-Za-z0-9_-]{1,40}$',
    patternErrorMessage: 'A server’s name has 1 to 40 letters, digits, `_` or `-`.',
  },
  additionalProperties: {
    type: 'object',
    anyOf: [local, remote],
    defaultSnippets: [
      { label: 'Local server', body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] } },
      { label: 'Remote server', body: { url: '${1:https://example.com/mcp}' } },
    ],
  },
};
