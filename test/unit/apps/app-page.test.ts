import assert from 'node:assert/strict';
import { appDomains, appPolicy } from '../../../src/window/apps/app-policy.ts';
import { appDocument, readAppPage } from '../../../src/window/apps/app-page.ts';
import { appReference } from '../../../src/mcp/tools/app-reference.ts';

const APP = 'text/html;profile=mcp-app';
const csp = (value: unknown) => ({ ui: { csp: value } });

describe('apps of MCP servers: the page', () => {
  it('everything is closed unless the page names hosts, and a host is nothing but a host', () => {
    const policy = appPolicy(appDomains(undefined), 'https://own');
    assert.match(policy, /^default-src 'none'; script-src 'unsafe-inline' https:\/\/own;/u);
    assert.match(policy, /connect-src 'none'; frame-src 'none'/u);
    assert.match(policy, /form-action 'none'$/u);
    const bad = [
      '*',
      'https:',
      'http://example.com',
      "https://a.example 'unsafe-eval'",
      'https://a.example; script-src *',
      'https://a.example/path',
      'https://*',
      'https://user@a.example',
      'data:',
      'ws://a.example',
      7,
    ];
    const domains = appDomains(
      csp({
        connectDomains: [...bad, 'wss://live.example.com'],
        resourceDomains: [...bad, 'https://*.cdn.example:8443'],
      }),
    );
    assert.deepEqual(domains, {
      connect: ['wss://live.example.com'],
      resource: ['https://*.cdn.example:8443'],
    });
    assert.match(appPolicy(domains, 'https://own'), /connect-src wss:\/\/live\.example\.com;/u);
  });

  it('a page that is of another kind, empty or huge is refused with a sentence', () => {
    const read = (one: object) => readAppPage('srv', [{ uri: 'ui://x', ...one }]);
    assert.equal(read({ mimeType: APP, text: '<b>' }).html, '<b>');
    assert.equal(read({ mimeType: APP, blob: Buffer.from('<i>').toString('base64') }).html, '<i>');
    assert.throws(() => read({ mimeType: 'text/html', text: '<b>' }), /not a page of the kind/u);
    assert.throws(() => read({ mimeType: APP, text: '' }), /empty/u);
    assert.throws(() => read({ mimeType: APP, text: 'x'.repeat(4_000_001) }), /more than 4 MB/u);
    assert.throws(() => readAppPage('srv', []), /cannot be shown/u);
  });

  it('the frame has no right but to run scripts, and the page is not in the document around it', () => {
    const html = appDocument(appDomains(undefined), { script: 's.js', source: 'https://own' });
    assert.match(html, /<iframe id="app"[^>]* sandbox="allow-scripts" allow=""/u);
    assert.doesNotMatch(html, /same-origin|srcdoc/u);
  });

  it('reads which page a tool has, and who may call it', () => {
    assert.equal(appReference({ progress: 1 }), undefined);
    assert.deepEqual(appReference({ ui: { resourceUri: 'ui://a/b' } }), {
      page: 'ui://a/b',
      forModel: true,
      forApps: true,
    });
    assert.equal(appReference({ 'ui/resourceUri': 'ui://old' })?.page, 'ui://old');
    const hidden = appReference({ ui: { visibility: ['app'] } });
    assert.deepEqual(hidden, { forModel: false, forApps: true });
    assert.equal(appReference({ ui: { resourceUri: 'https://evil.example/' } }), undefined);
  });
});
