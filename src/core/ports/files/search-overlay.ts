/** Texts in the place of what is on disk, by absolute path; `undefined`: nothing is there. */
export type SearchOverlay = ReadonlyMap<string, string | undefined>;
