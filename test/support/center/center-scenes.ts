import type { CustomizationRow } from '../../../src/protocol/center/customizations-view.ts';
import type {
  PrivacyView,
  ServerRow,
  ServerToolRow,
  StorageView,
} from '../../../src/protocol/center/view.ts';
import { MEMORY } from './memory-scene.ts';
import { USAGE } from './usage-scene.ts';
import { PROVIDER_ROWS } from './provider-rows.ts';
import type { CenterStage } from './center-stage.ts';

/** 2026-11-23, 12:00 in UTC. */
export const NOON = Date.UTC(2026, 10, 23, 12);

export const tool = (
  server: string,
  name: string,
  more: Partial<ServerToolRow> = {},
): ServerToolRow => ({
  name: `mcp__${server}__${name}`,
  title: name,
  description: `Does ${name.replaceAll('_', ' ')} where the server is.`,
  on: true,
  note: '',
  readOnly: false,
  approval: null,
  decidedBy: null,
  tokens: 120,
  ...more,
});

export const server = (name: string, more: Partial<ServerRow> = {}): ServerRow => ({
  name,
  state: 'ready',
  on: true,
  said: 'connected',
  summary: `npx -y @example/${name}`,
  source: 'your settings',
  title: `${name}-server 1.2.0`,
  icon: null,
  problems: [],
  actions: ['stop', 'restart', 'edit'],
  tools: [],
  tokens: 0,
  lastCall: null,
  ...more,
});

/** A blue dot. */
const ICON =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAN0lEQVR42mNgoAVw67nzHxumSDNRhhDSjNcQYjVjNYRUzRiGjBpABQMojkaqJCSqJGWqZCZSAQBXl6F82zuUngAAAABJRU5ErkJggg==';

/** A page with something of everything. */
export function fill(stage: CenterStage): void {
  const tools = [
    tool('files', 'list_directory', { readOnly: true }),
    tool('files', 'read_file', { readOnly: true, approval: 'allow' }),
    tool('files', 'write_file', { approval: 'ask', tokens: 310 }),
    tool('files', 'delete_everything', {
      on: false,
      decidedBy: 'Deny all tools of the MCP server files (your settings)',
    }),
  ];
  stage.servers = [
    server('files', { icon: ICON, tools, tokens: 1240, lastCall: Date.now() - 180_000 }),
    server('github', {
      state: 'failed',
      said: 'It asks you to sign in.',
      summary: 'https://mcp.github.example/mcp',
      title: '',
      actions: ['sign_in', 'edit'],
    }),
    server('hub', {
      state: 'failed',
      said: 'The program “hub-server” was not found. Check `command` in the settings, or install it.',
      summary: 'hub-server --stdio',
      title: '',
      actions: ['restart', 'edit'],
    }),
    server('project-db', {
      state: 'stopped',
      said: 'It is defined by this workspace and waits for your yes.',
      summary: 'node tools/db-server.mjs',
      source: 'this workspace',
      title: '',
      actions: ['trust', 'edit'],
    }),
    server('slow', {
      state: 'starting',
      said: 'connecting…',
      summary: 'uvx slow',
      title: '',
      actions: ['stop', 'edit'],
    }),
  ];
  stage.details = {
    resources: {
      rows: [
        { name: 'README.md', description: 'file:///home/me/app/README.md' },
        { name: 'notes', description: 'file:///home/me/app/notes' },
      ],
      total: 2,
    },
    prompts: { rows: [{ name: 'summarize', description: 'Sums up a file' }], total: 1 },
  };
  stage.log = [
    { at: NOON, source: 'stderr', text: 'Secure MCP Filesystem Server running on stdio' },
    { at: NOON + 4000, source: 'belay', text: 'Calls “read_file”.' },
  ];
  stage.providers = { problems: [], rows: PROVIDER_ROWS };
  stage.tools = {
    modules: [
      {
        name: 'files',
        tools: [
          { name: 'search_text', description: 'Searches files.', on: true, note: 'reads' },
          { name: 'edit_file', description: 'Edits a file.', on: true, note: 'changes files' },
        ],
      },
      {
        name: 'terminal',
        tools: [
          { name: 'run_command', description: 'Runs a command.', on: true, note: 'acts' },
          {
            name: 'run_task',
            description: 'Runs a task of the workspace.',
            on: false,
            note: '',
          },
        ],
      },
    ],
  };
  stage.rules = [
    { effect: 'deny', command: 'git push' },
    { effect: 'ask', path: 'migrations/**', access: 'write' },
    { effect: 'allow', command: 'npm test', in: '/home/me/app' },
    { effect: 'allow', host: 'docs.example.org', off: true },
  ];
  stage.workspaceRules = [{ effect: 'allow', tool: '*' }];
  stage.memory = MEMORY;
  stage.usage = USAGE;
  stage.customizations = { trusted: true, rows: CUSTOMIZATIONS };
  stage.privacy = PRIVACY;
  stage.storage = STORAGE;
}

