import type { FileProblem } from './front-matter.ts';

/** Files that people write for agents, by what they are for. */
export type CustomizationKind = 'skill' | 'command' | 'persona';

/** The effect of a file. `second`: another one of its name, or of its folder, counts instead. */
export type CustomizationState = 'on' | 'off' | 'untrusted' | 'second' | 'refused';

/** A file that a person wrote for agents: in the workspace, or in their home folder for all workspaces. */
export interface Customization {
  readonly kind: CustomizationKind;
  readonly name: string;
  /** On one line; empty: it has none. */
  readonly description: string;
  /** Absolute. */
  readonly path: string;
  readonly source: 'workspace' | 'user';
  readonly state: CustomizationState;
  /** Why it is refused, or the path of the one that counts; empty otherwise. */
  readonly why: string;
  /** Its text without the head; empty where it was not read. */
  readonly text: string;
  readonly problems: readonly FileProblem[];
}

/** Instructions for a task in a folder of their own, read when they are needed. */
export interface Skill extends Customization {
  readonly kind: 'skill';
  /** The model may read it by itself. */
  readonly offered: boolean;
  /** It stands among the commands of the person. */
  readonly invocable: boolean;
}

/** A message with places for arguments, written by `/name`. */
export interface CustomCommand extends Customization {
  readonly kind: 'command';
  /** The words that are expected behind its name; empty: nothing is said. */
  readonly hint: string;
}
