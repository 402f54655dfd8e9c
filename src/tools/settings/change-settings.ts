import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { personaProblems } from '../../core/customizations/read-persona.ts';
import { readRule } from '../../core/permissions/rules/read-rule.ts';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { fault } from '../../domain/failure.ts';
import { NAME_CHECKS } from '../../domain/settings/name-checks.ts';
import { type OwnerSetting, OWNER_SETTINGS } from '../../domain/settings/owner-settings.ts';
import { expectation } from '../../domain/settings/setting.ts';
import { SETTINGS } from '../../domain/settings/settings.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { told, type Told } from '../../domain/text/told.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { changeSettingsFace } from './change-settings-face.ts';

const schema = z.strictObject({
  setting: z.enum(OWNER_SETTINGS),
  value: z
    .string()
    .check(
      z.minLength(1),
      z.describe(
        'JSON; for permissions.rules and personas one entry, which is added (a persona of that name is replaced)',
      ),
    ),
});

/** The part of a value that the card's title line shows. */
const MAX_NOTE_CHARS = 60;

type Change = z.output<typeof schema>;

/** Changes levels, budgets, rules and personas. Hidden until the user uses levels or personas. */
export function changeSettingsTool({ ownerSettings, settings }: ToolParts): Tool {
  const plan = (change: Change): { readonly value: unknown; readonly detail: string } => {
    const old: unknown = settings(change.setting);
    const value = nextValue(change, old);
    if (JSON.stringify(value) === JSON.stringify(old))
      throw refused(told`belay.${change.setting} has this value already.`);
    const detail = `${l10n.t('Old value')}:\n${show(old)}\n\n${l10n.t('New value')}:\n${show(value)}`;
    return { value, detail };
  };
  return defineTool(changeSettingsFace, {
    description:
      'Changes a setting of Belay for all workspaces: level, modules of guests, budgets (0: no limit), permission rules, personas. Only when the user asks for it; they approve each change.',
    schema,
    rare: true,
    sideEffects: true,
    lasting: true,
    level: 'owner',
    module: 'settings',
    permission: 'execute',
    available: async () => (await ownerSettings?.areUsed()) === true,
    exception: ({ setting }) =>
      told`It changes belay.${setting}, a setting that decides what agents may do or cost.`,
    preview: async (change) =>
      Promise.resolve({
        title: l10n.t('Change the setting {0}', `belay.${change.setting}`),
        detail: plan(change).detail,
      }),
    run: async (change, { preview }) => {
      const { value, detail } = plan(change);
      if (ownerSettings === undefined) throw refused(told`Settings can't be changed here.`);
      if (detail !== preview?.detail)
        throw refused(told`belay.${change.setting} has changed since the user approved this.`);
      await ownerSettings.write(change.setting, value);
      return {
        content: [{ type: 'text', text: `belay.${change.setting} was changed.` }],
        display: {
          kind: 'setting' as const,
          setting: change.setting,
          value: change.value.slice(0, MAX_NOTE_CHARS),
        },
      };
    },
  });
}

/** Returns the setting's whole new value. Throws `BelayError` `invalid` for one that the setting does not allow. */
function nextValue({ setting, value }: Change, old: unknown): unknown {
  const given = parse(value);
  if (setting === 'permissions.rules') return [...listOf(setting, old), ruleOf(given)];
  if (setting === 'personas') {
    const persona = personaOf(given);
    const others = listOf(setting, old).filter(
      (one) => !isJsonObject(one) || one['name'] !== persona['name'],
    );
    return [...others, persona];
  }
  const expected = expectation(SETTINGS[setting], given);
  if (expected !== undefined) throw refused(told`value does not fit: ${expected}.`);
  if (setting === 'identity.guestModules')
    refuseFirst(NAME_CHECKS[setting]?.(given as readonly string[]));
  return given;
}

/** A setting that can't be read is a list in a list: writing to it would lose what it holds. */
function listOf(setting: OwnerSetting, old: unknown): readonly unknown[] {
  if (Array.isArray(old) && !old.some(Array.isArray)) return old;
  throw refused(told`belay.${setting} is not a list now. Ask the user to fix it in the settings.`);
}

function ruleOf(given: unknown): unknown {
  const read = readRule(given);
  if ('problem' in read) throw refused(told`value is not a permission rule: ${read.problem}`);
  return given;
}

function personaOf(given: unknown): JsonObject {
  if (!isJsonObject(given) || typeof given['name'] !== 'string' || given['name'].trim() === '')
    throw refused(told`value is not a persona: it needs a name.`);
  refuseFirst(personaProblems([given]));
  return given;
}

/** Throws the first of the problems that the setting's own check finds. */
function refuseFirst([problem]: readonly Told[] = []): void {
  if (problem !== undefined) throw refused(told`value does not fit: ${problem}`);
}

/** Reads JSON; any other text stands for itself, as a level's name does. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const refused = (why: Told): Error => fault('invalid', told`${why} Nothing was changed.`);

const show = (value: unknown): string => makeVisible(JSON.stringify(value, null, 2));
