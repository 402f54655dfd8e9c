/** Unique ids from a counter, never from the clock. */
export interface Ids {
  next(
    kind:
      | 'session'
      | 'run'
      | 'message'
      | 'compaction'
      | 'queued'
      | 'question'
      | 'attachment'
      | 'result'
      | 'call'
      | 'background'
      | 'followup',
  ): string;
}
