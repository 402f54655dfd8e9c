import type { ChangeDoubt, ChangeTestRun } from '../domain/review/evidence.ts';
import type { DiffLine } from './diff-lines.ts';

/** Hunks whose lines are listed, and files; the others are counted. */
export const LISTED_HUNKS = 300;
/** Changes that are kept at once because they are green. */
export const LISTED_GREEN = 2000;
/** Files of a command that the list shows; the others are counted. */
export const LISTED_FILES = 50;
/** Lines of a hunk that the list shows. */
export const PREVIEW_LINES = 3;

export interface ReviewHunkView {
  readonly id: string;
  readonly kind: 'change' | 'create' | 'delete' | 'binary';
  /** Its first line in the file, 1-based, and how many it has there; 0: lines were only taken away. */
  readonly line: number;
  readonly lines: number;
  readonly added: number;
  readonly removed: number;
  readonly preview: readonly DiffLine[];
  /** The user or another program changed lines of it: Undo All leaves it. */
  readonly edited: boolean;
  readonly looked: boolean;
  /** `null`: it is being read. */
  readonly evidence: EvidenceMark | null;
}

/** The evidence of a change in short; the whole is asked for (`changeEvidence`). */
export interface EvidenceMark {
  /** The end of what the model said before it. */
  readonly said: string;
  /** New problems in the file, by its language servers' last answer; `unknown`: there is none. */
  readonly problems: 'none' | 'new' | 'unknown';
  /** Of the test runs since the file's last change; `none`: there are none. */
  readonly tests: ChangeTestRun['result'] | 'none';
  readonly green: boolean;
}

/** The changes that "Keep all that are green" would keep, and the others. */
export interface GreenView {
  readonly green: readonly GreenChange[];
  readonly others: readonly (GreenChange & { readonly doubts: readonly ChangeDoubt[] })[];
}

export interface GreenChange {
  readonly path: string;
  readonly name: string;
  /** Empty: the file was only renamed. */
  readonly hunkId: string;
  /** Its first line, 1-based. */
  readonly line: number;
}

export interface ReviewFileView {
  /** Absolute: what a request about it names. */
  readonly path: string;
  /** As a person reads it: below the workspace's folder. */
  readonly name: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly state: 'changed' | 'created' | 'deleted' | 'binary';
  /** "binary, 3 B → 5 B"; `null` for texts. */
  readonly form: string | null;
  readonly renamedFrom: string | null;
  readonly added: number;
  readonly removed: number;
  /** Pending changes in it; at least one: a renaming alone is one. */
  readonly count: number;
  /** Those that are listed. */
  readonly hunks: readonly ReviewHunkView[];
}

/** The changes of one message of the person. */
export interface ReviewGroupView {
  readonly sessionId: string;
  readonly messageId: string;
  /** Title of the session; empty while it is not known. */
  readonly session: string;
  /** The message's beginning; empty while it is not known. */
  readonly text: string;
  /** Milliseconds since the epoch, of the oldest change. */
  readonly at: number;
  readonly count: number;
  readonly added: number;
  readonly removed: number;
  /** Keys of its files, by path; of those that are listed. */
  readonly files: readonly string[];
  /** Files that are not listed. */
  readonly hidden: number;
}

/** Changes during a command. */
export interface CommandGroupView {
  readonly id: string;
  /** The command line, or the name of the tool. */
  readonly line: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The first files: absolute, and as the user reads them. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  readonly total: number;
}

export type CallReview = 'pending' | 'kept' | 'undone' | 'partly';

export interface ReviewView {
  /** Of this list; a decision about several changes is about those that it showed. */
  readonly version: number;
  readonly totals: {
    readonly files: number;
    readonly hunks: number;
    readonly added: number;
    readonly removed: number;
  };
  /** Oldest first. */
  readonly groups: readonly ReviewGroupView[];
  readonly files: Readonly<Record<string, ReviewFileView>>;
  /** Changes during commands, the newest first. */
  readonly during: readonly CommandGroupView[];
  /** By the id of the call. Of decided calls those of the session on screen. */
  readonly calls: Readonly<Record<string, CallReview>>;
  readonly unfolded: boolean;
  /** Another window decides about them; here they are only shown until they are taken over. */
  readonly elsewhere: boolean;
}

