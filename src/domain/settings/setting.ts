import { told, type Told } from '../text/told.ts';

/** Sources of a value. `application`, `machine`: no workspace, where it decides what runs. */
export type SettingScope = 'application' | 'machine' | 'window' | 'resource';

interface Described {
  readonly scope: SettingScope;
  /** Markdown, shown in the settings editor. */
  readonly description: string;
}

export interface NumberSetting extends Described {
  readonly type: 'integer' | 'number';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

export interface BooleanSetting extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

export interface StringSetting extends Described {
  readonly type: 'string';
  readonly default: string;
  /** A regular expression the whole value must match. */
  readonly pattern?: string;
}

export interface ChoiceSetting<Choice extends string = string> extends Described {
  readonly type: 'choice';
  readonly default: Choice;
  readonly choices: readonly Choice[];
  readonly choiceDescriptions: readonly string[];
  /** Values of earlier versions and what they are called now. */
  readonly renamed?: Readonly<Record<string, Choice>>;
}

export interface ListSetting extends Described {
  readonly type: 'list';
  readonly default: readonly string[];
  /** The lists of the person and of the workspace count together, so that neither takes from the other. */
  readonly joined?: boolean;
}

/** A value with a shape of its own, checked by the code that uses it (`mcp.servers`). */
export interface ObjectSetting extends Described {
  readonly type: 'object';
  readonly default: Readonly<Record<string, unknown>>;
}

/** A list of values with a shape of their own, checked by the code that uses them (`permissions.rules`). */
export interface ObjectsSetting extends Described {
  readonly type: 'objects';
  readonly default: readonly Readonly<Record<string, unknown>>[];
}

export type Setting =
  | NumberSetting
  | BooleanSetting
  | StringSetting
  | ChoiceSetting
  | ListSetting
  | ObjectSetting
  | ObjectsSetting;

export const integer = (
  value: number,
  minimum: number,
  maximum: number,
  scope: SettingScope,
  description: string,
): NumberSetting => ({ type: 'integer', default: value, minimum, maximum, scope, description });

export const number = (
  value: number,
  minimum: number,
  maximum: number,
  scope: SettingScope,
  description: string,
): NumberSetting => ({ type: 'number', default: value, minimum, maximum, scope, description });

export const text = (
  value: string,
  scope: SettingScope,
  description: string,
  pattern?: string,
): StringSetting => ({
  type: 'string',
  default: value,
  scope,
  description,
  ...(pattern === undefined ? {} : { pattern }),
});

export const flag = (value: boolean, scope: SettingScope, description: string): BooleanSetting => ({
  type: 'boolean',
  default: value,
  scope,
  description,
});

export const choice = <const Choice extends string>(
  value: NoInfer<Choice>,
  choices: Readonly<Record<Choice, string>>,
  scope: SettingScope,
  description: string,
  renamed?: Readonly<Record<string, NoInfer<Choice>>>,
): ChoiceSetting<Choice> => ({
  type: 'choice',
  default: value,
  choices: Object.keys(choices) as Choice[],
  choiceDescriptions: Object.values(choices),
  scope,
  description,
  ...(renamed === undefined ? {} : { renamed }),
});

export const list = (
  value: readonly string[],
  scope: SettingScope,
  description: string,
  more: Pick<ListSetting, 'joined'> = {},
): ListSetting => ({
  type: 'list',
  default: value,
  scope,
  description,
  ...more,
});

/** A list of objects; empty by default. */
export const objects = (scope: SettingScope, description: string): ObjectsSetting => ({
  type: 'objects',
  default: [],
  scope,
  description,
});

/** The value by its present name: a choice may have been renamed since it was stored. */
export function presentValue(setting: Setting, raw: unknown): unknown {
  if (setting.type !== 'choice' || typeof raw !== 'string') return raw;
  const { renamed = {} } = setting;
  return Object.hasOwn(renamed, raw) ? renamed[raw] : raw;
}

/** The expected value; `undefined` when it is fine. */
export function expectation(setting: Setting, raw: unknown): Told | undefined {
  switch (setting.type) {
    case 'integer':
    case 'number': {
      const good =
        typeof raw === 'number' &&
        Number.isFinite(raw) &&
        raw >= setting.minimum &&
        raw <= setting.maximum &&
        (setting.type === 'number' || Number.isInteger(raw));
      if (good) return undefined;
      const [least, most] = [String(setting.minimum), String(setting.maximum)];
      return setting.type === 'integer'
        ? told`a whole number from ${least} to ${most} is expected`
        : told`a number from ${least} to ${most} is expected`;
    }
    case 'boolean':
      return typeof raw === 'boolean' ? undefined : told`true or false is expected`;
    case 'string': {
      if (typeof raw !== 'string') return told`text is expected`;
      const fits = setting.pattern === undefined || new RegExp(setting.pattern, 'u').test(raw);
      return fits ? undefined : told`it does not have the expected form`;
    }
    case 'choice':
      return typeof raw === 'string' && setting.choices.includes(raw)
        ? undefined
        : told`one of ${setting.choices.join(', ')} is expected`;
    case 'list':
    case 'objects':
    case 'object':
      return shapeExpectation(setting.type, raw);
    default:
      return setting satisfies never;
  }
}

function shapeExpectation(type: 'list' | 'objects' | 'object', raw: unknown): Told | undefined {
  const isList = Array.isArray(raw);
  switch (type) {
    case 'list':
      return isList && raw.every((item) => typeof item === 'string')
        ? undefined
        : told`a list of texts is expected`;
    case 'objects':
      return isList ? undefined : told`a list is expected`;
    case 'object':
      return typeof raw === 'object' && raw !== null && !isList
        ? undefined
        : told`an object is expected`;
    default:
      return type satisfies never;
  }
}

/** The type of a setting's value. */
export type ValueOf<S> =
  S extends ChoiceSetting<infer Choice>
    ? Choice
    : S extends NumberSetting
      ? number
      : S extends BooleanSetting
        ? boolean
        : S extends StringSetting
          ? string
          : S extends ListSetting
            ? readonly string[]
            : S extends ObjectsSetting
              ? readonly unknown[]
              : Readonly<Record<string, unknown>>;
