/**
 * Every setting of Belay, once (E7): the manifest's `contributes.configuration` is generated
 * from this table (`npm run manifest`), a test compares them, and both hosts read through it.
 * Keys are without the `belay.` prefix.
 */
import { type Mode, MODE_WORDS, RENAMED_MODES } from '../permissions/permission-mode.ts';
import { ADVANCED_SETTINGS } from './advanced-settings.ts';
import { AGENT_SETTINGS } from './agent-settings.ts';
import { BUDGET_SETTINGS } from './budget-settings.ts';
import { MCP_SETTINGS } from './mcp-settings.ts';
import { WEB_SETTINGS } from './web-settings.ts';
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts';
import {
  type ObjectSetting,
  type Setting,
  type ValueOf,
  choice,
  flag,
  integer,
  list,
  number,
  objects,
  text,
} from './setting.ts';

export type { Setting } from './setting.ts';

/** A mode with its name: VS Code shows the value of a setting in its own form. */
const modeSaid = (mode: Mode): string => `${MODE_WORDS[mode].name}: ${MODE_WORDS[mode].does}`;

export const SETTINGS = {
  // the model
  'model.name': text(
    '',
    'application',
    'Model for new sessions. Empty: the provider’s default. `demo` is the built-in demo model, which needs no key.',
  ),
  'model.fallbacks': list(
    [],
    'application',
    'Models asked in this order when the chosen one fails for good. The model that really answered is shown and recorded.',
  ),
  'model.favorites': list(
    [],
    'application',
    'Models that stand first in the list of models; a star there puts them here.',
  ),
  'model.baseUrl': text(
    '',
    'application',
    'Base URL of an API compatible with Anthropic Messages. Empty: the public API. The key is never sent to another origin by a redirect.',
    '^$|^https?://.*',
  ),
  'model.keyVariable': text(
    '',
    'application',
    'Variable of the environment that holds the key of the default provider, such as `ANTHROPIC_API_KEY`, or `ANTHROPIC_AUTH_TOKEN` for a bearer token. Empty: none is read; **Belay: Set API Key…** offers those that are set.',
    '^$|^[A-Z][A-Z0-9_]{1,60}$',
  ),
  'model.contextLimit': integer(
    0,
    0,
    10_000_000,
    'application',
    'Context window in tokens. `0`: from the catalog, or 8,192 for an unknown model.',
  ),
  'model.maxOutputTokens': integer(
    0,
    0,
    1_000_000,
    'application',
    'Most tokens of one answer. `0`: from the catalog.',
  ),
  'model.thinking': choice(
    'off',
    {
      off: 'No extended thinking.',
      low: 'A little.',
      medium: 'More.',
      high: 'As much as the model allows.',
    },
    'window',
    'How much the model thinks before it answers.',
  ),
  'model.temperature': number(
    -1,
    -1,
    2,
    'application',
    'How freely the model picks its words: `0` is the most predictable. `-1`: the model’s own. Not sent to models that do not take it.',
  ),
  'model.topP': number(
    -1,
    -1,
    1,
    'application',
    'Part of the likely words that the model picks from. `-1`: the model’s own. Not sent to models that do not take it.',
  ),
  'systemPrompt.add': text(
    '',
    'application',
    'What you want of the agent in every session, added to its instructions.',
  ),
  'systemPrompt.replace': text(
    '',
    'application',
    'Takes the place of Belay’s own instructions for the agent. What it may do in each mode, and the instructions of the project, are still said. Empty: Belay’s own.',
  ),
  'model.cacheTtl': choice(
    '5m',
    { '5m': 'Five minutes.', '1h': 'One hour; writing to the cache costs more.' },
    'application',
    'How long the provider keeps the prompt cache.',
  ),
  'model.catalog': {
    type: 'object',
    default: {},
    scope: 'application',
    description:
      'What Belay should know of models, by id or `provider/id`: `contextWindow`, `maxOutputTokens`, `prices` (`input`, `output`, `cacheRead`, `cacheWrite` in dollars per million tokens), `thinking`, `vision`, `imageSide` (pixels of the longer side of a picture; larger ones are made smaller). Wins over what a provider lists, and that over the bundled catalog.',
  } as ObjectSetting,
  'model.providers': {
    type: 'object',
    default: {},
    scope: 'application',
    description:
      'Providers of models beside Anthropic, by a name of your choice; their models are `name/model`. Each has a `preset` (`openai`, `openrouter`, `groq`, `ollama`, …) or a `wire` (`chat`, `messages`, `responses`, `gemini`) with a `baseUrl`. Made by *Belay: Add Model Provider…*; keys are in no setting.',
  } as ObjectSetting,
  // the review of changes
  'review.codeLens': flag(
    true,
    'window',
    'Show buttons to keep, undo and comment above each pending change, with who made it. In diff editors they also need `diffEditor.codeLens`.',
  ),
  // the loop
  'loop.maxIterations': integer(
    50,
    1,
    100_000,
    'window',
    'Model calls in one run before it pauses and offers Continue.',
  ),
  'loop.resume': choice(
    'ask',
    {
      ask: 'You choose Resume for each run that was interrupted.',
      auto: 'A run goes on by itself when it was only reading. Other runs wait for you.',
    },
    'application',
    'What happens, when VS Code starts, to runs that were interrupted because it closed or crashed. A run never goes on by itself if you stopped it, if it waits for you, if its instructions or tools have changed, in a workspace that is not trusted, or after a loss in the database.',
  ),
  // the context
  'context.strategy': choice(
    'summarize',
    { summarize: 'Older messages are summarized.', none: 'Never compacted automatically.' },
    'window',
    'What happens when the context window fills up.',
  ),
  'context.compactAt': number(
    0.7,
    0.1,
    0.95,
    'window',
    'Share of the context window at which older messages are summarized.',
  ),
  ...BUDGET_SETTINGS,
  ...AGENT_SETTINGS,
  // tools
  'terminal.integrated': flag(
    false,
    'window',
    'Run commands in a terminal that you see, can type into and interrupt, instead of as plain processes with their output on the card. Needs bash and shell integration. Commands then really wait when they ask something, up to their time limit, and long outputs are slower. Commands in the background are always plain processes.',
  ),
  'terminal.sandbox': choice(
    'off',
    {
      off: 'Commands run as you do, after your yes or your rules.',
      on: 'Commands write only in the workspace and a private temp folder, see no credentials, and reach only hosts that your rules allow. In the modes Edit and Auto, a command that changes no files of the workspace runs without approval: read-only, and without secrets, `.git` and most of your home folder. Where the sandbox does not start, commands fail.',
    },
    'application',
    'Runs the agent’s commands in a sandbox of the operating system. Needs `npm install -g @anthropic-ai/sandbox-runtime`, on Linux also bubblewrap, socat and ripgrep; there is none on Windows. An exception is asked about each time.',
  ),
  'tools.disabled': list(
    [],
    'window',
    'Names of tools that are not offered to the model; the Control Center switches them. A workspace can switch off more, not less.',
    { joined: true },
  ),
  'permissions.mode': choice(
    'edit',
    {
      read: modeSaid('read'),
      plan: modeSaid('plan'),
      ask: modeSaid('ask'),
      edit: modeSaid('edit'),
      auto: modeSaid('auto'),
    },
    'application',
    'What Belay may do without asking. Can be changed for each session in the panel.',
    RENAMED_MODES,
  ),
  'secrets.maskToolOutput': flag(
    true,
    'application',
    'What tools read is shown to the model without the keys, tokens and passwords in it. Without it the model sees them as they are.',
  ),
  'tools.extensions': flag(
    false,
    'application',
    'Offers the model the tools that other extensions bring for language models. Belay asks before it uses one, unless a rule of yours decides.',
  ),
  'memory.enabled': flag(
    true,
    'application',
    'Notes that outlive their session: the model may keep facts for later ones, and those that fit your message go with it. They are shown, changed and removed in the Control Center. Without it nothing is kept or recalled; the notes stay.',
  ),
  'language.diagnosticsAfterEdit': flag(
    true,
    'window',
    'After an edit, tells the model of errors and warnings in that file that were not there before.',
  ),
  'permissions.rules': objects(
    'application',
    'Your permission rules: each has an `effect` (`allow`, `ask`, `deny`) and one of `command`, `commands` (a kind of them), `path` (with `access`), `host`, `server` (with `serverTool`) or `tool`; `in` limits it to a folder, `off` switches it off. Deny wins over ask, ask over allow. The Control Center lists and tests them.',
  ),
  'permissions.workspaceRules': objects(
    'window',
    'Rules of this workspace, beside those in `.belay/permissions.json`. They only make things stricter: an `allow` here counts for nothing.',
  ),
  'identity.defaultLevel': choice(
    'owner',
    {
      guest: 'Reading and searching.',
      user: 'Also edits, commands, web and MCP tools.',
      admin: 'Also git writes, starting MCP servers of a workspace, exceptions from the sandbox.',
      owner: 'Also changing rules, budgets and personas by tool.',
    },
    'application',
    'Your level. In a workspace that is not trusted everyone is a guest.',
  ),
  'identity.guestModules': list(
    ['files', 'search', 'language', 'git', 'human', 'skills', 'memory', 'journal'],
    'application',
    'Modules of tools that guests have where no persona is in force.',
  ),
  personas: objects(
    'application',
    'Your personas, beside the files of `~/.belay/personas`: each has a `name`, `instructions` and, as it likes, `description`, `prompt` (`replace`: they take the place of Belay’s own), `model`, `tools`, `modules`, `maxTokens`, `level`, `temperature`, `topP` and `default` (`true`, `vscode`, `headless` or a folder: where it is in force unchosen).',
  ),
  // checkpoints
  'checkpoints.maxSize': integer(
    2048,
    0,
    1_000_000,
    'application',
    'Megabytes that the checkpoints of a workspace may take: the oldest go first. `0`: no checkpoints, and files cannot be restored.',
  ),
  'checkpoints.keepDays': integer(
    30,
    1,
    3650,
    'application',
    'Days for which checkpoints are kept.',
  ),
  ...MCP_SETTINGS,
  ...WEB_SETTINGS,
  ...TELEMETRY_SETTINGS,
  ...ADVANCED_SETTINGS,
  // records
  'log.level': choice(
    'info',
    {
      error: 'Errors only.',
      warn: 'Warnings, too.',
      info: 'What happens.',
      debug: 'Everything, without content.',
    },
    'application',
    'How much the log file says.',
  ),
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;

/** The value type of each setting. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof SETTINGS)[Key]> };

/** Reads a setting; always a valid value: a bad one was replaced by the default and reported. */
export type Settings = <Key extends SettingKey>(key: Key) => SettingValues[Key];
