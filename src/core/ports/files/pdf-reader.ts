/** Text of PDF files. */
export interface PdfReader {
  /**
   * The text of the pages `from` to `to` (1-based, inclusive), and how many pages there are.
   * Fails with `BelayError` code `invalid` for what is damaged or needs a password.
   */
  pages(
    bytes: Uint8Array,
    range: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<{ readonly pages: readonly string[]; readonly total: number }>;
}
