import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import { approvalView } from '../../../src/panel/cards/approval-view.ts';
import { messageViews } from '../../../src/panel/session/message-view.ts';
import { endNotice, failureNotice } from '../../../src/panel/session/notices.ts';
import { titleOf, titleOfPartial } from '../../../src/panel/cards/tool-title.ts';
import { INLINE_LIMIT, previewOf, resultPatch } from '../../../src/panel/cards/tool-view.ts';
import { panelHtml } from '../../../src/panel/html.ts';
import type { FailureCode } from '../../../src/domain/failure.ts';
import { signed } from '../../support/replays.ts';

const words = (name: string, input: JsonObject): string => {
  const { title, subject } = titleOf(name, input);
  return `${title} ${subject}`.trim();
};

describe('the titles of tool cards', () => {
  it('say what is done to what', () => {
    assert.equal(words('read_file', { files: [{ path: 'src/a.ts' }] }), 'Read src/a.ts');
    assert.equal(
      words('read_file', { files: [{ path: 'a.ts' }, { path: 'b.ts' }] }),
      'Read a.ts, b.ts',
    );
    assert.equal(words('run_command', { command: 'npm\n  test' }), 'Run npm test');
    assert.equal(words('search_text', { pattern: 'TODO', path: 'src' }), 'Search for TODO');
    assert.equal(words('github__create_issue', { title: 'A bug' }), 'github: create issue A bug');
    assert.equal(words('mcp__files__read', {}), 'files: read');
    assert.equal(words('ext__sample_tools__count', {}), 'sample tools: count');
    assert.equal(words('count_words', { text: 'x' }), 'Count words x');
    assert.equal(words('constructor', {}), 'Constructor');
    const symbol = { path: 'a.ts', symbol: 'area' };
    assert.equal(words('inspect_symbol', { ...symbol, what: 'callers' }), 'Callers of area');
    assert.equal(words('inspect_symbol', { ...symbol, what: 'constructor' }), 'Look up area');
    assert.equal(words('rename_symbol', { ...symbol, new_name: 'size' }), 'Rename area → size');
    assert.equal(words('diagnostics', { paths: ['a.ts'] }), 'Check for problems a.ts');
  });

  it('of edits say what was left out or merged, and of patches how much changed', () => {
    const note = (display: JsonObject): string | undefined =>
      resultPatch(
        { type: 'tool_result', callId: '1', name: 'x', state: 'done', content: [], display },
        false,
      ).note;
    const edit = { kind: 'edit', path: 'a.ts', added: 1, removed: 1 };
    assert.equal(note(edit), '');
    assert.equal(
      note({ ...edit, left: 1, merged: true }),
      'merged with newer text, 1 edit left out',
    );
    const files = [
      { path: 'a.ts', action: 'edit', added: 2, removed: 1 },
      { path: 'b.ts', action: 'delete', added: 0, removed: 3 },
    ];
    assert.equal(note({ kind: 'patch', files }), '2 files');
    const { diff } = patch({ kind: 'patch', files });
    assert.deepEqual(diff, { path: '', added: 2, removed: 4, creates: false });
    assert.equal(note({ kind: 'patch', files: [null, {}] }), '1 file');
    assert.equal(words('apply_patch', { patch: '*** Begin Patch' }), 'Patch');
    assert.equal(words('edit_notebook', { path: 'n.ipynb', edits: [] }), 'Edit cells of n.ipynb');
  });

  it('A9: link the one file they are about, with its line', () => {
    assert.deepEqual(titleOf('read_file', { files: [{ path: 'a.ts', start_line: 12 }] }).file, {
      path: 'a.ts',
      line: 12,
    });
    assert.deepEqual(titleOf('edit_file', { path: 'a.ts' }).file, { path: 'a.ts' });
    assert.equal(titleOf('read_file', { files: [{ path: 'a.ts' }, { path: 'b.ts' }] }).file, null);
    assert.equal(titleOf('run_command', { command: 'a.ts' }).file, null);
    assert.equal(titleOf('edit_file', {}).file, null);
  });

  it('are found in arguments that are still being written', () => {
    assert.equal(titleOfPartial('edit_file', '{"path": "src/a').subject, '');
    assert.equal(titleOfPartial('edit_file', '{"path": "src/\\u0061.ts", "ed').subject, 'src/a.ts');
    assert.equal(titleOfPartial('read_file', '{"files": [{"path": "a.ts"').subject, 'a.ts');
  });

  it('are of one line and bounded', () => {
    const { subject } = titleOf('run_command', { command: 'x'.repeat(5000) });
    assert.equal(subject.length, 301);
  });
});

function patch(
  display: JsonObject,
  more: Partial<ToolResultPart> = {},
): ReturnType<typeof resultPatch> {
  return resultPatch(
    {
      type: 'tool_result',
      callId: 'c',
      name: 'x',
      state: 'done',
      content: [{ type: 'text', text: 'ok' }],
      display,
      ...more,
    },
    false,
  );
}

