import { writeFileSync } from 'node:fs';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { WrittenChanges } from '../../../src/core/review/files/written-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { PendingWork } from '../../support/pending-work.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, history, MINUTE, result, S, session } from './fixture-session.ts';
import { evidenceByName } from './evidence-scene.ts';
import type { Scene } from './scenes.ts';

const PARSER = `import { nextToken } from './tokens.ts';

/** Reads a list, without the separators. */
export function parseList(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let token = nextToken(source);
  while (token !== last) {
    tokens.push(token);
    token = nextToken(source);
  }
  return tokens;
}

export function parseMap(source: string): ReadonlyMap<string, Token> {
  const entries = new Map<string, Token>();
  for (const [key, value] of pairs(source)) {
    entries.set(key, value);
  }
  return entries;
}
`;

const FIXED = PARSER.replace(
  `  let token = nextToken(source);
  while (token !== last) {
    tokens.push(token);
    token = nextToken(source);
  }
`,
  `  // stops at the end of the input, not at a repeated token
  for (let token = nextToken(source); token.kind !== 'end'; token = nextToken(source)) {
    tokens.push(token);
  }
`,
);

/** A session on screen, and pending changes. */
export function withPending(
  prepare: (work: PendingWork, stage: Stage, by: Partial<Attribution>) => Promise<void>,
  more: Partial<Scene> = {},
): Scene {
  return {
    ...more,
    prepare: (stage) => {
      session(stage);
      history(stage);
      const work = new PendingWork(stage.clock);
      stage.reviews = work.reviews;
      stage.roots = [work.folder];
      stage.changesUnfolded = true;
      const request = stage.messages.get(S)?.find(({ role }) => role === 'user');
      void prepare(work, stage, {
        sessionId: S,
        messageId: request?.id ?? '',
        callId: 'c4',
        at: stage.clock.now() - 6 * MINUTE,
      });
    },
  };
}

async function one(work: PendingWork, by: Partial<Attribution>): Promise<void> {
  await work.edit('src/parse.ts', [PARSER, FIXED], by);
}

/** Every state that a change can be in, of two requests and of another session. */
async function many(work: PendingWork, stage: Stage, by: Partial<Attribution>): Promise<void> {
  await one(work, by);
  const parser = work.reviews.find(work.at('src/parse.ts'));
  const [first] = parser === undefined ? [] : hunksOf(parser);
  await work.again(
    'src/parse.ts',
    FIXED.replace(
      '    entries.set(key, value);\n',
      '    if (!entries.has(key)) entries.set(key, value);\n',
    ),
    by,
  );
  if (first !== undefined) work.reviews.decisions.look(work.at('src/parse.ts'), [first.id], true);
  await work.edit(
    'test/parse.test.ts',
    [null, "describe('parser', () => {\n  it('returns each element once');\n});\n"],
    by,
  );
  const later = stage.store(
    S,
    'user',
    [{ type: 'text', text: 'Rename the helper, and regenerate the tables while you are at it.' }],
    { origin: 'person' },
  );
  const then = { ...by, messageId: later.id, callId: 'c7', at: stage.clock.now() - MINUTE };
  await work.edit(
    'src/very/deep/folder/with/a/long/name/generated-tables.ts',
    ['const TABLE = [1, 2, 3];\n', 'const TABLE = [1, 2, 3, 5, 8];\n'],
    then,
  );
  await work.edit('src/old-helper.ts', ['export const old = 1;\n', null], then);
  const content = { kind: 'text', lines: ['export const helper = 1;', ''] } as const;
  work.write('src/helper.ts', 'export const helper = 1;\n');
  await work.reviews.agent.renames(
    work.at('src/helper.ts'),
    { path: work.at('src/tokens/helper.ts'), content },
    work.by(then),
  );
  const conflict = PARSER.replace('readonly Token[] {', 'Token[] {');
  await work.edit('src/lists.ts', [PARSER, conflict], then);
  work.write('src/lists.ts', PARSER.replace('readonly Token[] {', 'Iterable<Token> {'));
  await work.reviews.files.fileChanged(work.at('src/lists.ts'));
  await work.edit('src/mine.ts', [PARSER, FIXED], then);
  const typed = FIXED.replace('// stops', '// Stops');
  work.write('src/mine.ts', typed);
  await work.reviews.files.fileChanged(work.at('src/mine.ts'));
  stage.addSession({ id: 'other', title: 'Update the dependencies' });
  const asked = stage.store(
    'other',
    'user',
    [{ type: 'text', text: 'Take the newest of everything' }],
    { origin: 'person' },
  );
  await work.edit(
    'package.json',
    ['{\n  "version": "1.0.0"\n}\n', '{\n  "version": "1.1.0"\n}\n'],
    { ...by, sessionId: 'other', messageId: asked.id, at: stage.clock.now() - 70 * MINUTE },
  );
}

