import type { JsonObject } from '../../domain/data/json.ts';
import { type Fields, type Read, read } from './fields.ts';

/** One of the things that a call consists of: a file, an operation, a step. */
export interface CardRow {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly note?: string;
  /** The file to open; empty or absent: none. */
  readonly path?: string;
  /** The page to open; absent: none. */
  readonly url?: string;
  readonly problem?: string;
}

export interface DisplayedChange {
  /** Empty: several files. */
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  readonly creates: boolean;
  /** Unified, without file headers; of several files each after a line with its path. */
  readonly diff: string;
  readonly isCut: boolean;
}

/** A command that goes on beside the run. */
export interface DisplayedCommand {
  readonly id: string;
  readonly command: string;
  readonly running: boolean;
  readonly tail: string;
}

/** Part of a finished call's card, beside its result. */
export interface ShownDisplay {
  /** A short fact: "12 matches in 3 files", "exit code 1". */
  readonly note: string;
  /** Nothing for calls about one thing. */
  readonly rows: readonly CardRow[];
  readonly change?: DisplayedChange;
  readonly background?: DisplayedCommand;
  /** The end of what a command printed. */
  readonly tail?: string;
  /** The session of a sub-agent. */
  readonly agent?: string;
}

/**
 * A kind of `ToolResultPart.display`: its fields are its type and its check, since imported ones
 * may hold anything. Paths are relative to the workspace where they lie in it.
 */
export interface DisplayKind<Display = unknown> {
  readonly kind: string;
  readonly read: (display: JsonObject) => Display;
  readonly show: (display: JsonObject) => ShownDisplay;
}

export type DisplayOf<Kind> = Kind extends DisplayKind<infer Display> ? Display : never;

type Look<Shape extends Fields> = {
  readonly [Part in keyof ShownDisplay]?: (display: Read<Shape>) => ShownDisplay[Part];
};

/** Makes a kind of display from its fields and how each part of the card follows from them. */
export function defineDisplay<Kind extends string, Shape extends Fields>(
  kind: Kind,
  fields: Shape,
  { note, rows, change, background, tail, agent }: Look<Shape>,
): DisplayKind<{ readonly kind: Kind } & Read<Shape>> {
  return {
    kind,
    read: (display) => ({ kind, ...read(fields, display) }),
    show: (given) => {
      const display = read(fields, given);
      return {
        note: note?.(display) ?? '',
        rows: rows?.(display) ?? [],
        ...(change === undefined ? {} : { change: change(display) }),
        ...(background === undefined ? {} : { background: background(display) }),
        ...(tail === undefined ? {} : { tail: tail(display) }),
        ...(agent === undefined ? {} : { agent: agent(display) }),
      };
    },
  };
}

/** A call's words by several arguments; those absent are the tool's own. */
export interface CallWords {
  readonly icon?: string;
  readonly title?: string;
  readonly subject?: string;
}

interface Appearance {
  /** Name of a codicon. */
  readonly icon: string;
  readonly title: string;
  /** The subject is a path. */
  readonly isFile?: boolean;
  /** Its card shows what a command prints that goes on after the call. */
  readonly isLive?: boolean;
  /** Its calls change nothing, and many in a row are folded into a count: one of them, and several. */
  readonly counted?: readonly [one: string, several: string];
}

/** A tool as people see it: how its calls are named and what their cards show. */
export interface Face extends Appearance {
  readonly name: string;
  /** Keys of the input that say what the call is about; the first one present is shown. */
  readonly subject: readonly string[];
  /** Says more than one argument can. */
  readonly words?: (input: JsonObject) => CallWords;
  /** Rows that stand on the card before there is a result, and after. */
  readonly steps?: (input: JsonObject) => readonly CardRow[];
  readonly displays: readonly DisplayKind[];
}

/** A face with the type of the input that it reads and of the displays that its tool writes. */
export interface ToolFace<Input extends Fields = Fields, Display = unknown> extends Face {
  readonly input: Input;
  readonly displays: readonly DisplayKind<Display>[];
}

/** The input type for a face, which may know other spellings. */
export type InputFor<Input extends Fields> = {
  readonly [Key in keyof Input]?: Loose<ReturnType<Input[Key]>> | undefined;
};

type Loose<Value> = Value extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Loose<Value[Key]> | undefined }
    : Value;

interface FaceDefinition<Input extends Fields, Kind extends DisplayKind> extends Appearance {
  readonly subject?: readonly (keyof Input & string)[];
  readonly words?: (input: Read<Input>) => CallWords;
  readonly steps?: (input: Read<Input>) => readonly CardRow[];
  readonly displays: readonly Kind[];
}

/** Makes a tool's face, which loads with the panel: no code of the tool, no schema library. */
export function defineFace<Input extends Fields, Kind extends DisplayKind>(
  name: string,
  input: Input,
  { subject = [], words, steps, displays, ...appearance }: FaceDefinition<Input, Kind>,
): ToolFace<Input, DisplayOf<Kind>> {
  return {
    ...appearance,
    name,
    input,
    subject,
    displays: displays as readonly DisplayKind<DisplayOf<Kind>>[],
    ...(words === undefined ? {} : { words: (given: JsonObject) => words(read(input, given)) }),
    ...(steps === undefined ? {} : { steps: (given: JsonObject) => steps(read(input, given)) }),
  };
}
