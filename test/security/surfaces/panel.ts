import { h, options as preactOptions, type VNode } from 'preact';
import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { judgeLink } from '../../../src/core/permissions/network/link-guard.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { makeVisible } from '../../../src/domain/text/honest-text.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';
import { resolveLink } from '../../../src/panel/file-target.ts';
import { panelHtml, panelOptions } from '../../../src/panel/html.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { EMPTY_SESSION } from '../../../src/protocol/snapshot.ts';
import { requestSchemas } from '../../../src/protocol/requests.ts';
import type { ToolView } from '../../../src/protocol/view.ts';
import { emptyToolView } from '../../../src/panel/cards/tool-view.ts';
import { approvalView } from '../../../src/panel/cards/approval-view.ts';
import { titleOf } from '../../../src/panel/cards/tool-title.ts';
import type { LinkTarget } from '../../../webview/markdown/links.ts';
import { Markdown } from '../../../webview/markdown/markdown.tsx';
import { Panel, PanelContext } from '../../../webview/panel.ts';
import { PanelStore } from '../../../webview/store.ts';
import { ViewState } from '../../../webview/view-state.ts';
import { App } from '../../../webview/views/app.tsx';
import { Mirror } from '../../unit/panel/mirror.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { root } from '../../rig/processes.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { hasHidden, textOf } from './text.ts';

