/** Encodings that the person has set for their files, where an editor knows them. */
export interface TextEncodings {
  /** The editor's name of a file's encoding; `undefined`: UTF-8. */
  encodingOf(path: string): string | undefined;
  decode(bytes: Uint8Array, encoding: string): Promise<string>;
  encode(text: string, encoding: string): Promise<Uint8Array>;
}