/** Differences; files and calls that are `null` are gone. */
export interface ReviewDifference {
  readonly set: Partial<Omit<ReviewView, 'files' | 'calls'>>;
  readonly files: Readonly<Record<string, ReviewFileView | null>>;
  readonly calls: Readonly<Record<string, CallReview | null>>;
}

export const EMPTY_REVIEW: ReviewView = {
  version: 0,
  totals: { files: 0, hunks: 0, added: 0, removed: 0 },
  groups: [],
  files: {},
  during: [],
  calls: {},
  unfolded: false,
  elsewhere: false,
};

/** A decision's subject. `file`: the request's changes in it. */
export type ReviewSelection =
  | {
      readonly of: 'hunk';
      readonly path: string;
      readonly hunkId: string;
    }
  | {
      readonly of: 'file';
      readonly path: string;
      readonly sessionId: string;
      readonly messageId: string;
    }
  | { readonly of: 'request'; readonly sessionId: string; readonly messageId: string }
  /** Changes that are green; those that are not any more stay pending. */
  | { readonly of: 'green'; readonly hunks: readonly HunkName[] }
  | { readonly of: 'all' };

/** Names a change. */
export interface HunkName {
  readonly path: string;
  readonly hunkId: string;
}

export interface DecidedView {
  /** Takes the decision back, with `takeBack`; `null`: it cannot be taken back. */
  readonly id: string | null;
  /** Changes that were decided. */
  readonly done: number;
  /** Those that stay pending, and why. */
  readonly failed: readonly {
    readonly path: string;
    readonly name: string;
    readonly reason: string;
  }[];
  /** Changes that came after what was on screen: they are left pending. */
  readonly newer: number;
  /** Changes that the user edited, which Undo All leaves pending. */
  readonly left: number;
}

/** The outcome of taking a decision back: files that could not be brought back stay as they are. */
export interface TakenBackView {
  readonly done: number;
  readonly failed: DecidedView['failed'];
}

/** Applies a difference; what did not change stays the same object. */
export function applyReview(view: ReviewView, difference: ReviewDifference): ReviewView {
  return {
    ...view,
    ...difference.set,
    files: merged(view.files, difference.files),
    calls: merged(view.calls, difference.calls),
  };
}

/** Two differences as one. */
export function joinReview(before: ReviewDifference, after: ReviewDifference): ReviewDifference {
  return {
    set: { ...before.set, ...after.set },
    files: { ...before.files, ...after.files },
    calls: { ...before.calls, ...after.calls },
  };
}

/** The difference of two lists; `undefined`: only their numbers differ. */
export function reviewDifference(
  before: ReviewView,
  after: ReviewView,
): ReviewDifference | undefined {
  const set = Object.fromEntries(
    (['totals', 'groups', 'during', 'unfolded', 'elsewhere'] as const)
      .filter((key) => !isSame(before[key], after[key]))
      .map((key) => [key, after[key]]),
  ) as ReviewDifference['set'];
  const files = differences(before.files, after.files);
  const calls = differences(before.calls, after.calls);
  const nothing = [set, files, calls].every((part) => Object.keys(part).length === 0);
  return nothing ? undefined : { set: { ...set, version: after.version }, files, calls };
}

function differences<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | null>> {
  const changed = Object.entries(after).filter(
    ([key, value]) => !Object.hasOwn(before, key) || !isSame(before[key], value),
  );
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return Object.fromEntries<Value | null>([...changed, ...gone.map((key) => [key, null] as const)]);
}

function merged<Value>(
  before: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Readonly<Record<string, Value>> {
  if (Object.keys(changes).length === 0) return before;
  const all = Object.entries<Value | null>({ ...before, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, Value] => entry[1] !== null));
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
