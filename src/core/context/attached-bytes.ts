/** How the base64 of a file of a media type begins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
  'application/pdf': 'JVBERi',
};

/** Whether bytes, as base64, begin as files of their media type do: a key named `photo.png` does not. */
export function isWhatItSays(mediaType: string, base64: string): boolean {
  const beginning = BEGINNINGS[mediaType];
  return beginning === undefined || base64.startsWith(beginning);
}
