import type { JsonObject } from '../../domain/json.ts';
import { read } from './fields.ts';
import type { Fields, Read } from './fields.ts';

/** One of the things that a call consists of: a file, an operation, a step. */
export interface CardRow {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly note?: string;
  /** The file to open; empty or absent: none. */
  readonly path?: string;
  /** Why it was not done. */
  readonly problem?: string;
}

/** What an edit did, for the card and the diff editor. */
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

/** What the card of a finished call shows beside its result. */
export interface ShownDisplay {
  /** A short fact: "12 matches in 3 files", "exit code 1". */
  readonly note: string;
  /** Nothing for calls about one thing. */
  readonly rows: readonly CardRow[];
  readonly change?: DisplayedChange;
  readonly background?: DisplayedCommand;
  /** The end of what a command printed. */
  readonly tail?: string;
}

/**
 * A kind of `ToolResultPart.display`. Its fields are its type, and its check when it is read: displays of
 * imported sessions may hold anything. Paths are as a person reads them: relative to the workspace where
 * they lie in it.
 */
export interface DisplayKind<Display = unknown> {
  readonly kind: string;
  readonly read: (display: JsonObject) => Display;
  readonly show: (display: JsonObject) => ShownDisplay;
}

/** The display that a tool writes, of one of its kinds. */
export type DisplayOf<Kind> = Kind extends DisplayKind<infer Display> ? Display : never;

type Look<Shape extends Fields> = {
  readonly [Part in keyof ShownDisplay]?: (display: Read<Shape>) => ShownDisplay[Part];
};

/** Makes a kind of display from its fields and how each part of the card follows from them. */
export function defineDisplay<Kind extends string, Shape extends Fields>(
  kind: Kind,
  fields: Shape,
  { note, rows, change, background, tail }: Look<Shape>,
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
      };
    },
  };
}
