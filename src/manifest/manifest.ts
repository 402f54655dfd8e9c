import type { Json, JsonObject } from '../domain/data/json.ts';
import { type CommandDeclaration, COMMANDS, NEVER } from './commands.ts';
import { CENTER_TAB, CHAT_PARTICIPANT, APPROVAL_SCHEME, SESSION_TAB } from './context-key-names.ts';
import { configuration, restrictedConfigurations } from './configuration.ts';
import { lentTools } from './lent-tools.ts';
import { walkthroughs } from './walkthrough.ts';

/**
 * The parts of package.json that follow from Belay's own tables: `npm run manifest` writes them,
 * a test compares them.
 */
export function manifest(): { [part: string]: Json } {
  return {
    description:
      'A coding agent in the sidebar that you can trust with your work: every edit reviewed, every run resumable.',
    // The view and the commands activate Belay, as VS Code sees to by itself. Besides, the start of VS Code,
    // for what was left behind; and what a reload left open: diffs of approvals, without whose file system
    // VS Code could only show an error, the Control Center and sessions.
    activationEvents: [
      'onStartupFinished',
      `onFileSystem:${APPROVAL_SCHEME}`,
      `onWebviewPanel:${CENTER_TAB}`,
      `onWebviewPanel:${SESSION_TAB}`,
    ],
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        description:
          'In an untrusted workspace Belay only reads and searches: no edits, no commands, no MCP servers of the workspace, and none of its settings.',
        restrictedConfigurations: restrictedConfigurations(),
      },
      virtualWorkspaces: {
        supported: false,
        description:
          'Belay works on files and runs commands on the machine that holds them; a virtual workspace has neither.',
      },
    },
    contributes: contributes(),
  };
}

function contributes(): JsonObject {
  return {
    viewsContainers: {
      activitybar: [{ id: 'belay', title: 'Belay', icon: 'media/belay.svg' }],
    },
    views: {
      belay: [
        {
          id: 'belay.panel',
          name: 'Belay',
          type: 'webview',
          icon: 'media/belay.svg',
          contextualTitle: 'Belay',
        },
      ],
    },
    commands: commands(),
    menus: {
      commandPalette: palette(),
      ...menus(),
    },
    keybindings: keybindings(),
    configuration: configuration(),
    walkthroughs: walkthroughs(),
    chatParticipants: [
      {
        id: CHAT_PARTICIPANT,
        name: 'belay',
        fullName: 'Belay',
        description: 'Works on your task with tools, asks you first, and has its changes reviewed',
        isSticky: true,
      },
    ],
    languageModelTools: [...lentTools()],
  };
}

type Declared = readonly [string, CommandDeclaration];

const declarations = (): Declared[] => Object.entries(COMMANDS);

/** The commands of the table, and those of their places that mean something else. */
function commands(): Json {
  const variants = declarations().flatMap(([id, { title, shortTitle, icon, places = [] }]) =>
    [...new Set(places.flatMap(({ as }) => as ?? []))].map((as): Declared => [
      `${id}.${as}`,
      as === 'title'
        ? { title, ...(shortTitle === undefined ? {} : { shortTitle }) }
        : { title, ...(icon === undefined ? {} : { icon }) },
    ]),
  );
  return [...declarations(), ...variants].map(
    ([command, { title, shortTitle, icon }]: Declared) => ({
      command,
      category: 'Belay',
      title,
      ...(shortTitle === undefined ? {} : { shortTitle }),
      ...(icon === undefined ? {} : { icon }),
    }),
  );
}

/** The menus beside the palette, by their names. */
function menus(): JsonObject {
  const all = declarations().flatMap(([id, { places = [] }]) =>
    places.map(({ menu, when, group, as }) => {
      const command = as === undefined ? id : `${id}.${as}`;
      return { menu, item: { command, when, group } };
    }),
  );
  const byMenu = Map.groupBy(all, ({ menu }) => menu);
  return Object.fromEntries(
    [...byMenu].map(([menu, rows]) => [menu, rows.map(({ item }) => item)]),
  );
}

/** Conditions of the palette; a command without one is always offered. */
function palette(): Json {
  return declarations().flatMap(([command, { when, places = [] }]) => [
    ...(when === undefined ? [] : [{ command, when }]),
    ...[...new Set(places.flatMap(({ as }) => as ?? []))].map((as) => ({
      command: `${command}.${as}`,
      when: NEVER,
    })),
  ]);
}

function keybindings(): Json {
  return declarations().flatMap(([command, { key }]) =>
    key === undefined
      ? []
      : [
          {
            command,
            key: key.keys,
            mac: key.keys.replaceAll('ctrl', 'cmd'),
            ...(key.when === undefined ? {} : { when: key.when }),
          },
        ],
  );
}
