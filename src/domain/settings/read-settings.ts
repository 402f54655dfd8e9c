import { inEnglish, told, type Told } from '../text/told.ts';
import { type Setting, expectation, presentValue } from './setting.ts';
import { type SettingKey, type Settings, type SettingValues, SETTINGS } from './settings.ts';

/** A value that was refused, as a sentence that names it. */
export interface SettingProblem {
  readonly key: string;
  readonly message: Told;
}

/** Checks a raw value; `undefined` as result means: use the default, and `problem` says why. */
export function checkSetting(
  key: string,
  raw: unknown,
): { value?: unknown; problem?: SettingProblem } {
  const setting: Setting | undefined = Object.hasOwn(SETTINGS, key)
    ? SETTINGS[key as SettingKey]
    : undefined;
  if (setting === undefined) {
    return { problem: { key, message: told`There is no setting belay.${key}.` } };
  }
  const value = presentValue(setting, raw);
  const expected = expectation(setting, value);
  if (expected === undefined) return { value };
  const shown = JSON.stringify(raw) ?? 'undefined';
  const instead =
    setting.type === 'objects' && isRules(key)
      ? told`Until it is put right, everything is asked about.`
      : told`The default ${JSON.stringify(setting.default)} is used.`;
  return {
    problem: {
      key,
      message: told`The setting belay.${key} is ${shown.slice(0, 80)}, but ${expected}. ${instead}`,
    },
  };
}

/** Lists that forbid. */
const isRules = (key: string): boolean =>
  key === 'permissions.rules' || key === 'permissions.workspaceRules';

/** Sentences for the entries inside a value that are passed over, by the code that uses it. */
export type EntryChecks = {
  readonly [Key in SettingKey]?: (value: SettingValues[Key]) => readonly Told[];
};

/** Makes a reader over raw values. `report` hears of each bad value and entry once. */
export function settingsFrom(
  raw: (key: SettingKey) => unknown,
  report: (problem: SettingProblem) => void,
  entries: EntryChecks = {},
): Settings {
  const reported = new Set<string>();
  const reportOnce = (problem: SettingProblem): void => {
    const said = inEnglish(problem.message);
    if (reported.has(said)) return;
    reported.add(said);
    report(problem);
  };
  return <Key extends SettingKey>(key: Key): SettingValues[Key] => {
    const given = raw(key);
    if (given === undefined) return SETTINGS[key].default as SettingValues[Key];
    const checked = checkSetting(key, given);
    if (checked.problem !== undefined) {
      reportOnce(checked.problem);
      // A list that forbids must not count for nothing: one entry that cannot be read makes everything ask.
      if (isRules(key)) return [[given]] as unknown as SettingValues[Key];
      return SETTINGS[key].default as SettingValues[Key];
    }
    const value = checked.value as SettingValues[Key];
    for (const message of entries[key]?.(value) ?? []) reportOnce({ key, message });
    return value;
  };
}
