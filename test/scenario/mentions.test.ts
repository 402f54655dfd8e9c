import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MessageInput } from '../../src/panel/input/message-input.ts';
import { askedOf } from '../../src/core/run/opening.ts';
import type { Mention } from '../../src/domain/mention.ts';
import type { AttachmentView } from '../../src/protocol/requests.ts';
import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';
import { LocalPages } from '../support/web/local-pages.ts';
import { openEnginePanel, type EnginePanel } from '../support/engine/engine-panel.ts';
import { engineInput } from '../support/engine/input-sources.ts';
import type { TestEngineOptions } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';
import { eventually } from '../ui/panel-preview/eventually.ts';
import { Mirror } from '../unit/panel/mirror.ts';

const FILES = {
  'src/app.ts': 'line one\nline two\nline three\nline four\n',
  'src/panel/panel-host.ts': 'export class PanelHost {}\n',
  'docs/panel.md': '# Panel\n',
  '.gitignore': 'out\n',
  'out/panel.js': 'built\n',
  '.env': 'TOKEN=abcdef-very-secret-123456\n',
};

interface Opened extends EnginePanel {
  readonly input: MessageInput;
  readonly mirror: Mirror;
  /** Rows behind `@`, as `label` and `detail`. */
  find(query: string): Promise<readonly string[]>;
  mention(query: string, label: string): Promise<Mention>;
  /** Sends a message with mentions; gives what the model got in the request of it. */
  send(...mentions: readonly Mention[]): Promise<string>;
}

async function open(options: Partial<TestEngineOptions> = {}): Promise<Opened> {
  let input: MessageInput | undefined;
  const opened = await openEnginePanel(
    { script: () => say('Seen.'), files: FILES, ...options },
    {},
    (test) => (input = engineInput(test, ['src/app.ts'])),
  );
  const mirror = new Mirror(opened.panel());
  await mirror.ready();
  assert.ok(input !== undefined);
  const made = input;
  const rows = async (query: string) =>
    (await mirror.request('complete', { trigger: '@', query, rest: true })).rows;
  return {
    ...opened,
    input: made,
    mirror,
    find: async (query) => (await rows(query)).map(({ label, detail }) => `${label} ${detail}`),
    mention: async (query, label) => {
      const row = (await rows(query)).find((one) => one.label === label);
      assert.equal(row?.does.kind, 'mention', `${label} is offered for ${query}`);
      assert.ok(row.does.kind === 'mention');
      return row.does.mention;
    },
    send: async (...mentions) => {
      const { sessionId } = await mirror.request('send', {
        sessionId: null,
        text: 'Look.',
        attachments: mentions.map(chipOf),
        how: 'queue',
      });
      await opened.test.engine.agent.runs.settled(sessionId);
      return JSON.stringify(opened.test.server.all.at(-1)?.body.messages);
    },
  };
}

function chipOf(mention: Mention, index: number): AttachmentView {
  return { id: `m${index}`, name: mention.source, mediaType: 'text/plain', size: 0, mention };
}

