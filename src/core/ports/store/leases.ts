/** Who does what only one process may do: by the id of a session, who runs it; by `WORKSPACE_LEASE`, who decides. */
export interface Leases {
  /**
   * Takes the lease for this process, in one transaction; false when another live owner has it.
   * @param force takes it from a live owner, too
   */
  claim(
    sessionId: string,
    force?: boolean,
  ): Promise<{ readonly owned: boolean; readonly owner?: LeaseOwner }>;
  release(sessionId: string): Promise<void>;
  owner(sessionId: string): Promise<LeaseOwner | undefined>;
  /** Renews all leases of this process; called on a timer. */
  renew(): Promise<void>;
}

/** The lease of the process that decides about the pending changes of the workspace; no session has this id. */
export const WORKSPACE_LEASE = 'workspace';

export interface LeaseOwner {
  readonly processId: number;
  /** Birth time of the process as the system tells it, so that a reused pid is noticed. */
  readonly birth: string;
  readonly bootId: string;
  readonly self: boolean;
  readonly alive: boolean;
}
