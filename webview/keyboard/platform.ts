/** Names of keys as this machine's keyboard has them. */
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The key that commands are given with. */
export function commandHeld(event: KeyboardEvent | MouseEvent): boolean {
  return isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}

const command = isMac ? '⌘' : 'Ctrl+';
const shift = isMac ? '⇧' : 'Shift+';
const option = isMac ? '⌥' : 'Alt+';
const enter = isMac ? '⏎' : 'Enter';
const backspace = isMac ? '⌫' : 'Backspace';

/** The panel's keys, in words. */
export const KEYS = {
  send: enter,
  second: `${option}${enter}`,
  stopAndSend: `${command}${shift}${enter}`,
  allow: `${command}${enter}`,
  deny: `${command}${shift}${backspace}`,
  stop: 'Esc',
  mode: `${shift}Tab`,
  previous: `${shift}${enter}`,
  find: `${command}F`,
} as const;

/** The same as they are on the keys, for buttons in a narrow panel. */
export const CAPS = { allow: `${command}⏎`, deny: `${command}⇧⌫` } as const;
