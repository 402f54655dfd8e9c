/**
 * Texts that stand in for what is on disk, by absolute path; `undefined`: nothing is there. The rules of
 * the search hold for them as for files.
 */
export type SearchOverlay = ReadonlyMap<string, string | undefined>;
