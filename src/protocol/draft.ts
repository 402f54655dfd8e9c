/** A draft with a message before it that is to be sent again; once, however often it is given back. */
export function withGivenBack(draft: string, text: string): string {
  if (draft.trim() === '' || draft === text) return text;
  return text === '' || draft.startsWith(`${text}\n\n`) ? draft : `${text}\n\n${draft}`;
}
