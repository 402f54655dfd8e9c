/** Bytes of a picture or document that goes into a conversation, as long as a camera's; what is sent of it may be smaller. */
export const LARGEST_PICTURE = 10_000_000;