const file = (
  kind: CustomizationRow['kind'],
  name: string,
  source: string,
  more: Partial<CustomizationRow> = {},
): CustomizationRow => ({
  kind,
  name,
  description: '',
  path: `/w/${source}`,
  source,
  said: 'on',
  inForce: true,
  on: true,
  tokens: 300,
  problems: [],
  ...more,
});

const CUSTOMIZATIONS: readonly CustomizationRow[] = [
  file('instructions', 'AGENTS.md', 'AGENTS.md', { said: 'in force', tokens: 1200 }),
  file('instructions', 'CLAUDE.md', 'CLAUDE.md', {
    said: 'not in force: AGENTS.md counts',
    inForce: false,
  }),
  file('instructions', 'python.instructions.md', '.github/instructions/python.instructions.md', {
    said: 'named to the model; in force for **/*.py',
    inForce: false,
  }),
  file('persona', 'reviewer', '.belay/personas/reviewer.md', {
    description: 'Looks for bugs, changes nothing',
    problems: ['Line 4: “baseUrl” has no effect in Belay.'],
  }),
  file('skill', 'release', '.claude/skills/release/SKILL.md', {
    description: 'How a release is made and checked.',
    on: false,
    said: 'off',
    inForce: false,
  }),
  file('skill', 'linked', '.claude/skills/linked/SKILL.md', {
    said: 'not used: it leads out of the workspace',
    on: null,
    inForce: false,
    tokens: null,
  }),
  file('command', '/review', '.belay/commands/review.md', { description: 'Reviews a file' }),
];

const PRIVACY: PrivacyView = {
  receivers: [
    {
      name: 'Anthropic',
      place: 'api.anthropic.com',
      gets: 'Your messages, the files and results that the agent reads, and the instructions of your project: in new sessions, as set.',
      local: false,
    },
    {
      name: 'MCP server files',
      place: 'a program on this machine',
      gets: 'The arguments of calls of its tools. It runs with your rights; what it sends on is its own matter.',
      local: true,
    },
  ],
  protections: [
    {
      name: 'Secrets in what tools read',
      on: true,
      said: 'Keys, tokens and passwords are hidden from models.',
      setting: 'secrets.maskToolOutput',
    },
    {
      name: 'Sandbox for commands',
      on: false,
      said: 'Commands run as you do, after your yes or your rules.',
      setting: 'terminal.sandbox',
    },
    { name: 'Telemetry', on: null, said: 'There is none.', setting: null },
  ],
};

const STORAGE: StorageView = {
  sessions: 12,
  places: [
    {
      name: 'Sessions, messages, pending changes',
      path: '/home/me/.config/Code/User/workspaceStorage/0a1b2c3d4e5f/belay.belay/data/belay.db',
      bytes: 18_400_000,
    },
    {
      name: 'Checkpoints: copies of your files',
      path: '/home/me/.config/Code/User/workspaceStorage/0a1b2c3d4e5f/belay.belay/data/snapshots',
      bytes: 231_000_000,
    },
    { name: 'Log', path: '/home/me/.config/Code/logs/belay', bytes: 42_000 },
  ],
  checkpoints: {
    title: 'Checkpoints of this workspace take 220 MB of at most 1,024 MB.',
    lines: [
      '41 before requests and 230 of calls that changed files; the oldest is of yesterday.',
      'Each is kept for 30 days at most; when there is too little room the oldest go first.',
    ],
  },
};
