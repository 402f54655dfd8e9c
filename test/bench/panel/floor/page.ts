declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const host = acquireVsCodeApi();
const box = document.querySelector('.scroll');
const input = document.querySelector('textarea');

const add = (text: string): void => {
  if (box === null) return;
  box.append(text);
  box.scrollTop = box.scrollHeight;
};

input?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  add(`\n\n${input.value}\n\n`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  host.postMessage({ text: input.value });
  input.value = '';
});
window.addEventListener('message', ({ data }: MessageEvent<{ readonly text: string }>) =>
  add(data.text),
);
// Until here an Enter would be lost.
if (input !== null) input.disabled = false;
input?.focus();
