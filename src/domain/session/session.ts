import type { ResultContent } from '../message.ts';
import type { Mention } from '../mention.ts';

export type SessionType = 'main' | 'title' | 'task';

/** Marks that the person gives a session in the list. */
export interface SessionMarks {
  /** It stands above the others. */
  readonly pinned?: boolean | undefined;
  /** It is out of the way, until something happens in it. */
  readonly archived?: boolean | undefined;
}

/** A surface on which sessions begin. */
export interface Channel {
  readonly platform: string;
  readonly channel: string;
}

export const SIDEBAR: Channel = { platform: 'vscode', channel: 'sidebar' };
export const NATIVE_CHAT: Channel = { platform: 'vscode', channel: 'chat' };
export const COMMAND_LINE: Channel = { platform: 'headless', channel: 'cli' };

/** A conversation of a surface, under the name that it has there (A4). */
export interface ChannelThread extends Channel {
  readonly thread: string;
}

/** A thread by which a session is reached. */
export interface SessionChannel extends ChannelThread {
  /** Milliseconds since the epoch: asked for, or the session's last message. */
  readonly lastActiveAt: number;
}

/** The record of a session (B17). */
export interface Session extends SessionMarks {
  readonly id: string;
  /** The session that delegated to this one; its id is the tool call's (B13). */
  readonly parentId?: string;
  readonly type: SessionType;
  readonly title: string;
  readonly messageCount: number;
  /** Input tokens, cached ones included, summed over all calls. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, children included (B12); `undefined` prices count as 0 and set `costUnknown`. */
  readonly cost: number;
  readonly costUnknown?: boolean;
  readonly summaryId?: string;
  /** Older messages of it are represented by a summary. */
  readonly summarized?: boolean;
  /** The model chosen for this session; absent: the setting decides. */
  readonly model?: string;
  /** The persona of its newest run; absent: none. */
  readonly persona?: string;
  /** The newest run of it has failed. */
  readonly failed?: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A compaction (C3): the window becomes first message · summary · what follows `throughSeq`. */
export interface Compaction {
  readonly id: string;
  readonly sessionId: string;
  /** Messages with `seq` up to this one are represented by the summary. */
  readonly throughSeq: number;
  readonly summary: string;
  readonly strategy: 'summarize' | 'truncate' | 'prune';
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Kept tool results up to this message are shortened in the window, without images. */
  readonly resultLimit?: { readonly throughSeq: number; readonly characters: number };
  /** Characters of the first request in the window; set when the whole of it left no room for a later one. */
  readonly requestLimit?: number;
  readonly undone: boolean;
  readonly createdAt: number;
}

/** A message that waits until its session is free (C7). */
export interface QueuedMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly position: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** `steer` goes in at the next safe boundary of the running run. */
  readonly mode: 'queue' | 'steer';
  /** Absent: the person wrote it. */
  readonly origin?: 'followup';
  readonly createdAt: number;
}

/** A file attached to a message (A6). */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Absent for pasted data. */
  readonly path?: string;
  /** Base64, for images and pasted data. */
  readonly data?: string;
  /** No file, but something that the message points at. */
  readonly mention?: Mention;
  /** The mention's content when the message was sent; absent: it was not sent yet. */
  readonly taken?: readonly ResultContent[];
}
