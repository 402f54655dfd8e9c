import type { JsonObject } from '../../domain/data/json.ts';
import type { ThinkingEffort } from '../../domain/models/model.ts';
import type { Worktree } from '../ports/commands/worktrees.ts';
import type { Rights } from '../permissions/delegation.ts';

/** The purpose of a sub-agent: to find something out, or to change files in a working copy of its own. */
export type ChildKind = 'research' | 'write';

/** A session that another one delegated to (B13): whose it is, what it may, and who pays. */
export interface Child {
  readonly id: string;
  readonly parentId: string;
  /** The run and the call that it works for. */
  readonly runId: string;
  readonly callId: string;
  /** The session at the top and its run: what a child uses is used by them. */
  readonly charged: { readonly sessionId: string; readonly runId: string };
  readonly kind: ChildKind;
  readonly title: string;
  /** Granted when it began; the mode is never above what its parent has now. */
  readonly rights: Rights;
  /** Of one that changes files: its working copy. */
  readonly worktree?: Worktree;
  /** The model that it began with, and how much it thinks. */
  readonly options: { readonly model: string; readonly thinking: ThinkingEffort };
}

/** Value of a child's session: its `Child`. */
export const CHILD_KEY = 'agent/child';

/** Value of a parent's session: the id of the child of a call of a run. */
export const childOfKey = (runId: string, callId: string): string => `agent/of/${runId}/${callId}`;

/** Values of a child's session: the files of its working copy that were brought into the workspace, or left out. */
export const DELIVERED_PREFIX = 'agent/delivered/';

/** A child as a value. */
export const childValue = (child: Child): JsonObject => ({ ...child }) as unknown as JsonObject;
