import { statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../domain/data/json.ts';
import { readRule } from '../../../core/permissions/rules/read-rule.ts';
import { type PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import type { SessionYeses } from '../../../core/permissions/permissions.ts';
import { SETTINGS, type SettingKey } from '../../../domain/settings/settings.ts';
import type { Proxies } from '../proxies.ts';
import { ArgumentError } from './arguments.ts';

/** A window's order to go on with a session's run in the background; it comes over standard input, as it has keys in it. */
export interface BackgroundOrder {
  readonly sessionId: string;
  /** As the window has them, without `belay.`. */
  readonly settings: Readonly<Partial<Record<SettingKey, unknown>>>;
  readonly yeses: SessionYeses;
  /** Keys of providers, by the provider's id. */
  readonly keys: Readonly<Record<string, string>>;
  /** Addresses that had a key: nothing is sent there without one. */
  readonly keyed: readonly string[];
  /** Keys of services that search the web, by their name. */
  readonly searchKeys: Readonly<Record<string, string>>;
  readonly telemetryKey?: string;
  /** Absolute, at least one. */
  readonly roots: readonly [string, ...string[]];
  /** Folders that no tool reads or writes, absolute; the first has the database. */
  readonly ownFolders: readonly [string, ...string[]];
  /** Where usage of all workspaces is kept, and what this one is called there. */
  readonly person: { readonly folder: string; readonly name: string };
  /** Programs that search, absolute, the first that is there is taken; empty: the one on the path. */
  readonly ripgrep: readonly string[];
  /** MCP servers that the person switched off. */
  readonly serversOff: readonly string[];
  readonly proxies: Proxies;
}

/** Reads an order. Throws `ArgumentError`, whose sentence has nothing of the order in it but names of its fields. */
export function readOrder(text: string): BackgroundOrder {
  const given = objectIn(text);
  const person = objectAt(given, 'person');
  const yeses = objectAt(given, 'yeses');
  const order: BackgroundOrder = {
    sessionId: textAt(given, 'sessionId'),
    settings: settingsAt(given),
    yeses: {
      rules: rulesAt(yeses),
      files: textsAt(yeses, 'files'),
      contacted: textsAt(yeses, 'contacted'),
      believed: textsAt(yeses, 'believed'),
    },
    keys: textsByName(given, 'keys'),
    keyed: textsAt(given, 'keyed'),
    searchKeys: textsByName(given, 'searchKeys'),
    ...(given['telemetryKey'] === undefined ? {} : { telemetryKey: textAt(given, 'telemetryKey') }),
    roots: foldersAt(given, 'roots'),
    ownFolders: foldersAt(given, 'ownFolders'),
    person: { folder: textAt(person, 'folder'), name: textAt(person, 'name', true) },
    ripgrep: textsAt(given, 'ripgrep'),
    serversOff: textsAt(given, 'serversOff'),
    proxies: textsByName(given, 'proxies'),
  };
  for (const folder of [...order.roots, order.ownFolders[0]])
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new ArgumentError(`The folder ${folder} is not there.`);
  return order;
}

function objectIn(text: string): JsonObject {
  try {
    const given: unknown = JSON.parse(text);
    if (isJsonObject(given)) return given;
  } catch {
    // the text may have a key in it: what is wrong with it is not told
  }
  throw wrong('the order');
}

const wrong = (what: string): ArgumentError =>
  new ArgumentError(
    `${what} is not as expected. This command is started by Belay's window, which gives it an order over standard input.`,
  );

function objectAt(given: JsonObject, name: string): JsonObject {
  const value = given[name];
  if (!isJsonObject(value)) throw wrong(name);
  return value;
}

function textAt(given: JsonObject, name: string, empty = false): string {
  const value = given[name];
  if (typeof value !== 'string' || (value === '' && !empty)) throw wrong(name);
  return value;
}

function textsAt(given: JsonObject, name: string): readonly string[] {
  const value = given[name];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw wrong(name);
  return value;
}

function foldersAt(given: JsonObject, name: string): readonly [string, ...string[]] {
  const [first, ...others] = textsAt(given, name);
  if (first === undefined || ![first, ...others].every((one) => path.isAbsolute(one)))
    throw wrong(name);
  return [first, ...others];
}

function textsByName(given: JsonObject, name: string): Readonly<Record<string, string>> {
  const value = objectAt(given, name);
  if (!Object.values(value).every((one) => typeof one === 'string')) throw wrong(name);
  return value as Readonly<Record<string, string>>;
}

function rulesAt({ rules }: JsonObject): readonly PermissionRule[] {
  if (!Array.isArray(rules)) throw wrong('rules');
  return rules.map((rule) => {
    const read = readRule(rule);
    if ('problem' in read) throw wrong('rules');
    return read.rule;
  });
}

/** Their values are checked where each is read, as those of VS Code are. */
function settingsAt(given: JsonObject): BackgroundOrder['settings'] {
  const settings = objectAt(given, 'settings');
  for (const key of Object.keys(settings)) if (!Object.hasOwn(SETTINGS, key)) throw wrong(key);
  return settings;
}
