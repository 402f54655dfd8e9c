/** Puts a text in the place of another as if it were typed: it can be undone, and is heard of as input. */
export function replaceText(
  input: HTMLTextAreaElement,
  range: { readonly from: number; readonly to: number },
  text: string,
): void {
  input.focus();
  input.setSelectionRange(range.from, range.to);
  // The only way that keeps the input's own undo.
  const command = text === '' ? 'delete' : 'insertText';
  if (text === '' && range.from === range.to) return;
  if (document.execCommand(command, false, text)) return;
  input.setRangeText(text, range.from, range.to, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
