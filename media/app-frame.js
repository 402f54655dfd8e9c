/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, unicorn/require-post-message-target-origin -- a page reads it as it is; what comes may be anything, and VS Code is no window */
// The page around an app of an MCP server: carries its messages to the extension and back, and bounds them.
(() => {
  const vscode = acquireVsCodeApi();
  const frame = document.getElementById('app');
  const note = document.getElementById('note');
  /** Messages of a second, and characters of one, that an app may send. */
  const MOST = 100;
  const LONGEST = 1_000_000;
  /** Pixels. */
  const HIGHEST = 20_000;
  let sent = 0;
  let since = performance.now();

  const stop = (why) => {
    frame.remove();
    note.textContent = why;
    note.hidden = false;
    vscode.postMessage({ kind: 'stopped', why });
  };

  const fromApp = (data) => {
    const now = performance.now();
    if (now - since > 1000) [sent, since] = [0, now];
    sent += 1;
    if (sent > MOST) {
      stop('The app was stopped: it sends more messages than anybody can use.');
      return;
    }
    let text;
    try {
      text = JSON.stringify(data);
    } catch {
      return; // no message of the protocol
    }
    if (text === undefined) return;
    if (text.length > LONGEST) {
      stop('The app was stopped: it sent a message that is too large.');
      return;
    }
    if (data?.method === 'ui/notifications/size-changed') {
      const { height } = data.params ?? {};
      if (Number.isFinite(height)) frame.style.minHeight = `${Math.min(HIGHEST, height)}px`;
    } else vscode.postMessage({ kind: 'app', message: JSON.parse(text) });
  };

  // A second page is none that the person agreed to; and what has the focus in it keeps VS Code's keys to itself.
  let loads = 0;
  frame.addEventListener('load', () => {
    if (frame.srcdoc !== '' && (loads += 1) > 1) stop('The app was stopped: it left its page.');
  });

  const fromHost = ({ kind, html, message }) => {
    if (kind === 'page') frame.srcdoc = html;
    // The frame has no origin that could be named.
    if (kind === 'message') frame.contentWindow?.postMessage(message, '*');
  };

  addEventListener('message', (event) => {
    if (event.source !== null && event.source === frame.contentWindow) fromApp(event.data);
    else if (event.origin === window.origin) fromHost(event.data);
  });

  /** VS Code's colours by the names that apps know. */
  const NAMES = {
    '--color-background-primary': '--vscode-editor-background',
    '--color-background-secondary': '--vscode-editorWidget-background',
    '--color-text-primary': '--vscode-foreground',
    '--color-text-secondary': '--vscode-descriptionForeground',
    '--color-text-danger': '--vscode-errorForeground',
    '--color-border-primary': '--vscode-widget-border',
    '--color-ring-primary': '--vscode-focusBorder',
    '--font-sans': '--vscode-font-family',
    '--font-mono': '--vscode-editor-font-family',
  };

  const tell = (kind) => {
    const style = getComputedStyle(document.documentElement);
    const variables = {};
    for (const [name, own] of Object.entries(NAMES)) {
      const value = style.getPropertyValue(own).trim();
      if (value !== '') variables[name] = value;
    }
    const theme = document.body.className.includes('light') ? 'light' : 'dark';
    vscode.postMessage({ kind, theme, variables, width: innerWidth, height: innerHeight });
  };
  new MutationObserver(() => tell('look')).observe(document.body, { attributeFilter: ['class'] });
  tell('ready');
})();
