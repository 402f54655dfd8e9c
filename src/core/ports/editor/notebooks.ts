/** Notebooks as an editor runs them. Only an editor can: where there is none, the port is absent (E11). */
export interface Notebooks {
  /** True with a notebook in the workspace, and something installed that may run it. */
  available(): Promise<boolean>;
  /** @param number of the cell, from 1. @throws BelayError `not_found` or `invalid` when there is no such code cell */
  source(path: string, number: number): Promise<string>;
  /** Runs a cell in the chosen kernel, and saves the notebook if it was saved before. */
  run(path: string, number: number, signal: AbortSignal): Promise<CellRun>;
}

export interface CellRun {
  /** `false`: no kernel took it, so nothing ran. */
  readonly started: boolean;
  /** Absent when the kernel did not say. */
  readonly success?: boolean;
  readonly order?: number;
  readonly outputs: readonly CellOutput[];
}

export type CellOutput =
  | { readonly kind: 'text' | 'error'; readonly text: string }
  /** `data` is base64. */
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }
  /** Something that only an editor can show. */
  | { readonly kind: 'other'; readonly mediaType: string };
