import type { JsonObject } from '../../domain/json.ts';
import type { CardRow, DisplayKind, DisplayOf } from './display.ts';
import { read } from './fields.ts';
import type { Fields, Read } from './fields.ts';

/** How a call is named from several of its arguments; what is absent is as for every call of the tool. */
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

/** What a tool's own input must be for a face that reads it; a face may know other spellings beside. */
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

/**
 * Makes the face of a tool. It loads with the panel: no code of the tool, no schema library in its file.
 * @param input the arguments that are looked at, with the other spellings that the tool accepts
 */
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
