import type { JsonSchema } from '../domain/models/model.ts';

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

const disabled: JsonSchema = {
  type: 'boolean',
  default: false,
  markdownDescription: 'The same as `enabled` the other way around, as other clients write it.',
};

const timeout: JsonSchema = {
  type: 'number',
  minimum: 1,
  maximum: 86_400,
  markdownDescription:
    'Seconds a call may take. Absent: `toolTimeoutSeconds` of `#belay.advanced#`.',
};

const names = (markdownDescription: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  markdownDescription,
});

const filter = {
  tools: names('The tools of the server that are offered, by its own names. Absent: all.'),
  excludeTools: names('Tools of the server that are never offered.'),
};

const inputs: JsonSchema = {
  type: 'array',
  markdownDescription:
    'Values that you are asked for when the server starts, written as `${input:ID}` above. They are kept in VS Code’s secret storage. Those that are not declared here are asked for by their id.',
  items: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, markdownDescription: 'As in `${input:ID}`.' },
      type: { enum: ['promptString', 'pickString'], markdownDescription: 'May be left out.' },
      description: { type: 'string', markdownDescription: 'What is asked for.' },
      password: { type: 'boolean', markdownDescription: 'Hidden while it is typed.' },
      default: { type: 'string', markdownDescription: 'Stands there to begin with.' },
      options: { type: 'array', markdownDescription: 'The values to choose from.' },
    },
    defaultSnippets: [
      { label: 'Secret', body: { id: '${1:token}', description: '$2', password: true } },
    ],
  },
};

const local: JsonSchema = {
  title: 'Local server',
  markdownDescription:
    'A program that Belay starts and talks to over its standard input and output.',
  required: ['command'],
  additionalProperties: false,
  properties: {
    type: { const: 'stdio', markdownDescription: 'May be left out.' },
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
      'Environment variables it gets besides a minimal set. Belay’s own environment is not passed on. For secrets write `${input:ID}` to be asked, or `${env:NAME}` to take one from the environment.',
    ),
    envFile: {
      type: 'string',
      markdownDescription:
        'A file of more variables (`NAME=value` lines), read at each start. Those of `env` win.',
    },
    cwd: {
      type: 'string',
      markdownDescription: 'Its working directory. Absent: the first workspace folder.',
    },
    enabled,
    disabled,
    timeout,
    ...filter,
    inputs,
  },
};

const signIn: JsonSchema = {
  type: 'object',
  markdownDescription:
    'Only where a sign-in needs more than the server tells: most need nothing. What you sign in with is kept in VS Code’s secret storage.',
  additionalProperties: false,
  properties: {
    clientId: { type: 'string', markdownDescription: 'A client that was registered by hand.' },
    clientSecret: {
      type: 'string',
      markdownDescription:
        'Its secret. Write `${input:ID}` to be asked, or `${env:NAME}` to take it from the environment.',
    },
    grant: {
      enum: ['client_credentials'],
      markdownDescription:
        'The client signs in as itself, no person does; needs `clientId`, and `clientSecret` or `privateKeyFile`.',
    },
    privateKeyFile: {
      type: 'string',
      markdownDescription:
        'With `grant`: the absolute path of a private key (PEM, without a password) in the place of a secret.',
    },
    clientMetadataUrl: {
      type: 'string',
      pattern: '^https://[^/]+/.+',
      patternErrorMessage: 'An https:// address of a file is expected.',
      markdownDescription: 'The address of a client id metadata document; it serves as client id.',
    },
    scope: {
      type: 'string',
      markdownDescription: 'Scopes to ask for where the server names none, with blanks between.',
    },
    callbackPort: {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      markdownDescription:
        'The port of the registered address `http://127.0.0.1:PORT/callback`. Absent: any.',
    },
  },
};

const remote: JsonSchema = {
  title: 'Remote server',
  markdownDescription: 'A server reached over streamable HTTP or SSE.',
  required: ['url'],
  additionalProperties: false,
  properties: {
    type: {
      enum: ['http', 'sse'],
      markdownEnumDescriptions: ['Streamable HTTP.', 'The older transport.'],
      markdownDescription:
        'Absent: streamable HTTP, and the older transport where that is refused.',
    },
    url: {
      type: 'string',
      pattern: '^https?://.+',
      patternErrorMessage:
        'A URL that begins with https:// (or http:// on this machine) is expected.',
      markdownDescription: 'Its address.',
    },
    headers: texts(
      'Headers sent with every request. Settings are no place for secrets: write `${input:ID}` to be asked, or `${env:NAME}` to take one from the environment.',
    ),
    oauth: signIn,
    enabled,
    disabled,
    timeout,
    ...filter,
    inputs,
  },
};

const switchedOff: JsonSchema = {
  title: 'Switched off',
  markdownDescription: 'In workspace settings: switches a server of the user settings off here.',
  required: ['enabled'],
  additionalProperties: false,
  properties: { enabled: { const: false } },
};

/** The setting `belay.mcp.servers`: servers by name, each local or remote. */
export const MCP_SERVERS_SCHEMA: JsonSchema = {
  type: 'object',
  propertyNames: {
    pattern: '^.{1,100}$',
    patternErrorMessage: 'A server’s name has 1 to 100 characters.',
  },
  additionalProperties: {
    type: 'object',
    anyOf: [local, remote, switchedOff],
    defaultSnippets: [
      { label: 'Local server', body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] } },
      { label: 'Remote server', body: { url: '${1:https://example.com/mcp}' } },
    ],
  },
};