/** As many as stay responsive: 300 changes in 40 files. */
export async function full(work: PendingWork, by: Partial<Attribution>): Promise<void> {
  const lines = Array.from({ length: 120 }, (_, index) => `  const value${index} = ${index};`);
  for (let file = 0; file < 40; file += 1) {
    const count = file < 20 ? 8 : 7;
    const after = lines.map((line, index) =>
      index % 12 === 0 && index / 12 < count ? `${line} // ${file}` : line,
    );
    const name = `src/part-${String(file).padStart(2, '0')}/values.ts`;
    await work.edit(name, [lines.join('\n'), after.join('\n')], by);
  }
}

/** Changes of whole files: names, deletions, new ones and a picture. */
async function wholeFiles(
  work: PendingWork,
  _stage: Stage,
  by: Partial<Attribution>,
): Promise<void> {
  const made = work.by({ ...by, tool: 'manage_files' });
  const moves: readonly (readonly [string, string])[] = [
    ['lib/parse.ts', 'core/parse.ts'],
    ['lib/lists/index.ts', 'core/lists/index.ts'],
  ];
  for (const [from, to] of moves) {
    work.write(from, PARSER);
    const content = { kind: 'text', lines: PARSER.split('\n') } as const;
    await work.reviews.agent.renames(work.at(from), { path: work.at(to), content }, made);
  }
  await work.again('core/lists/index.ts', FIXED, by);
  await work.edit('lib/legacy.ts', ['export const old = 1;\n', null], by);
  await work.edit('src/list.ts', [null, 'export const list = [];\n'], by);
  const edits: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
    ['media/icon.png', new Uint8Array(1800), new Uint8Array(2400)],
  ];
  const files = new ReviewedFiles(
    new NodeFileSystem(),
    new WrittenChanges(work.reviews, new SystemClock()),
  );
  for (const [name, before, after] of edits) {
    work.write(name, '');
    writeFileSync(work.at(name), before);
    const { sessionId, messageId, callId, tool } = work.by(by);
    const origin = { sessionId, messageId, callId, tool, how: 'write' } as const;
    await files.write(work.at(name), after, { origin });
  }
}

/** Changes that a narrow list is apt to hide: late in a line, several rows, and the newline at the end. */
async function diffs(work: PendingWork, _stage: Stage, by: Partial<Attribution>): Promise<void> {
  const job = 'function claim(job) {\n    job.leasedUntil = this.now() + this.leaseSeconds;\n}\n';
  await work.edit('src/queue.ts', [job, job.replace('Seconds', 'Seconds * 1000')], by);
  const parts = 'const first = read(1);\nconst second = read(2);\nexport const all = [first];\n';
  const more = parts.replaceAll('read(', 'readAll(').replace('[first]', '[first, second]');
  await work.edit('src/parts.ts', [parts, more], by);
  await work.edit('src/ok.txt', [null, 'ok\n'], by);
  await work.edit('src/zero.txt', ['one\ntwo', 'one\ntwo\n'], by);
}

