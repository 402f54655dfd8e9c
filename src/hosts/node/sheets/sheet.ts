export interface Sheet {
  readonly name: string;
  readonly rows: Iterable<Row>;
}

export interface Row {
  /** 1-based. */
  readonly number: number;
  readonly cells: readonly string[];
}
