import { LARGEST_PICTURE } from '../domain/models/largest-picture.ts';

/** Longest message a person may send, in characters. */
export const MESSAGE_LIMIT = 1_000_000;
/** Most bytes of one attachment. */
export const ATTACHMENT_BYTES = LARGEST_PICTURE;
/** Most attachments of a message. */
export const ATTACHMENTS = 20;
