import './texts/translations.ts';
import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/header.css';
import './styles/menu.css';
import './styles/conversation.css';
import './styles/empty.css';
import './styles/markdown.css';
import './styles/tool-card.css';
import './styles/question.css';
import './styles/permissions.css';
import './styles/server.css';
import './styles/models.css';
import './styles/notice.css';
import './styles/dock.css';
import './styles/dock-lists.css';
import './styles/journal.css';
import './styles/composer.css';
import './styles/review.css';
import './styles/review-rows.css';
import './styles/sessions.css';
import './styles/find.css';
import './styles/timeline.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { SavedView } from '../src/protocol/view.ts';
import { Bridge } from './host/bridge.ts';
import { showFirstSnapshot } from './host/first-snapshot.ts';
import { keepFocus } from './keyboard/keep-focus.ts';
import { listenToKeys } from './keyboard/keys.ts';
import { Panel, PanelContext } from './panel.ts';
import { receive } from './host/receive.ts';
import { readSlashCommands } from './slash.ts';
import { PanelStore } from './store.ts';
import { ViewState } from './view-state.ts';
import { App } from './views/app.tsx';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();

/** Says whether a message comes from a frame in this page, which draws diagrams and is not the host. */
function isOwnFrame(source: MessageEventSource | null): boolean {
  return Array.from({ length: window.length }, (_, index) => window[index]).some(
    (frame) => frame !== undefined && frame === source,
  );
}

const store = new PanelStore();
let spoken = false;
const bridge = new Bridge(
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  { post: (message) => vscode.postMessage(message) },
  (message) => {
    if (spoken || message.type !== 'snapshot') receive(panel, message);
    else
      showFirstSnapshot(panel, viewState, message.snapshot.session, () => receive(panel, message));
    spoken ||= message.type === 'snapshot';
  },
  (run) => requestAnimationFrame(run),
);
const panel = new Panel(store, bridge, readSlashCommands());
const viewState = new ViewState((sessionId, view) => panel.host.keep(sessionId, view));

viewState.hold();

let shown: SavedView | undefined;
effect(() => {
  const sessionId = store.session.id.value;
  if (store.saved.shown.value === shown) viewState.rename(sessionId);
  else viewState.begin(sessionId, store.saved.shown.peek());
  shown = store.saved.shown.peek();
});
window.addEventListener('message', ({ data, source }) => {
  if (!isOwnFrame(source)) bridge.receive(data);
});
document.addEventListener('visibilitychange', () => viewState.flush());
window.addEventListener('pagehide', () => viewState.release());
window.addEventListener('focus', () => bridge.focused());
listenToKeys(panel);

const root = document.getElementById('panel');
const place = root?.dataset['place'];
// VS Code gives it back with the tab after a reload.
if (place !== undefined)
  effect(() => {
    if (store.loaded.value) vscode.setState({ sessionId: store.session.id.value, place });
  });
if (root !== null) {
  render(
    <PanelContext.Provider value={panel}>
      <App viewState={viewState} />
    </PanelContext.Provider>,
    root,
  );
  keepFocus(root, 'main, .rows, .dock-rows, .composer-bar');
}
bridge.ready();
