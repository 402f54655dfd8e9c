/** A picture as it is to become. */
export interface PictureSize {
  /** Pixels of its longer side, at most. */
  readonly side: number;
  /** Characters of its base64, at most. */
  readonly length: number;
}

/** A picture of other bytes than the one it was made of. */
export interface ScaledPicture {
  readonly mediaType: string;
  /** Base64 without line breaks. */
  readonly data: string;
}

export interface PictureScaler {
  /**
   * A PNG, JPEG or WebP picture made smaller, turned as its camera says. Fails with `invalid`, and a reason that
   * ends a sentence: it is damaged, takes too long, cannot become so small.
   * @param data base64
   */
  scaled(data: string, size: PictureSize, signal: AbortSignal): Promise<ScaledPicture>;
}
