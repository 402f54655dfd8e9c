/** Whose change of a file it is, and when it may reach the disk. */
export interface ChangeOrigin {
  readonly sessionId: string;
  /** The person's message that the run answers; empty when there is none. */
  readonly messageId: string;
  readonly callId: string;
  readonly tool: string;
  /** `write`: the change is pending. `accepted`: the user approved it, so it counts as kept. */
  readonly how: 'write' | 'accepted';
}

export interface ChangeOptions {
  /** Of a change that an agent makes; absent: a person's or Belay's own, which nobody reviews. */
  readonly origin?: ChangeOrigin;
  /**
   * Told of a file on disk what it became by exactly this change, with what its editor made of it when it was saved;
   * `undefined`: it is gone. Not told of what stays unsaved in an editor.
   */
  readonly changed?: (path: string, content: Uint8Array | undefined) => void;
}
