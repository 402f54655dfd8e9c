import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Setting } from '../../../domain/settings/setting.ts';
import type { SettingKey, Settings } from '../../../domain/settings/settings.ts';
import {
  findSettingObject,
  SETTING_OBJECT_NAMES,
  type SettingObject,
  toDeclaredKey,
} from '../../../domain/settings/setting-objects.ts';
import { inWords, told } from '../../../domain/text/told.ts';
import type { SettingProblem } from '../../../domain/settings/read-settings.ts';
import { SETTINGS } from '../../../domain/settings/settings.ts';
import { settingsFrom } from '../../../domain/settings/read-settings.ts';
import { ENTRY_CHECKS } from '../../../providers/setting-checks.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';

const SECTION = 'belay';
const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Key of the problem that stands for all keys of an earlier version. */
const OLD_KEYS = '*';

/** Belay's settings as VS Code keeps them: always valid, a bad value is reported once, by name (E7). */
export class SettingsReader implements Disposable {
  /** Reads one setting: the present value, every time. */
  readonly get: Settings;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners<ReadonlySet<SettingKey>>());
  /** Values as they were read: VS Code computes them anew each time, and a list of models asks for some at each model. */
  readonly #raw = new Map<SettingKey, unknown>();

  readonly #report: (problem: SettingProblem) => void;

  constructor(report: (problem: SettingProblem) => void = warn) {
    this.#report = report;
    this.get = settingsFrom((key) => this.#read(key), report, ENTRY_CHECKS);
    this.#lifetime.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        this.#raw.clear();
        const keys = new Set(
          KEYS.filter((key) => event.affectsConfiguration(`${SECTION}.${toDeclaredKey(key)}`)),
        );
        if (keys.size === 0) return;
        this.check(keys);
        this.#changed.fire(keys);
      }),
    );
  }

  #read(key: SettingKey): unknown {
    if (!this.#raw.has(key)) this.#raw.set(key, rawSetting(key));
    return this.#raw.get(key);
  }

  /** Says at once what is wrong, not when the value is first needed. */
  check(keys: Iterable<SettingKey> = KEYS): void {
    const declared = new Set<string>();
    for (const key of keys) {
      this.get(key);
      declared.add(toDeclaredKey(key));
    }
    for (const object of SETTING_OBJECT_NAMES) if (declared.has(object)) this.#checkObject(object);
  }

  /** Reports a value that is no object: all settings in it have their defaults. */
  #checkObject(key: SettingObject): void {
    const value = readObject(key);
    if (value === undefined || isJsonObject(value)) return;
    const shown = JSON.stringify(value);
    this.#report({
      key,
      message: told`The setting belay.${key} is ${shown}, but an object is expected. The defaults are used.`,
    });
  }

  /** Reports, as one notice, the settings that still have the key of an earlier version. */
  async checkOldKeys(): Promise<void> {
    const { describeOldSettings } = await import('../../../domain/settings/old-settings.ts');
    const section = vscode.workspace.getConfiguration(SECTION);
    const message = describeOldSettings((key) => {
      const found = section.inspect(key);
      return plain(found?.globalValue ?? found?.workspaceValue ?? found?.workspaceFolderValue);
    });
    if (message !== undefined) this.#report({ key: OLD_KEYS, message });
  }

  /** VS Code's own settings of its proxy, empty where there are none; `undefined`: it uses none. */
  get proxy(): { readonly url: string; readonly without: readonly string[] } | undefined {
    const http = vscode.workspace.getConfiguration('http');
    if (http.get('proxySupport') === 'off') return undefined;
    return { url: http.get('proxy', ''), without: http.get('noProxy', []) };
  }

  /** Sets a value in the user's own settings. */
  async write(key: SettingKey, value: unknown): Promise<void> {
    const place = findSettingObject(key);
    const others = place === undefined ? undefined : readObject(place.object);
    const changed =
      place === undefined
        ? value
        : { ...(isJsonObject(others) ? others : {}), [place.property]: value };
    await vscode.workspace
      .getConfiguration(SECTION)
      .update(toDeclaredKey(key), changed, vscode.ConfigurationTarget.Global);
    this.#raw.delete(key);
  }

  /** Hears the keys that changed. */
  readonly onChanged = this.#changed.listen;

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** `undefined` where nobody set a value, so that the table's default holds, not a copy of it. */
function rawSetting(key: SettingKey): unknown {
  const place = findSettingObject(key);
  if (place !== undefined) {
    const values = readObject(place.object);
    return isJsonObject(values) && Object.hasOwn(values, place.property)
      ? values[place.property]
      : undefined;
  }
  const section = vscode.workspace.getConfiguration(SECTION);
  const found = section.inspect(key);
  const setting: Setting = SETTINGS[key];
  if (setting.type === 'list' && setting.joined === true) return joined(found);
  const set =
    found !== undefined &&
    Object.entries(found).some(
      ([where, value]) =>
        value !== undefined && /^(global|workspace|workspaceFolder)(Language)?Value$/u.test(where),
    );
  return set ? plain(section.get(key)) : undefined;
}

/** Reads an object from the user's settings: a workspace could set its properties by keys that have no scope. */
const readObject = (key: SettingObject): unknown =>
  plain(vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue);

/** The lists of every scope as one; `undefined` where there is none, and the first that is no list. */
function joined(found: ReturnType<vscode.WorkspaceConfiguration['inspect']>): unknown {
  const given = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue]
    .filter((value) => value !== undefined)
    .map(plain);
  if (given.length === 0) return undefined;
  return given.find((value) => !Array.isArray(value)) ?? [...new Set(given.flat())];
}

/** VS Code hands out proxies that throw when they are changed or cloned. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function warn(problem: SettingProblem): void {
  void vscode.window
    .showWarningMessage(inWords(problem.message), l10n.t('Open Settings'))
    .then((chosen) => (chosen === undefined ? undefined : openSettings(problem.key)));
}

/** Opens the settings editor at Belay's settings, or at one of them. */
export function openSettings(key?: string): Thenable<unknown> {
  // The settings editor does not show keys that no manifest declares; the file does.
  if (key === OLD_KEYS) return vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const query = key === undefined ? '@ext:belay.belay' : `@id:${SECTION}.${toDeclaredKey(key)}`;
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
