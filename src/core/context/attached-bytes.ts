/** The first base64 characters of files, by media type. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
  'application/pdf': 'JVBERi',
};

/** True when base64 bytes begin as their media type does: a key named `photo.png` does not. */
export function isWhatItSays(mediaType: string, base64: string): boolean {
  const beginning = BEGINNINGS[mediaType];
  return beginning === undefined || base64.startsWith(beginning);
}
