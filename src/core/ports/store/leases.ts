export interface Leases {
  /** Takes the session for this process, in one transaction; false when another live owner has it. */
  claim(sessionId: string): Promise<{ readonly owned: boolean; readonly owner?: LeaseOwner }>;
  release(sessionId: string): Promise<void>;
  owner(sessionId: string): Promise<LeaseOwner | undefined>;
  /** Renews all leases of this process; called on a timer. */
  renew(): Promise<void>;
}

export interface LeaseOwner {
  readonly processId: number;
  /** Birth time of the process as the system tells it, so that a reused pid is noticed. */
  readonly birth: string;
  readonly bootId: string;
  readonly self: boolean;
  readonly alive: boolean;
}
