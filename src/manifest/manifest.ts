import type { Json, JsonObject } from '../domain/data/json.ts';
import {
  type CommandDeclaration,
  COMMANDS,
  NEVER,
  ofView,
  TITLE_COMMANDS,
  toTitleCommand,
  VIEW_COMMANDS,
} from './commands.ts';
import { CENTER_TAB, CHAT_PARTICIPANT, APPROVAL_SCHEME, SESSION_TAB } from './context-key-names.ts';
import { configuration, restrictedConfigurations } from './configuration.ts';
import { lentTools } from './lent-tools.ts';
import { MENUS } from './menus.ts';
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

/** The commands that the palette or a menu offers; Belay registers all. */
const declarations = (): Declared[] =>
  Object.entries(COMMANDS).filter(([id, { when }]: Declared) => when !== NEVER || IN_MENUS.has(id));

const IN_MENUS: ReadonlySet<string> = new Set(
  Object.values(MENUS).flatMap((items) => items.map(({ command }) => command)),
);

function commands(): Json {
  const ofTheView = VIEW_COMMANDS.map((id) => [ofView(id), COMMANDS[id]] as const);
  // Words, not icons.
  const inTitles = TITLE_COMMANDS.map((id) => {
    const { title, shortTitle } = COMMANDS[id];
    return [toTitleCommand(id), { title, shortTitle }] as const;
  });
  return [...declarations(), ...ofTheView, ...inTitles].map(
    ([command, { title, shortTitle, icon }]: Declared) => ({
      command,
      category: 'Belay',
      title,
      ...(shortTitle === undefined ? {} : { shortTitle }),
      ...(icon === undefined ? {} : { icon }),
    }),
  );
}

function menus(): JsonObject {
  return Object.fromEntries(
    Object.entries(MENUS).map(([menu, items]) => [menu, items.map((item) => ({ ...item }))]),
  );
}

function palette(): Json {
  return [
    ...declarations().flatMap(([command, { when }]) =>
      when === undefined ? [] : [{ command, when }],
    ),
    ...[...VIEW_COMMANDS.map(ofView), ...TITLE_COMMANDS.map(toTitleCommand)].map((command) => ({
      command,
      when: NEVER,
    })),
  ];
}

function keybindings(): Json {
  return declarations().flatMap(([command, { key }]) =>
    key === undefined
      ? []
      : [
          {
            command,
            key: key.all,
            mac: key.mac,
            ...(key.when === undefined ? {} : { when: key.when }),
          },
        ],
  );
}
