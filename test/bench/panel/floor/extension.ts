// The floor of the panel's measurements: posts only new text, one post a frame at most, and nothing else.
import * as vscode from 'vscode';

const page = (nonce: string, source: string, script: string): string => `<!DOCTYPE html>
<html><head><meta http-equiv="Content-Security-Policy"
content="default-src 'none'; script-src 'nonce-${nonce}' ${source}; style-src 'nonce-${nonce}'">
<style nonce="${nonce}">body { display: flex; flex-direction: column; height: 100vh; margin: 0 }
.scroll { flex: 1; overflow: auto; white-space: pre-wrap }</style></head>
<body><div class="scroll"></div><textarea aria-label="Message" disabled></textarea>
<script nonce="${nonce}" src="${script}"></script></body></html>`;

export function activate({ subscriptions, extensionUri }: vscode.ExtensionContext): void {
  const resolveWebviewView = ({ webview }: vscode.WebviewView): void => {
    webview.options = { enableScripts: true };
    const script = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'page.js'));
    webview.onDidReceiveMessage(({ text }: { readonly text: string }) => {
      void answer(webview, text);
    });
    webview.html = page(crypto.randomUUID(), webview.cspSource, script.toString());
  };
  subscriptions.push(
    vscode.window.registerWebviewViewProvider(
      'floor.panel',
      { resolveWebviewView },
      { webviewOptions: { retainContextWhenHidden: true } },
    ),
  );
}

/** Asks the model and posts what it writes. */
async function answer(webview: vscode.Webview, text: string): Promise<void> {
  const url = vscode.workspace.getConfiguration('floor').get<string>('url');
  const { body } = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '1' },
    body: JSON.stringify({
      model: 'claude-sonnet-5',
      max_tokens: 1000,
      stream: true,
      messages: [{ role: 'user', content: text }],
    }),
  });
  if (body === null) return;
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const post = (): void => {
    timer = undefined;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview, not a window
    void webview.postMessage({ text: waiting });
    waiting = '';
  };
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice(6)) as { readonly delta?: { readonly text?: string } };
      waiting += event.delta?.text ?? '';
    }
    if (waiting !== '') timer ??= setTimeout(post, 16);
  }
}
