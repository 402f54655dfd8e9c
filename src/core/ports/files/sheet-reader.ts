export interface SheetReader {
  /**
   * The cells of a spreadsheet (xlsx): a head for each sheet, a line for each row that is not empty, its number and
   * its cells between tabs. Fails with `invalid`.
   */
  text(bytes: Uint8Array, signal: AbortSignal): Promise<string>;
}