/** Changes of which something is known: green, broken, not tested since, and not clear. */
async function evidence(work: PendingWork, stage: Stage, by: Partial<Attribution>): Promise<void> {
  stage.evidence = evidenceByName();
  await work.edit('src/parser/parse.ts', [PARSER, FIXED], by);
  await work.edit('src/parser/broken.ts', [PARSER, FIXED], by);
  await work.edit('src/a-name-that-is-long/untested.ts', ['one\n', 'two\n'], by);
  await work.edit('src/table.csv', ['1;2\n', '1;3\n'], by);
}

export const REVIEW_SCENES = {
  'review-bar': withPending(async (work, stage, by) => {
    stage.changesUnfolded = false;
    await many(work, stage, by);
  }),
  'review-one': withPending((work, _stage, by) => one(work, by)),
  dock: withPending(
    async (work, stage, by) => {
      stage.changesUnfolded = false;
      await one(work, by);
      await stage.journals.writeByPerson(S, { objective: 'Port the list parser.' });
      const due = { dueAt: Date.UTC(2026, 10, 27, 8), createdAt: 0 };
      stage.waitingFollowUps = [{ id: 'f1', sessionId: S, prompt: 'Look at the build.', ...due }];
      stage.queue.push({
        id: 'q1',
        sessionId: S,
        position: 0,
        text: 'Then update the changelog, and name the issue.',
        attachments: [],
        mode: 'queue',
        createdAt: 0,
      });
    },
    {
      play: (stage) => {
        begin(stage);
        const [active, open] = ['Write a test that fails', 'Fix the parser'];
        const items = [
          { text: active, status: 'active' },
          { text: open, status: 'open' },
        ] as const;
        stage.publish(S, { type: 'session.todo', items: [...items] });
      },
    },
  ),
  'review-many': withPending(many),
  'review-states': withPending(many, { click: ['.review-row.is-request'] }),
  'review-files': withPending(wholeFiles),
  'review-evidence': withPending(evidence, {
    click: ['[data-row*="broken.ts "] .review-evidence-line', '.review-green-ask'],
  }),
  'review-diffs': withPending(diffs),
  'review-full': withPending((work, _stage, by) => full(work, by)),
  'review-cards': withPending(async (work, stage, by) => {
    stage.changesUnfolded = false;
    const edits: readonly (readonly [string, string])[] = [
      ['e1', 'src/accepted.ts'],
      ['e2', 'src/rejected.ts'],
      ['e3', 'src/partly.ts'],
      ['e4', 'src/pending.ts'],
    ];
    stage.store(
      S,
      'assistant',
      edits.map(([id, file]) => ({
        type: 'tool_call',
        id,
        name: 'edit_file',
        input: { path: file, edits: [] },
      })),
    );
    stage.store(
      S,
      'tool',
      edits.map(([id, file]) =>
        result(id, 'edit_file', 'Edited.', {
          display: { kind: 'diff', path: file, diff: '@@ -1 +1 @@', added: 2, removed: 5 },
          files: [{ path: file }],
        }),
      ),
    );
    for (const [callId, name] of edits) await work.edit(name, [PARSER, FIXED], { ...by, callId });
    const { reviews } = work;
    const at = (name: string) => ({ path: work.at(name) }) as const;
    await reviews.decisions.keep(at('src/accepted.ts'));
    await reviews.decisions.undo(at('src/rejected.ts'));
    const partly = reviews.find(work.at('src/partly.ts'));
    const [first] = partly === undefined ? [] : hunksOf(partly);
    await reviews.decisions.keep({ ...at('src/partly.ts'), choice: [first?.id ?? ''] });
    await reviews.decisions.undo(at('src/partly.ts'));
  }),
  'review-failed': withPending(
    async (work, _stage, by) => {
      await one(work, by);
      await work.edit('notes.md', ['# Notes\n\nNothing yet.\n', null], by);
      work.write('notes.md/in-the-way.md', '');
    },
    { click: ['[data-row$="notes.md"] .review-undo'] },
  ),
} as const satisfies Readonly<Record<string, Scene>>;
