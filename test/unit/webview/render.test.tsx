import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { type ComponentChildren, options, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { changeCommentText } from '../../../src/domain/review/change-comment.ts';
import { EMPTY_SESSION, IDLE_RUN, type Snapshot } from '../../../src/protocol/snapshot.ts';
import { Markdown } from '../../../webview/markdown/markdown.tsx';
import type { MarkdownContext } from '../../../webview/markdown/inline.tsx';
import { Refusal } from '../../../webview/host/pending-requests.ts';
import { Panel, PanelContext } from '../../../webview/panel.ts';
import { PanelStore } from '../../../webview/store.ts';
import { ViewState } from '../../../webview/view-state.ts';
import { App } from '../../../webview/views/app.tsx';
import { TitleInput } from '../../../webview/views/sessions/title-input.tsx';

const context: MarkdownContext = {
  files: signal<ReadonlySet<string>>(new Set()),
  there: { has: () => signal(false), want: () => undefined },
  open: () => undefined,
};

function panelWith(
  session: Partial<Snapshot['session']>,
  app: Partial<Snapshot['app']> = {},
  review: Snapshot['review'] = EMPTY_REVIEW,
): Panel {
  const store = new PanelStore();
  store.show({
    app: {
      hasKey: true,
      offeredKey: null,
      trusted: true,
      hasWorkspace: true,
      lostKey: null,
      serverProblems: [],
      ...app,
    },
    models: [],
    sessions: { rows: [], total: 0, error: null, deleted: null },
    session: { ...EMPTY_SESSION, ...session },
    review,
  });
  return new Panel(store, { request: () => new Promise(() => undefined), ready: () => undefined });
}

function markdown(text: string): string {
  return renderToString(
    <PanelContext.Provider value={panelWith({})}>
      <Markdown text={text} open={false} context={context} />
    </PanelContext.Provider>,
  );
}

function screen(panel: Panel): string {
  return renderToString(
    <PanelContext.Provider value={panel}>
      <App viewState={new ViewState(async () => undefined)} />
    </PanelContext.Provider>,
  );
}

describe('answers on screen', () => {
  it('makes text bold and italic next to Chinese, Japanese and Korean punctuation', () => {
    const texts: readonly (readonly [text: string, ...bold: string[]])[] = [
      ['**注意：**请看。这是**“引号”**后面', '注意：', '“引号”'],
      ['前面**「重要」**です、**太字。**次。**（注）**abc', '「重要」', '太字。', '（注）'],
      ['**"인용"**은 **주의(注意)**는', '"인용"', '주의(注意)'],
      ['**注意:**请看 **完成✅**后 𠮷**“x”**𠮷', '注意:', '完成✅', '“x”'],
      ['*强调。*后面，字*（一）*字', '强调。', '（一）'],
      ['2**3**4 **bold**text', '3', 'bold'],
      ['a * b * c **Note:**text ** 中 **'],
      ['_注意：_请看'],
      ['中_“x”_文'],
    ];
    for (const [text, ...bold] of texts)
      assert.deepEqual(
        [...markdown(text).matchAll(/<(strong|em)>(?<text>.*?)<\/\1>/gu)].map(({ groups }) =>
          groups?.['text']?.replaceAll('&quot;', '"'),
        ),
        bold,
        text,
      );
  });

  it('strikes a text between two tildes, and leaves single tildes as they are', () => {
    for (const [text, ...struck] of [
      ['大约3~5天，价格100~200元'],
      ['Fix it (~2000 lines) and delete (~5000 lines), ~a~, ~/b and ~/c, ~~~d~~~'],
      ['~~gone~~ a~~b~~c ~~d~e~~', 'gone', 'b', 'd~e'],
      ['价格~~一百元。~~现价，字~~“旧”~~后面', '一百元。', '“旧”'],
    ] as const)
      assert.deepEqual(
        [...markdown(text).matchAll(/<del>(.*?)<\/del>/gu)].map(([, one]) => one),
        struck,
        text,
      );
  });

  it('security 6, 8: show HTML as text, in every place where markdown allows it', () => {
    const hostile =
      '<script>alert(1)</script><img src=x onerror=alert(1)><iframe src="https://evil.example"></iframe>';
    for (const text of [
      hostile,
      `para ${hostile}`,
      `- ${hostile}`,
      `> ${hostile}`,
      `# ${hostile}`,
      `| a |\n|---|\n| ${hostile} |`,
      `**${hostile}**`,
      `[${hostile}](a.md)`,
      `\`${hostile}\``,
      `\`\`\`html\n${hostile}\n\`\`\``,
    ]) {
      const html = markdown(text);
      assert.doesNotMatch(html, /<(?:script|img|iframe)/iu, text);
      assert.match(html, /&lt;script/u, text);
    }
  });

  it('security 6: make no link that a browser would follow, and load no image', () => {
    const html = markdown(
      '[a](javascript:alert(1)) [b](command:x) [c](https://example.com) ![d](https://evil.example/p.png) <https://e.example> [f](src/a.ts)',
    );
    assert.doesNotMatch(html, /\bhref=|\bsrc=|<img/u);
    assert.doesNotMatch(html, /javascript:|command:/u);
    assert.match(html, /title="https:\/\/example\.com"/u);
    assert.match(html, /d \(image not loaded\)/u);
    assert.match(html, /title="src\/a\.ts"/u);
  });

  it('keep what is written: code, tables, lists, references', () => {
    const html = markdown(
      'A &amp; B\n\n1. x\n\n```ts\na < b && c\n```\n\n| h |\n|--:|\n| 1 |\n\n- [x] done',
    );
    assert.match(html, /<p dir="auto">A &amp; B<\/p>/u);
    assert.match(html, /<ol dir="auto"><li>x<\/li><\/ol>/u);
    assert.match(html, /<code>a &lt; b &amp;&amp; c<\/code>/u);
    assert.match(html, /<td class="align-right" dir="auto">1<\/td>/u);
    assert.match(html, /aria-label="done"/u);
  });
});

interface Field {
  readonly onKeyDown?: (event: object) => void;
}

/** The text fields of a part of the page that act on keys. */
function fields(part: ComponentChildren): readonly Field[] {
  const found: Field[] = [];
  const hooks: { vnode?: ((node: VNode<Field>) => void) | undefined } = options;
  const before = hooks.vnode;
  hooks.vnode = (node) => {
    before?.(node);
    if (/^(?:input|textarea)$/u.test(String(node.type)) && node.props.onKeyDown !== undefined)
      found.push(node.props);
  };
  try {
    renderToString(<PanelContext.Provider value={panelWith({})}>{part}</PanelContext.Provider>);
  } finally {
    hooks.vnode = before;
  }
  return found;
}

describe('a text field', () => {
  it('leaves the Enter that ends a composition to the input method, also in Safari', () => {
    const renamed: string[] = [];
    const all = [
      <App viewState={new ViewState(async () => undefined)} />,
      <TitleInput sessionId="1" title="Title" onDone={() => renamed.push('renamed')} />,
    ].flatMap(fields);
    assert.equal(all.length, 2);
    const press = (keys: object): number => {
      let taken = 0;
      const take = (): void => {
        taken += 1;
      };
      for (const { onKeyDown } of all)
        onKeyDown?.({ key: 'Enter', preventDefault: take, stopPropagation: take, ...keys });
      return taken;
    };
    assert.equal(press({ keyCode: 229, isComposing: false }), 0);
    assert.equal(press({ keyCode: 13, isComposing: true }), 0);
    assert.deepEqual(renamed, []);
    assert.equal(press({ keyCode: 13, isComposing: false }), 4);
    assert.deepEqual(renamed, ['renamed']);
  });
});

describe('the panel on screen', () => {
  it('offers a key and the demo when there is no key', () => {
    const html = screen(panelWith({}, { hasKey: false }));
    assert.match(html, /Set API Key/u);
    assert.match(html, /Try the Demo/u);
    assert.doesNotMatch(screen(panelWith({})), /Set API Key/u);
  });

  it('says that the session is busy only until its run has ended', () => {
    const panel = panelWith({ id: 's', run: { ...IDLE_RUN, runId: 'r', phase: 'model' } });
    panel.host.refuse(new Refusal({ code: 'busy', message: 'This session is busy.' }));
    panel.host.refuse(new Refusal({ code: 'store', message: 'The disk is full.' }));
    assert.match(screen(panel), /This session is busy/u);
    panel.store.apply([{ type: 'session', set: { run: IDLE_RUN } }]);
    const said = screen(panel);
    assert.doesNotMatch(said, /This session is busy/u);
    assert.match(said, /The disk is full/u);
  });

  it('shows a message of the person as it was written', () => {
    const html = screen(
      panelWith({
        id: 's',
        messages: [
          {
            id: 'm',
            seq: 1,
            role: 'user',
            createdAt: 0,
            open: false,
            parts: [{ type: 'text', text: '<b>not bold</b> **nor this**' }],
          },
        ],
      }),
    );
    assert.match(
      html,
      /&lt;b>not bold&lt;\/b> \*\*nor this\*\*|&lt;b&gt;not bold&lt;\/b&gt; \*\*nor this\*\*/u,
    );
  });

  it('shows a comment on a pending change with its place; the change is folded', () => {
    const text = changeCommentText({
      path: 'src/a.ts',
      from: 3,
      to: 5,
      diff: '@@ -3,1 +3,1 @@\n-old line\n+replacement',
      comment: 'Why <b>so</b>?',
    });
    const panel = panelWith({
      id: 's',
      messages: [
        {
          id: 'm',
          seq: 1,
          role: 'user',
          createdAt: 0,
          open: false,
          parts: [{ type: 'text', text }],
        },
      ],
    });
    const html = screen(panel);
    assert.match(html, /src\/a\.ts, lines 3 to 5/u);
    assert.match(html, /Why &lt;b/u);
    assert.doesNotMatch(html, /Comment on your pending change of|old line/u);
    panel.conversation.fold('commented/m', true);
    assert.match(screen(panel), /old line/u);
  });

  it('shows an approval whose card is not in the conversation', () => {
    const approval = {
      questionId: 'q',
      callId: 'elsewhere',
      tool: 'run_command',
      title: 'Run a command',
      detail: 'rm -rf build',
      prose: false,
      agent: '',
      where: 'In /work/sample.',
      reason: '',
      runId: 'r',
      keep: [],
      remembersCheck: false,
      hash: 'h',
      edits: [],
      offersAllEdits: false,
      isSelectable: false,
    };
    const html = screen(panelWith({ id: 's', approvals: [approval] }));
    assert.match(html, /rm -rf build/u);
    assert.match(html, />Allow</u);
  });

  it('says what limits Belay in this window', () => {
    assert.match(screen(panelWith({}, { trusted: false })), /not trusted/u);
    assert.match(screen(panelWith({}, { hasWorkspace: false })), /No folder is open/u);
  });

  it('says why a session cannot be read, and takes no message for it', () => {
    const html = screen(panelWith({ id: 's', error: 'The database is damaged.' }));
    assert.match(html, /The database is damaged\./u);
    assert.match(html, /<textarea[^>]*disabled/u);
  });

  it('security 6, 8: shows names, lines, commands and messages of pending changes as text', () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const file = {
      path: `/w/${hostile}`,
      name: `src/${hostile}`,
      sessionId: 's',
      messageId: 'm',
      state: 'changed',
      form: null,
      renamedFrom: hostile,
      command: hostile,
      gone: false,
      added: 1,
      removed: 0,
      count: 1,
      hunks: [
        {
          id: hostile,
          kind: 'change',
          line: 1,
          lines: 1,
          added: 1,
          removed: 0,
          preview: [{ kind: 'added', text: hostile, line: 1 }],
          edited: false,
          conflict: false,
          looked: false,
          evidence: null,
        },
      ],
    } as const;
    const group = {
      sessionId: 's',
      messageId: 'm',
      session: hostile,
      text: hostile,
      at: 0,
      count: 1,
      added: 1,
      removed: 0,
      files: ['key'],
      hidden: 0,
    };
    const review = {
      ...EMPTY_REVIEW,
      totals: { files: 1, hunks: 1, added: 1, removed: 0 },
      groups: [group, { ...group, sessionId: 'other', files: [] }],
      files: { key: file },
      offers: [{ path: hostile, name: hostile, why: 'gone' }],
      unfolded: true,
    } as const;
    const html = screen(panelWith({ id: 'other' }, {}, review));
    assert.doesNotMatch(html, /<img/u);
    // Session, message, folder and name, renaming, command, line, offer.
    assert.ok((html.match(/>[^<]*&lt;img src=x/gu) ?? []).length >= 7, html);
  });
});