describe('mentions of a message, as the model gets them', function () {
  this.timeout(60_000);

  it('files are found as in quick open: the name before the path, without ignored ones', async () => {
    const opened = await open();
    await using _test = opened.test;
    const found = await opened.find('panel');
    assert.deepEqual(found, [
      'panel src/panel',
      'panel.md docs/panel.md',
      'panel-host.ts src/panel/panel-host.ts',
    ]);
    assert.deepEqual(await opened.find('pnlhst'), ['panel-host.ts src/panel/panel-host.ts']);
    const first = await opened.find('');
    assert.equal(first[0], 'selection src/app.ts:2-3');
    assert.ok(first.includes('app.ts src/app.ts'), 'open files are there before anything is typed');
  });

  it('a file, lines of one, a folder: what is there when the message is sent', async () => {
    const opened = await open();
    await using test = opened.test;
    const file = await opened.mention('app', 'app.ts');
    const lines = await opened.mention('selection', 'selection');
    const folder = await opened.mention('panel', 'panel');
    assert.equal(lines.label, 'app.ts:2-3');
    await writeFile(path.join(test.workspace, 'src/app.ts'), 'new one\nnew two\nnew three\n');
    const got = await opened.send(file, lines, folder);
    assert.match(got, /mentions @app\.ts\. [^"]*new one\\nnew two\\nnew three/u);
    assert.match(got, /mentions @app\.ts:2-3\. [^"]*2\\tnew two\\n3\\tnew three/u);
    assert.match(got, /mentions @panel\. [^"]*panel-host\.ts/u);
    // On record it is what was sent, and it comes back as what was mentioned.
    const id = opened.mirror.session.id ?? '';
    await eventually(() => {
      const parts = opened.mirror.session.messages.flatMap((message) => message.parts);
      assert.deepEqual(
        parts.flatMap((part) => (part.type === 'mention' ? [part.mention.label] : [])),
        ['app.ts', 'app.ts:2-3', 'panel'],
      );
    });
    const [asked] = (await test.messages(id)).filter(({ origin }) => origin === 'person');
    const again = askedOf(asked?.parts ?? [], (index) => `again-${index}`);
    assert.deepEqual(
      again.attachments.map(({ mention }) => mention?.ref),
      [file.ref, lines.ref, folder.ref],
    );
    assert.equal(again.text, 'Look.');
  });

  it('a file and a folder have a size before they are sent, near that of what is sent', async () => {
    const opened = await open();
    await using test = opened.test;
    const long = Array.from({ length: 40 }, (_, at) => `src/many/file-number-${at}.ts`);
    await mkdir(path.join(test.workspace, 'src/many'));
    for (const file of long) await writeFile(path.join(test.workspace, file), 'x'.repeat(100));
    const mentions = [
      await opened.mention('file-number-7', 'file-number-7.ts'),
      await opened.mention('many', 'many'),
    ];
    const { tokens } = await opened.mirror.request('weighMentions', { mentions });
    assert.equal(tokens[0], 25);
    const got = await opened.send(mentions[1] as Mention);
    const sent = /many \(40 files\)[^"]*/u.exec(got)?.[0].length ?? 0;
    const ratio = ((tokens[1] ?? 0) * 4) / sent;
    assert.ok(sent > 500 && ratio > 0.5 && ratio < 2, `${tokens[1]} tokens, ${sent} characters`);
  });

  it('a file that is gone is a line in its place, and the message is not lost', async () => {
    const opened = await open();
    await using test = opened.test;
    const file = await opened.mention('host', 'panel-host.ts');
    await rm(path.join(test.workspace, 'src/panel/panel-host.ts'));
    assert.match(await opened.send(file), /Look\.[^]*panel-host\.ts does not exist/u);
  });

  it('a file of secrets and a link out of the workspace are asked about as in a call; a no is a line', async () => {
    const opened = await open();
    await using test = opened.test;
    await symlink('/etc/hostname', path.join(test.workspace, 'linked.txt'));
    const located = await opened.mirror.request('locateFiles', {
      files: [`file://${test.workspace}/.env`, 'linked.txt', 'no-such-file.txt'],
      code: null,
    });
    assert.deepEqual(
      located.mentions.map(({ label }) => label),
      ['.env', 'linked.txt'],
    );
    opened.desk.onChange(({ kind, pending }) => {
      if (kind !== 'asked' || pending.kind !== 'approval') return;
      const { id: questionId, hash } = pending.question;
      opened.desk.answerApproval({ questionId, hash, allowed: false });
    });
    const got = await opened.send(...located.mentions);
    assert.doesNotMatch(got, /very-secret/u);
    assert.equal(got.match(/did not allow|said no|denied/giu)?.length, 2, got);
  });

  it('secrets in what is mentioned are masked, on record, too', async () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const opened = await open({ files: { ...FILES, 'notes.txt': `the key is ${key}\n` } });
    await using test = opened.test;
    const got = await opened.send(await opened.mention('notes', 'notes.txt'));
    assert.match(got, /the key is \[secret hidden by Belay\]/u);
    assert.doesNotMatch(
      JSON.stringify(await test.messages(opened.mirror.session.id ?? '')),
      /sk-ant-api03/u,
    );
  });

  it('open editors, git changes, a terminal, a past session', async () => {
    const opened = await open();
    await using test = opened.test;
    const { promise, resolve } = Promise.withResolvers<void>();
    execFile('git', ['init', '-q'], { cwd: test.workspace }, () => resolve());
    await promise;
    await opened.send();
    const editors = await opened.mention('editors', 'open-editors');
    const git = await opened.mention('uncommitted', 'git-changes');
    const terminal = await opened.mention('terminal', 'terminal');
    const [past] = (await opened.find('session')).filter((row) => /Session of \d{4}/u.test(row));
    const session = await opened.mention('session', past?.split(' Session of ')[0] ?? '');
    const got = await opened.send(editors, git, terminal, session);
    assert.match(got, /mentions @open-editors\. [^"]*line one/u);
    assert.match(got, /mentions @git-changes\. [^"]*\?\? src\//u);
    assert.match(got, /Last command of the terminal “bash”: make \(exit code 2\)\\ntwo errors/u);
    assert.match(got, /The record of a past session:[^"]*PERSON:\\nLook\./u);
  });

  it('a page is read only when the message is sent, and asked for by the rules; what none may contact is refused', async () => {
    await using pages = await LocalPages.open((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('words of the page');
    });
    const asked: string[] = [];
    const opened = await open({ host: { web: new NodeWeb() } });
    await using _test = opened.test;
    opened.desk.onChange(({ kind, pending }) => {
      if (kind !== 'asked' || pending.kind !== 'approval') return;
      const { id: questionId, hash, title } = pending.question;
      asked.push(title);
      opened.desk.answerApproval({ questionId, hash, allowed: true });
    });
    const at = pages.at('/page');
    const page = await opened.mention(at, at.slice('http://'.length));
    const inside = 'http://169.254.169.254/latest';
    const never = await opened.mention(inside, inside.slice('http://'.length));
    assert.equal(pages.seen.length, 0);
    const got = await opened.send(page, never);
    assert.match(got, /words of the page/u);
    assert.equal(pages.seen.length, 1);
    assert.match(got, /169\.254\.169\.254 is [^"]*no tool may contact/u);
    assert.match(asked[0] ?? '', /Read a page of the web/u);
  });
});
