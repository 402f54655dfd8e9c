export interface PdfReader {
  /** The text of pages (1-based, inclusive), and their number. Fails with `invalid`. */
  pages(
    bytes: Uint8Array,
    range: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<{ readonly pages: readonly string[]; readonly total: number }>;
}
