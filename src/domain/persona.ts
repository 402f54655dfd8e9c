/** The option of a session that wants no persona; no name is so. */
export const NO_PERSONA = '-';
