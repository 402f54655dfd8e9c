import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SeenFiles } from '../../src/core/context/prompt/environment.ts';
import { HIDDEN } from '../../src/core/secrets/secret-book.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

const CANARY = 'canary-of-the-prompt-door-4711';
const POSIX = process.platform !== 'win32';

/** All that reached the model, as one text. */
async function promptWith(
  prepare: (workspace: string, outside: string) => Promise<void>,
  options: {
    readonly text?: string;
    readonly focus?: (workspace: string) => readonly string[];
    readonly seen?: (workspace: string) => SeenFiles;
    readonly attachment?: { readonly name: string; readonly text: string };
    readonly titles?: boolean;
  } = {},
): Promise<string> {
  const test = await TestEngine.open({
    script: () => say('done'),
    settings: { 'permissions.mode': 'ask' },
    host: {
      titlesByModel: options.titles === true,
      focus: () => options.focus?.(test.workspace) ?? [],
      seen: () => options.seen?.(test.workspace) ?? { editors: [] },
    },
  });
  await using _ = test;
  const outside = path.join(test.folder, 'outside');
  await mkdir(outside, { recursive: true });
  await prepare(test.workspace, outside);
  const { id } = await test.engine.agent.sessions.create();
  const { attachment } = options;
  await test.engine.agent.send(id, {
    text: options.text ?? 'Hello',
    attachments:
      attachment === undefined
        ? []
        : [
            {
              id: 'a1',
              name: attachment.name,
              mediaType: 'text/plain',
              size: attachment.text.length,
              data: Buffer.from(attachment.text).toString('base64'),
            },
          ],
  });
  await test.engine.agent.runs.settled(id);
  if (options.titles === true)
    while (test.server.requests.length < 2) await new Promise((done) => setTimeout(done, 5));
  assert.ok(test.server.requests.length > 0);
  return JSON.stringify(test.server.requests.map(({ body }) => body));
}

describe('what gets into a prompt', () => {
  for (const name of ['AGENTS.md', 'CLAUDE.md', 'TOOLS.md', 'src/AGENTS.md']) {
    const cases: readonly (readonly [string, (at: string, outside: string) => Promise<void>])[] = [
      [
        'a link to a file outside',
        async (at, outside) => {
          await writeFile(path.join(outside, 'notes.txt'), CANARY);
          await symlink(path.join(outside, 'notes.txt'), at);
        },
      ],
      [
        'a link over a linked folder',
        async (at, outside) => {
          await writeFile(path.join(outside, 'notes.txt'), CANARY);
          await symlink(outside, `${at}.d`);
          await symlink(`${path.basename(at)}.d/notes.txt`, at);
        },
      ],
      [
        'a link to a file of secrets inside',
        async (at) => {
          await writeFile(path.join(path.dirname(at), 'server.key'), CANARY);
          await symlink('server.key', at);
        },
      ],
      [
        'a link to what is kept from the agent',
        async (at) => {
          const folder = path.dirname(at);
          await writeFile(path.join(folder, '.belayignore'), 'private.txt\n');
          await writeFile(path.join(folder, 'private.txt'), CANARY);
          await symlink('private.txt', at);
        },
      ],
      [
        'a hard link',
        async (at, outside) => {
          await writeFile(path.join(outside, 'notes.txt'), CANARY);
          await link(path.join(outside, 'notes.txt'), at);
        },
      ],
      ['a link to the environment', async (at) => symlink('/proc/self/environ', at)],
      ['a pipe', async (at) => void execFileSync('mkfifo', [at])],
      ['more than is read', async (at) => writeFile(at, `${CANARY}${'x'.repeat(300 * 1024)}`)],
    ];
    for (const [what, make] of cases) {
      it(`${name} as ${what} is left out`, async function () {
        if (!POSIX) this.skip();
        process.env['BELAY_TEST_CANARY'] = CANARY;
        try {
          const sent = await promptWith(
            async (workspace, outside) => {
              await mkdir(path.join(workspace, 'src'), { recursive: true });
              await make(path.join(workspace, name), outside);
            },
            { focus: (workspace) => [path.join(workspace, 'src', 'a.ts')] },
          );
          assert.ok(!sent.includes(CANARY), sent.slice(0, 2000));
          assert.match(sent, new RegExp(`${name} is left out: `, 'u'));
        } finally {
          delete process.env['BELAY_TEST_CANARY'];
        }
      });
    }
  }

  it('an ordinary file counts, and so does a link to one in the workspace', async () => {
    const sent = await promptWith(async (workspace) => {
      await writeFile(path.join(workspace, 'AGENTS.md'), 'Use tabs, always.');
      if (POSIX) await symlink('AGENTS.md', path.join(workspace, 'TOOLS.md'));
    });
    assert.equal(sent.split('Use tabs, always.').length - 1, POSIX ? 2 : 1);
  });

  it('secrets in instructions, the message, its title and attachments are masked', async () => {
    const key = `ghp_${CANARY.replaceAll('-', '')}`;
    const sent = await promptWith(
      async (workspace) => {
        await writeFile(path.join(workspace, 'AGENTS.md'), `The token is ${key}.`);
        await writeFile(path.join(workspace, 'TOOLS.md'), `- DEPLOY_TOKEN=${CANARY}\n`);
      },
      {
        text: `Deploy with ${key}`,
        titles: true,
        attachment: { name: '.env', text: `COLOUR=${CANARY}-2\n` },
      },
    );
    assert.ok(!sent.includes(CANARY) && !sent.includes(key), sent.slice(0, 3000));
    assert.ok(sent.split(HIDDEN).length > 4, sent.slice(0, 3000));
  });

  it('what the person has before them counts only where a tool could read it without a question', async () => {
    const open = (workspace: string, name: string): SeenFiles => {
      const file = path.join(workspace, name);
      return {
        editors: [{ file, name }],
        selection: { file, path: name, fromLine: 1, toLine: 1, text: CANARY },
        diagnostics: { file, lines: [`${name}:1: unexpected ${CANARY}`] },
      };
    };
    const write = (name: string) => async (workspace: string, outside: string) => {
      await writeFile(path.join(workspace, name), 'x');
      await writeFile(path.join(outside, 'notes.txt'), 'x');
      if (name === 'linked.txt') return;
      await writeFile(path.join(workspace, '.belayignore'), 'private.txt\n');
    };
    for (const name of ['.env', 'server.key', 'private.txt', '../outside/notes.txt']) {
      const sent = await promptWith(write(name.replace(/^.*\//u, '')), {
        seen: (workspace) => open(workspace, name),
      });
      assert.ok(!sent.includes(CANARY) && !sent.includes(`- ${name}`), `${name}: ${sent}`);
    }
    const sent = await promptWith(write('a.ts'), { seen: (workspace) => open(workspace, 'a.ts') });
    assert.equal(sent.split(CANARY).length - 1, 2);
  });
});
