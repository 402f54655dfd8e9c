import '../texts/translations.ts';
import '@vscode/codicons/dist/codicon.css';
import '../styles/base.css';
import '../styles/center.css';
import '../styles/center-rows.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { CenterMessage } from '../../src/protocol/center/messages.ts';
import { CENTER_SECTIONS } from '../../src/protocol/center/view.ts';
import type { HostPort } from '../host/pending-requests.ts';
import { App } from './app.tsx';
import { Center, CenterContext, type KeptPage } from './center.ts';
import { keepFocus } from '../keyboard/keep-focus.ts';
import { listenToArrows } from './keyboard.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): KeptPage | undefined;
  setState(state: KeptPage): void;
};

const vscode = acquireVsCodeApi();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
const host: HostPort = { post: (message) => vscode.postMessage(message) };
const center = new Center(host);

const kept = vscode.getState();
if (kept !== undefined) {
  center.query.value = kept.query;
  center.unfolded.value = new Set(kept.unfolded);
}
let scroll = kept?.scroll ?? 0;
const keep = (): void =>
  vscode.setState({
    query: center.query.peek(),
    unfolded: [...center.unfolded.peek()],
    scroll,
  });

const TYPES: ReadonlySet<unknown> = new Set<CenterMessage['type']>([
  'reply',
  'refusal',
  'stale',
  'go',
]);
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // Extensions post others to every window.
  if (typeof data === 'object' && data !== null && 'type' in data && TYPES.has(data.type))
    center.receive(data as CenterMessage);
});

const root = document.getElementById('panel');
if (root !== null) {
  render(
    <CenterContext.Provider value={center}>
      <App
        scroll={scroll}
        onScroll={(top) => {
          scroll = top;
          keep();
        }}
      />
    </CenterContext.Provider>,
    root,
  );
  effect(() => {
    void center.query.value;
    void center.unfolded.value;
    keep();
  });
  listenToArrows(root, center);
  keepFocus(root, 'main');
}
host.post({ type: 'ready' });
for (const section of CENTER_SECTIONS) void center.read(section);