describe('the results on tool cards', () => {
  it('say the fact that matters', () => {
    const note = (display: JsonObject): string | undefined => patch(display).note;
    assert.equal(
      note({ kind: 'matches', matches: 12, files: 3, complete: true }),
      '12 matches in 3 files',
    );
    assert.equal(
      note({ kind: 'matches', matches: 1, files: 1, complete: true }),
      '1 match in 1 file',
    );
    assert.equal(note({ kind: 'files', count: 100, complete: false }), '100+ files');
    assert.equal(
      note({ kind: 'read', files: [{ path: 'a', from: 1, to: 60, lines: 412 }] }),
      'lines 1–60 of 412',
    );
    assert.equal(
      note({ kind: 'read', files: [{ path: 'a', from: 1, to: 9, lines: 9 }] }),
      '9 lines',
    );
    assert.equal(note({ kind: 'command', exitCode: 1 }), 'exit code 1');
    assert.equal(note({ kind: 'command', exitCode: 0 }), '');
    assert.equal(note({ kind: 'command', timedOut: true }), 'timed out');
    assert.equal(note({}), '');
  });

  it('say what language servers found and changed', () => {
    const note = (display: JsonObject): string | undefined => patch(display).note;
    assert.equal(
      note({ kind: 'problems', errors: 2, warnings: 1, others: 0 }),
      '2 errors, 1 warning',
    );
    assert.equal(note({ kind: 'problems', errors: 0, warnings: 0, others: 0 }), 'no problems');
    assert.equal(
      note({ kind: 'places', what: 'references', places: 5, files: 2 }),
      '5 places in 2 files',
    );
    assert.equal(note({ kind: 'places', what: 'callers', places: 0, files: 0 }), 'nothing');
    assert.equal(note({ kind: 'symbols', count: 200, complete: false }), '200+ symbols');
    assert.equal(note({ kind: 'actions', count: 1 }), '1 action');
    assert.equal(note({ kind: 'cell', cell: 3, outputs: 1 }), 'cell 3, 1 output');
  });

  it('survive a display of an imported session that is nonsense', () => {
    for (const display of [
      { kind: 'read', files: 'x' },
      { kind: 'read', files: [null] },
      { kind: 'matches' },
      { kind: 7 },
      { kind: 'edit', added: 'x' },
    ]) {
      assert.equal(typeof patch(display as JsonObject).note, 'string', JSON.stringify(display));
    }
  });

  it('tell in one line what the model got wrong, and no failure', () => {
    for (const [mistake, said] of [
      ['unknown_tool', 'Unknown tool – retried'],
      ['wrong_arguments', 'Wrong arguments – retried'],
    ] as const) {
      const {
        note: line,
        trouble,
        isModelMistake,
      } = patch({ kind: 'rejected_call', mistake }, { state: 'failed' });
      assert.deepEqual(
        { line, trouble, isModelMistake },
        { line: said, trouble: '', isModelMistake: true },
      );
    }
  });

  it('count the lines of an edit', () => {
    const { diff } = patch({ kind: 'edit', path: 'a.ts', added: 3, removed: 1, created: true });
    assert.deepEqual(diff, { path: 'a.ts', added: 3, removed: 1, creates: true });
    assert.equal(patch({ kind: 'command', exitCode: 0 }).diff, null);
  });

  it('hold back what is long, and know how long the whole is', () => {
    const long = 'x'.repeat(INLINE_LIMIT + 1);
    assert.equal(previewOf(long.slice(1)).text.length, INLINE_LIMIT);
    assert.ok(previewOf(long).text.length < 1000);
    assert.equal(previewOf(long).total, long.length);
    const cut = patch({}, { cut: { resultId: 'r', shown: 2, total: 90_000 } });
    assert.equal(cut.result?.total, 90_000);
  });

  it('E3: say how much of a result the model saw, and how often it was tried', () => {
    const cut = { resultId: 'r', shown: 40_000, total: 1_234_567 };
    const words = 'cut: 40,000 of 1,234,567 characters';
    assert.equal(patch({}, { cut }).note, words);
    assert.equal(patch({ kind: 'command', exitCode: 2 }, { cut }).note, `exit code 2, ${words}`);
    assert.equal(patch({}, { cut, retries: 2 }).note, `${words}, tried 3 times`);
    assert.equal(patch({}).note, '');
  });

  it('stand on the cards of their calls, in order', () => {
    const base = { sessionId: 's', createdAt: 0 };
    const views = messageViews([
      {
        ...base,
        id: 'a',
        seq: 1,
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c', name: 'x', input: {} }],
      },
      {
        ...base,
        id: 'b',
        seq: 2,
        role: 'tool',
        parts: [
          {
            type: 'tool_result',
            callId: 'c',
            name: 'x',
            state: 'failed',
            content: [{ type: 'text', text: 'no' }],
          },
        ],
      },
      { ...base, id: 'd', seq: 3, role: 'user', parts: [{ type: 'text', text: 'hm' }] },
    ]);
    assert.deepEqual(
      views.map(({ id }) => id),
      ['a', 'd'],
    );
    const tool = views[0]?.parts[0];
    assert.ok(tool?.type === 'tool');
    assert.equal(tool.state, 'failed');
    assert.equal(tool.result?.text, 'no');
  });

  it('never carry the signature of thinking or bytes of a big image', () => {
    const base = { sessionId: 's', createdAt: 0, role: 'assistant', seq: 1, id: 'a' } as const;
    const data = 'A'.repeat(400_000);
    const [view] = messageViews([
      {
        ...base,
        parts: [
          { type: 'reasoning', text: 'hm', replay: signed('secret') },
          { type: 'binary', mediaType: 'image/png', data },
        ],
      },
    ]);
    assert.deepEqual(view?.parts, [
      { type: 'reasoning', text: 'hm' },
      { type: 'binary', mediaType: 'image/png', size: 300_000 },
    ]);
  });
});

