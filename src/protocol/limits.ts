/** Longest message a person may send, in characters. */
export const MESSAGE_LIMIT = 1_000_000;
/** Most bytes of one attachment: what the API takes of an image. */
export const ATTACHMENT_BYTES = 5_000_000;
/** Most attachments of a message. */
export const ATTACHMENTS = 20;