/** The panel: what model text becomes on screen, and what its messages may ask (rules 6 and 8). */
export const panelSurfaces: Surfaces = {
  render: async ({ input }) => render(textOf(input['markdown'] ?? input['text'] ?? input['html'])),

  'render-name': async ({ input }) => renderName(textOf(input['name'] ?? input['text'])),

  'webview-message': async ({ input }, fixture) => message(input['message'] ?? input, fixture),

  'webview-options': async () => {
    const dist = 'the built folder';
    const options = panelOptions(dist);
    const page = panelHtml({
      script: 's.js',
      style: 's.css',
      source: 'vscode-webview:',
      nonce: 'n',
      language: 'en',
      words: '{}',
    });
    const policy = /Content-Security-Policy" content="(?<policy>[^"]*)"/u.exec(page)?.groups?.[
      'policy'
    ];
    const provider = readFileSync(path.join(root, 'src/hosts/vscode/startup/show-page.ts'), 'utf8');
    const problems = [
      ...(JSON.stringify(options.localResourceRoots) === JSON.stringify([dist]) ? [] : ['roots']),
      ...('enableCommandUris' in options || options.enableForms ? ['more than scripts'] : []),
      ...(policy?.startsWith("default-src 'none'") === true ? [] : ['no default']),
      ...(/unsafe|https?:|\*|connect-src|frame-src|object-src/u.test(policy ?? '*')
        ? ['open policy']
        : []),
      ...(/script-src 'nonce-n'(?:;|$)/u.test(policy ?? '') ? [] : ['scripts without nonce']),
      ...(/webview\.options = panelOptions\(dist\)/u.test(provider) ? [] : ['other options']),
    ];
    return problems.length === 0
      ? { decision: 'inert', note: policy ?? '' }
      : { decision: 'allow', note: problems.join(', ') };
  },
};

/** Elements that the panel draws text with; none of them loads or runs anything. */
const HARMLESS =
  /^(?:div|span|p|a|b|i|em|strong|del|code|pre|br|hr|h[1-6]|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|button|section|main|header|footer|input|label|nav|textarea|details|summary|dialog|kbd|small|time|menu|figure|figcaption|article|aside)$/u;

export function screenOf(session: Partial<typeof EMPTY_SESSION>): Panel {
  const store = new PanelStore();
  store.show({
    app: {
      hasKey: true,
      offeredKey: null,
      trusted: true,
      hasWorkspace: true,
      lostKey: null,
      serverProblems: [],
    },
    models: [],
    sessions: { rows: [], total: 0, error: null, deleted: null },
    session: { ...EMPTY_SESSION, ...session },
    review: EMPTY_REVIEW,
  });
  return new Panel(store, { request: () => new Promise(() => undefined), ready: () => undefined });
}

/** What of a page loads or runs; empty: nothing. */
function activeParts(html: string): string[] {
  const tags = [...html.matchAll(/<([a-zA-Z][\w-]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gu)];
  return tags.flatMap(([whole, name = '', attributes = '']) => {
    if (!HARMLESS.test(name.toLowerCase())) return [whole];
    const plain = attributes.replace(/="[^"]*"/gu, '=""');
    return /(?:^|\s)(?:src|srcset|href|xlink:href|action|formaction|style|background|poster|data|ping|on\w+)=/iu.test(
      plain,
    )
      ? [whole]
      : [];
  });
}

function render(markdown: string): Answer {
  const opened: NonNullable<LinkTarget>[] = [];
  const panel = screenOf({});
  const clicks: (() => void)[] = [];
  const context = {
    files: signal<ReadonlySet<string>>(new Set()),
    there: { has: () => signal(true), want: () => undefined },
    open: (target: NonNullable<LinkTarget>) => void opened.push(target),
  };
  const drawn = h(Markdown, { text: markdown, open: false, context });
  collectClicks(clicks);
  const html = renderToString(h(PanelContext.Provider, { value: panel }, drawn));
  stopCollecting();
  const active = activeParts(html);
  if (active.length > 0) return { decision: 'allow', note: active.join(' ') };
  if (hasHidden(html.replaceAll('\r', '')))
    return { decision: 'allow', note: 'hidden characters on screen' };
  // Everything that can be clicked is clicked.
  for (const click of clicks) click();
  const asked = opened.map((target) => {
    if (target.kind === 'file') return 'file';
    const verdict = judgeLink(target.url, target.shown ?? target.url);
    const visible = verdict.verdict !== 'ask' || verdict.host !== '';
    return visible ? verdict.verdict : 'hidden';
  });
  if (asked.includes('hidden')) return { decision: 'allow', note: 'a question without its host' };
  const note = `${opened.length} links: ${asked.join()} ${html.slice(0, 200)}`;
  return { decision: asked.includes('ask') ? 'ask' : 'inert', note };
}

/** Preact tells of every node that is made: the handlers of the links are taken from there. */
type NodeHook = (this: void, node: VNode) => void;
let before: NodeHook | undefined;

function collectClicks(clicks: (() => void)[]): void {
  const known = preactOptions as { vnode?: NodeHook };
  before = known.vnode;
  known.vnode = (node) => {
    const { onClick } = node.props as { readonly onClick?: () => void };
    if (node.type === 'a' && onClick !== undefined) clicks.push(() => onClick());
    before?.(node);
  };
}

function stopCollecting(): void {
  if (before === undefined) delete preactOptions.vnode;
  else preactOptions.vnode = before;
}

/** A name as title of a session, of a tool and of a server, in a card and in a question. */
function renderName(name: string): Answer {
  const face = titleOf(`mcp__${name}__${name}`, { path: name });
  const tool: ToolView = { ...emptyToolView('c', name), ...face, files: [{ path: name }] };
  const question = {
    id: 'q',
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    tool: name,
    title: `Edit ${name}`,
    detail: makeVisible(name),
    hash: 'h',
  };
  const html = renderToString(
    h(
      PanelContext.Provider,
      {
        value: screenOf({
          id: 's',
          title: makeVisible(name),
          messages: [
            {
              id: 'm',
              seq: 1,
              role: 'assistant',
              origin: null,
              parts: [tool],
              createdAt: 0,
              model: null,
            } as unknown as (typeof EMPTY_SESSION.messages)[number],
          ],
          approvals: [approvalView(question)],
        }),
      },
      h(App, { viewState: new ViewState(async () => undefined) }),
    ),
  );
  const active = activeParts(html);
  if (active.length > 0 || hasHidden(html)) return { decision: 'allow', note: active.join(' ') };
  return { decision: 'inert' };
}

/** Names of requests by what a stranger may call them. */
const LIKE: readonly (readonly [RegExp, (message: JsonObject) => readonly [string, JsonObject]])[] =
  [
    [
      /approv|allow|accept|permission|confirm|answer/iu,
      (message) => [
        'answerApproval',
        {
          questionId: textOf(
            message['questionId'] ?? message['callId'] ?? message['id'] ?? 'made-up',
          ),
          hash: textOf(message['hash'] ?? ''),
          allowed: true,
        },
      ],
    ],
    [
      /open.*(?:file|path|document)|reveal/iu,
      (message) => [
        'openFile',
        { path: textOf(message['path'] ?? message['file'] ?? message['uri']) },
      ],
    ],
    [
      /url|link|external|browser/iu,
      (message) => [
        'openExternal',
        { url: textOf(message['url'] ?? message['href'] ?? message['uri']) },
      ],
    ],
  ];

/** The message as it came, in an envelope of the protocol, and as the request it may stand for. */
async function message(raw: Json, fixture: Fixture): Promise<Answer> {
  const stage = new Stage(new FakeClock(), (made) => {
    made.addSession({ id: 'one', title: 'First' });
    made.lastSession = 'one';
  });
  const mirror = new Mirror(stage.panel);
  await mirror.ready();
  const shape = (
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}
  ) as JsonObject;
  mirror.send(raw);
  const name = textOf(shape['type'] ?? shape['command'] ?? shape['name']);
  const { type: _type, ...params } = shape;
  mirror.send({ type: 'request', id: 900, name, params });
  await new Promise((resolve) => setImmediate(resolve));
  const harmless = Object.keys(requestSchemas).includes(name);
  if (stage.calls.length > 0 && !harmless) return { decision: 'allow', note: stage.calls.join() };
  const notes: string[] = [];
  for (const [pattern, translate] of LIKE) {
    if (!pattern.test(JSON.stringify(raw))) continue;
    const [request, parameters] = translate(shape);
    const answer = await asRequest(request, parameters, fixture);
    if (answer.decision !== 'refuse') return answer;
    notes.push(`${request}: ${answer.note ?? ''}`);
  }
  return { decision: 'refuse', note: notes.join(' ') };
}

async function asRequest(name: string, params: JsonObject, fixture: Fixture): Promise<Answer> {
  try {
    if (name === 'answerApproval') {
      const desk = new ApprovalQueue();
      const waiting = desk.approve(
        {
          id: 'q-1',
          sessionId: 's',
          runId: 'r',
          callId: 'c-1',
          tool: 'run_command',
          title: 't',
          detail: 'd',
          hash: 'the-hash',
        },
        new AbortController().signal,
      );
      waiting.catch(() => undefined);
      desk.answerApproval(params as unknown as Parameters<ApprovalQueue['answerApproval']>[0]);
      return { decision: 'allow', note: 'a forged answer was taken' };
    }
    if (name === 'openFile') {
      const files = new NodeFileSystem();
      const guard = new PathGuard({
        files,
        ownFolders: [fixture.storage],
        ignored: new NodeIgnoredPaths(),
      });
      const file = await resolveLink(
        { path: textOf(params['path']) },
        { roots: () => [fixture.ws], files, guard },
      );
      return { decision: 'allow', note: file };
    }
    const verdict = judgeLink(textOf(params['url']), textOf(params['url']));
    return { decision: verdict.verdict === 'open' ? 'ask' : verdict.verdict };
  } catch (error) {
    return { decision: 'refuse', note: error instanceof Error ? error.message : String(error) };
  }
}
