/** Whose change of a file it is, and when it may reach the disk. */
export interface ChangeOrigin {
  readonly sessionId: string;
  /** The person's message that the run answers; empty when there is none. */
  readonly messageId: string;
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /**
   * `propose`: nothing reaches the disk before the person accepts it. `write`: it is written at once and
   * stays pending. `accepted`: the person has seen exactly this and said yes.
   */
  readonly how: 'propose' | 'write' | 'accepted';
}

export interface ChangeOptions {
  /** Of a change that an agent makes; absent: a person's or Belay's own, which nobody reviews. */
  readonly origin?: ChangeOrigin;
}