describe('approvals', () => {
  const question = {
    id: 'q',
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    tool: 'edit_file',
    title: 'Edit a.ts',
    detail: 'whole detail',
    hash: 'h',
  };

  it('show all of what the hash is of', () => {
    const detail = 'x'.repeat(100_000);
    const view = approvalView({ ...question, detail });
    assert.equal(view.detail, detail);
    assert.equal(view.hash, 'h');
  });

  it('show an edit as a short diff with the line numbers of each side', () => {
    const before = 'one\ntwo\nthree\nfour\n';
    const after = 'one\n2\nthree\nfour\nfive\n';
    const {
      edits: [edit],
    } = approvalView({
      ...question,
      edits: [{ path: '/w/a.ts', name: 'a.ts', before, after, creates: false }],
    });
    assert.deepEqual([edit?.added, edit?.removed, edit?.complete], [2, 1, true]);
    assert.deepEqual(
      edit?.lines.map(({ kind, text, line }) => `${line} ${kind} ${text}`),
      [
        '1 context one',
        '2 removed two',
        '2 added 2',
        '3 context three',
        '4 context four',
        '5 added five',
      ],
    );
  });

  it('security 7: show what is invisible', () => {
    const hidden = 'safe\u202E\u200B';
    const {
      edits: [edit],
      title,
    } = approvalView({
      ...question,
      title: `Edit ${hidden}`,
      edits: [{ path: '/w/a.ts', name: 'a.ts', before: '', after: `${hidden}\n`, creates: true }],
    });
    assert.equal(edit?.lines[0]?.text, 'safe<U+202E><U+200B>');
    assert.equal(title, 'Edit safe<U+202E><U+200B>');
    assert.equal(words('run_command', { command: `rm ${hidden}` }), 'Run rm safe<U+202E><U+200B>');
  });

  it('say when a change is not shown whole', () => {
    const after = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const {
      edits: [edit],
    } = approvalView({
      ...question,
      edits: [{ path: '/w/a.ts', name: 'a.ts', before: '', after, creates: true }],
    });
    assert.equal(edit?.added, 500);
    assert.equal(edit?.complete, false);
    assert.ok((edit?.lines.length ?? 0) <= 120);
  });
});

describe('notices', () => {
  const failure = (code: FailureCode) => ({ code, message: 'What happened.' });

  it('D10: offer what helps with the failure', () => {
    const actions = (code: FailureCode) => failureNotice('n', failure(code), true).actions;
    assert.deepEqual(actions('auth'), ['set_api_key', 'choose_model', 'retry']);
    assert.deepEqual(actions('model_not_found'), ['choose_model', 'open_settings', 'retry']);
    assert.deepEqual(actions('network'), ['retry', 'show_log']);
    assert.deepEqual(actions('max_iterations'), ['continue']);
    assert.deepEqual(actions('context_limit'), ['compact', 'choose_model', 'retry']);
  });

  it('say that the connection was lost, and offer to retry, when an answer broke off', () => {
    const lost = failureNotice('n', failure('stream_broken'), true);
    assert.match(lost.message, /^The connection was lost\./u);
    assert.equal(lost.actions[0], 'retry');
  });

  it('say nothing of a run that ended well or by the person’s own hand', () => {
    assert.equal(endNotice({ reason: 'done', state: 'completed', canContinue: false }), undefined);
    assert.equal(
      endNotice({
        reason: 'canceled',
        state: 'cancelled',
        canContinue: false,
        failure: failure('canceled'),
      }),
      undefined,
    );
    assert.equal(
      endNotice({ reason: 'denied', state: 'completed', canContinue: false }),
      undefined,
    );
  });
});

describe('the page of the panel', () => {
  it('security 8: allows its own script and styles, and nothing else', () => {
    const html = panelHtml({
      script: 'https://w/panel.js',
      chunks: ['https://w/panel-chunk-A.js'],
      style: 'https://w/panel.css',
      source: 'https://w',
      nonce: 'n1',
      language: 'en',
      words: '{}',
    });
    const policy = /Content-Security-Policy" content="([^"]*)"/u.exec(html)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-n1'; style-src https://w 'nonce-n1'; font-src https://w; img-src https://w data:; media-src data:; base-uri 'none'; form-action 'none'",
    );
    assert.doesNotMatch(html, /<style|style=|\son\w+=|<script(?![^>]*nonce="n1")/u);
    assert.match(
      html,
      /<link rel="modulepreload" nonce="n1" href="https:\/\/w\/panel-chunk-A\.js">/u,
    );
  });
});
