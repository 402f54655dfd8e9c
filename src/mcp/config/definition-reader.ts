import { tells, type Words } from '../../domain/failure.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { wordsOf } from '../../domain/text/words.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { type Variables, substitute } from './variables.ts';

/** A definition's fault, as a sentence that names the server and the field. */
export interface ConfigProblem extends Required<Words> {
  readonly server: string;
  readonly field: string;
}

const knownFields = wordsOf(
  'type command args env envFile cwd url headers oauth enabled disabled timeout inputs tools excludeTools',
);

/** Reads the fields of one definition and collects what is wrong. */
export class DefinitionReader {
  readonly problems: ConfigProblem[] = [];
  /** The definition cannot be used as it is. */
  unusable = false;
  readonly #server: string;
  readonly #place: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #variables: Variables;

  /** @param place where it is written, for the person: a setting or a file */
  constructor(server: string, raw: unknown, place: string, variables: Variables) {
    this.#server = server;
    this.#place = place;
    this.#variables = variables;
    this.#fields = isJsonObject(raw) ? raw : {};
    if (!isJsonObject(raw)) this.fail('', told`is not an object with \`command\` or \`url\``);
    if (!/^[^\p{Cc}]{1,100}$/u.test(server)) {
      this.fail('', told`has a name that is empty, longer than 100 characters, or not printable`);
    }
  }

  /** The definition is not used. `what` completes "The MCP server “x” …". */
  fail(field: string, what: Told): void {
    this.unusable = true;
    this.#report(field, told`${what}. It is not started (${this.placeOf(field)}).`);
  }

  /** Where a field is to be mended: "belay.mcp.servers → github → env.TOKEN". */
  placeOf(field: string): string {
    return [this.#place, this.#server, field].filter((part) => part !== '').join(' → ');
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#fields, field) && this.#fields[field] !== undefined;
  }

  text(field: string): string | undefined {
    if (!this.has(field)) return undefined;
    const value = this.#fields[field];
    if (typeof value === 'string' && value.trim() !== '') return this.#resolved(field, value);
    this.fail(field, told`has a \`${field}\` that is not a text`);
    return undefined;
  }

  list(field: string): string[] {
    if (!this.has(field)) return [];
    const value = this.#fields[field];
    if (!Array.isArray(value)) {
      this.fail(field, told`has \`${field}\` that is not a list of texts`);
      return [];
    }
    return value.map((item: unknown, index) => this.#scalar(`${field}[${index}]`, item) ?? '');
  }

  /** `null` leaves the entry out. */
  record(field: string): Record<string, string> {
    if (!this.has(field)) return {};
    const value = this.#fields[field];
    if (!isJsonObject(value)) {
      this.fail(field, told`has \`${field}\` that is not an object of texts`);
      return {};
    }
    const entries = Object.entries(value).flatMap(([key, item]): [string, string][] => {
      const text = item === null ? undefined : this.#scalar(`${field}.${key}`, item);
      return text === undefined ? [] : [[key, text]];
    });
    return Object.fromEntries(entries);
  }

  number(field: string, minimum: number, maximum: number): number | undefined {
    if (!this.has(field)) return undefined;
    const value = this.#fields[field];
    if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
    this.#report(
      field,
      told`has a \`${field}\` that is not a number of seconds from ${minimum} to ${maximum}. It is ignored.`,
    );
    return undefined;
  }

  boolean(field: string, otherwise: boolean): boolean {
    if (!this.has(field)) return otherwise;
    const value = this.#fields[field];
    if (typeof value === 'boolean') return value;
    this.fail(field, told`has \`${field}\` that is neither true nor false`);
    return otherwise;
  }

  choice<const Choice extends string>(
    field: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    if (!this.has(field)) return undefined;
    const found = choices.find((choice) => choice === this.#fields[field]);
    if (found === undefined) {
      this.fail(field, told`has a \`${field}\` that is not one of ${choices.join(', ')}`);
    }
    return found;
  }

  unknownFields(): void {
    for (const field of Object.keys(this.#fields)) {
      if (knownFields.includes(field)) continue;
      this.#report(field, told`has a field \`${field}\` that Belay does not know. It is ignored.`);
    }
  }

  #scalar(field: string, value: unknown): string | undefined {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value === 'string') return this.#resolved(field, value);
    this.fail(field, told`has a \`${field}\` that is not a text`);
    return undefined;
  }

  #resolved(field: string, value: string): string {
    const { text, problem } = substitute(value, this.#variables);
    if (problem !== undefined) this.fail(field, told`has a \`${field}\` that ${problem}`);
    return text;
  }

  #report(field: string, what: Told): void {
    const server = this.#server;
    this.problems.push({ server, field, ...tells(told`The MCP server “${server}” ${what}`) });
  }
}
