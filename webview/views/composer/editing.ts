/**
 * Puts a text in the place of another as if it were typed: it can be undone, and is heard of as input. A caret behind
 * the place stays at what it stood at.
 */
export function replaceText(
  input: HTMLTextAreaElement,
  range: { readonly from: number; readonly to: number },
  text: string,
): void {
  const behind = input.value.length - input.selectionStart;
  const isBehind = input.selectionStart > range.to;
  input.focus();
  input.setSelectionRange(range.from, range.to);
  // The only way that keeps the input's own undo.
  const command = text === '' ? 'delete' : 'insertText';
  if (text === '' && range.from === range.to) return;
  if (!document.execCommand(command, false, text)) {
    input.setRangeText(text, range.from, range.to, 'end');
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  if (!isBehind) return;
  const caret = input.value.length - behind;
  input.setSelectionRange(caret, caret);
}
