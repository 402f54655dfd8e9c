/** A draft with a message before it that is to be sent again; once, however often it is given back. */
export function withGivenBack(draft: string, text: string): string {
  if (draft.trim() === '' || draft === text) return text;
  return text === '' || draft.startsWith(`${text}\n\n`) ? draft : `${text}\n\n${draft}`;
}

/** A draft without a message at its beginning that was sent. */
export function withoutSent(draft: string, text: string): string {
  if (draft.trim() === text.trim()) return '';
  return draft.startsWith(`${text}\n\n`) ? draft.slice(text.length + 2) : draft;
}
