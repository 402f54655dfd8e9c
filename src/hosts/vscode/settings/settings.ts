import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Setting } from '../../../domain/settings/setting.ts';
import type { SettingKey, Settings } from '../../../domain/settings/settings.ts';
import { inWords } from '../../../domain/text/told.ts';
import type { SettingProblem } from '../../../domain/settings/read-settings.ts';
import { SETTINGS } from '../../../domain/settings/settings.ts';
import { settingsFrom } from '../../../domain/settings/read-settings.ts';
import { ENTRY_CHECKS } from '../../../providers/setting-checks.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';

const SECTION = 'belay';
const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Belay's settings as VS Code keeps them: always valid, a bad value is reported once, by name (E7). */
export class SettingsReader implements Disposable {
  /** Reads one setting: the present value, every time. */
  readonly get: Settings;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners<ReadonlySet<SettingKey>>());
  /** Values as they were read: VS Code computes them anew each time, and a list of models asks for some at each model. */
  readonly #raw = new Map<SettingKey, unknown>();

  constructor(report: (problem: SettingProblem) => void = warn) {
    this.get = settingsFrom((key) => this.#read(key), report, ENTRY_CHECKS);
    this.#lifetime.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        this.#raw.clear();
        const keys = new Set(KEYS.filter((key) => event.affectsConfiguration(`${SECTION}.${key}`)));
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
    for (const key of keys) this.get(key);
  }

  /** VS Code's own settings of its proxy, empty where there are none; `undefined`: it uses none. */
  get proxy(): { readonly url: string; readonly without: readonly string[] } | undefined {
    const http = vscode.workspace.getConfiguration('http');
    if (http.get('proxySupport') === 'off') return undefined;
    return { url: http.get('proxy', ''), without: http.get('noProxy', []) };
  }

  /** Sets a value in the person's own settings. */
  async write(key: SettingKey, value: unknown): Promise<void> {
    await vscode.workspace
      .getConfiguration(SECTION)
      .update(key, value, vscode.ConfigurationTarget.Global);
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
  const query = key === undefined ? '@ext:belay.belay' : `@id:${SECTION}.${key}`;
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
