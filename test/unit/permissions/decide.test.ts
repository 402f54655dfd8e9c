import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import { mayUse } from '../../../src/core/permissions/may-use.ts';
import type { Verdict } from '../../../src/core/permissions/decision.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import type { Level, Mode, Tool, Touch } from '../../../src/core/tool-call/tool-call.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';

const MODES: readonly Mode[] = ['read', 'plan', 'ask', 'edit', 'auto'];

describe('permission to run a call', () => {
  let base: string;
  let ws: string;
  let guard: PathGuard;

  before(async () => {
    base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-permission-')));
    ws = path.join(base, 'ws');
    for (const folder of [
      'ws/src',
      'ws/.vscode',
      'ws/.git/hooks',
      'ws-evil',
      'outside',
      'storage',
      'ws/sub/.git',
    ]) {
      await mkdir(path.join(base, folder), { recursive: true });
    }
    await writeFile(path.join(ws, 'src', 'a.ts'), 'export {};\n');
    await writeFile(path.join(base, 'outside', 'secret.txt'), 's');
    await symlink(path.join(base, 'outside'), path.join(ws, 'link'));
    await symlink(path.join(base, 'outside', 'new.txt'), path.join(ws, 'dangling'));
    await symlink('.vscode', path.join(ws, 'innocent'));
    await symlink('.git', path.join(ws, 'gitlink'));
    await symlink(path.join(base, 'ws'), path.join(base, 'ws-alias'));
    await symlink(path.join(base, 'storage'), path.join(ws, 'store'));
    guard = new PathGuard({
      files: new NodeFileSystem(),
      ownFolders: [path.join(base, 'storage')],
      ignored: new NodeIgnoredPaths(),
    });
  });

  after(async () => {
    await rm(base, { recursive: true });
  });

  const at = (below: string): string => below.replace('{ws}', ws).replace('{base}', base);

  async function verdict(
    permission: Tool['permission'],
    mode: Mode,
    touch?: { readonly path: string; readonly access: Touch['access']; readonly text?: string },
    more: {
      readonly level?: Level;
      readonly toolLevel?: Level;
      readonly roots?: readonly string[];
      readonly unattended?: boolean;
    } = {},
  ): Promise<Verdict> {
    const tool: Tool = {
      name: 'tool',
      description: '',
      inputSchema: {},
      sideEffects: permission !== 'none',
      level: more.toolLevel ?? 'guest',
      module: 'test',
      permission,
      check: (input) => ({ input }),
      run: async () => ({ content: [] }),
      ...(touch === undefined ? {} : { touches: () => [{ ...touch, path: at(touch.path) }] }),
    };
    const decide = createDecide({
      guard,
      mode: () => mode,
      level: () => more.level ?? 'owner',
      unattended: more.unattended === true,
    });
    const context = {
      callId: 'c',
      runId: 'r',
      sessionId: 's',
      roots: more.roots ?? [ws],
      signal: new AbortController().signal,
      emit: () => undefined,
      recordProcess: async () => undefined,
    };
    const decision = await decide(tool, {
      part: { type: 'tool_call', id: 'c', name: 'tool', input: {} },
      context,
    });
    if (decision.verdict === 'refuse')
      for (const reason of decision.reasons)
        assert.match(inEnglish(reason), /\.$/u, 'a refusal is made of sentences');
    return decision.verdict;
  }

  const row = async (
    permission: Tool['permission'],
    touch?: Parameters<typeof verdict>[2],
  ): Promise<string> =>
    (await Promise.all(MODES.map((mode) => verdict(permission, mode, touch)))).join(' ');

  describe('the table: modes read, plan, ask, edit, auto', () => {
    const table: readonly (readonly [
      what: string,
      permission: Tool['permission'],
      touch: Parameters<typeof verdict>[2],
      verdicts: string,
    ])[] = [
      [
        'reading in the workspace',
        'none',
        { path: '{ws}/src/a.ts', access: 'read' },
        'allow allow allow allow allow',
      ],
      [
        'reading elsewhere',
        'none',
        { path: '{base}/outside/secret.txt', access: 'read' },
        'ask ask ask ask ask',
      ],
      [
        'reading a secret of a process',
        'none',
        { path: '/proc/self/environ', access: 'read' },
        'refuse refuse refuse refuse refuse',
      ],
      [
        'reading Belay’s own records',
        'none',
        { path: '{base}/storage/belay.db', access: 'read' },
        'refuse refuse refuse refuse refuse',
      ],
      [
        'reading the repository’s own files',
        'none',
        { path: '{ws}/.git/HEAD', access: 'read' },
        'allow allow allow allow allow',
      ],
      [
        'an edit in the workspace',
        'edit',
        { path: '{ws}/src/a.ts', access: 'write' },
        'refuse refuse ask allow allow',
      ],
      [
        'a new file in the workspace',
        'edit',
        { path: '{ws}/src/deep/new.ts', access: 'write' },
        'refuse refuse ask allow allow',
      ],
      [
        'an edit elsewhere',
        'edit',
        { path: '{base}/outside/x', access: 'write' },
        'refuse refuse ask ask ask',
      ],
      [
        'an edit of configuration',
        'edit',
        { path: '{ws}/.vscode/settings.json', access: 'write' },
        'refuse refuse ask ask ask',
      ],
      [
        'an edit of the repository’s own files',
        'edit',
        { path: '{ws}/.git/hooks/pre-commit', access: 'write' },
        'refuse refuse refuse refuse refuse',
      ],
      [
        'an edit of Belay’s own records',
        'edit',
        { path: '{base}/storage/x', access: 'write' },
        'refuse refuse refuse refuse refuse',
      ],
      [
        'a command in the workspace',
        'execute',
        { path: '{ws}', access: 'read' },
        'refuse refuse ask ask ask',
      ],
      [
        'a command elsewhere',
        'execute',
        { path: '{base}/outside', access: 'read' },
        'refuse refuse ask ask ask',
      ],
      ['a question to the person', 'none', undefined, 'allow allow allow allow allow'],
    ];
    for (const [what, permission, touch, verdicts] of table) {
      it(`${what}: ${verdicts}`, async () => {
        assert.equal(await row(permission, touch), verdicts);
      });
    }
  });

  describe('security 4: what a path really is', () => {
    const places: readonly (readonly [path: string, underEdits: Verdict])[] = [
      ['{ws}/src/../src/a.ts', 'allow'],
      ['{ws}/src//./a.ts', 'allow'],
      ['{base}/ws-alias/src/a.ts', 'allow'],
      ['{ws}-evil/secret.txt', 'ask'],
      ['{ws}/../outside/secret.txt', 'ask'],
      ['{ws}/link/new.txt', 'ask'],
      ['{ws}/link/deep/er/new.txt', 'ask'],
      ['{ws}/dangling', 'ask'],
      ['{ws}/innocent/settings.json', 'ask'],
      ['{ws}/gitlink/hooks/post-commit', 'refuse'],
      ['{ws}/store/x', 'refuse'],
      ['{ws}/sub/.git/config', 'refuse'],
      ['{ws}/.git', 'refuse'],
      ['{ws}/.GIT/hooks/x', 'refuse'],
      ['{ws}/.git./hooks/x', 'refuse'],
      ['{ws}/.git::$INDEX_ALLOCATION/hooks/x', 'refuse'],
      ['{ws}/git~1/hooks/x', 'refuse'],
      ['{ws}/.g\u200cit/hooks/x', 'refuse'],
      ['{ws}/src/.github', 'ask'],
      ['/dev/sda', 'refuse'],
      ['/proc/self/mem', 'refuse'],
      ['/proc/1/task/1/environ', 'refuse'],
    ];
    for (const [place, expected] of places) {
      it(`${JSON.stringify(place)} under auto-edit: ${expected}`, async () => {
        assert.equal(await verdict('edit', 'edit', { path: place, access: 'write' }), expected);
      });
    }

    it('tells the real path of everything it judged', async () => {
      const decide = createDecide({ guard, mode: () => 'edit', level: () => 'owner' });
      const tool = {
        name: 't',
        description: '',
        inputSchema: {},
        sideEffects: true,
        level: 'guest',
        module: 'm',
        permission: 'edit',
        check: (input) => ({ input }),
        run: async () => ({ content: [] }),
        touches: () => [{ path: at('{base}/ws-alias/src/a.ts'), access: 'write' }],
      } satisfies Tool;
      const context = {
        callId: 'c',
        runId: 'r',
        sessionId: 's',
        roots: [ws],
        signal: new AbortController().signal,
        emit: () => undefined,
        recordProcess: async () => undefined,
      };
      const { judged } = await decide(tool, {
        part: { type: 'tool_call', id: 'c', name: 't', input: {} },
        context,
      });
      assert.deepEqual([...judged], [[at('{base}/ws-alias/src/a.ts'), at('{ws}/src/a.ts')]]);
    });

    it('takes a workspace that is itself reached through a link', async () => {
      assert.equal(
        await verdict(
          'edit',
          'edit',
          { path: '{base}/ws-alias/src/a.ts', access: 'write' },
          { roots: [at('{base}/ws-alias')] },
        ),
        'allow',
      );
    });

    it('takes each of several workspace folders, and none', async () => {
      const roots = [ws, path.join(base, 'outside')];
      assert.equal(
        await verdict('edit', 'edit', { path: '{base}/outside/x', access: 'write' }, { roots }),
        'allow',
      );
      assert.equal(
        await verdict('edit', 'edit', { path: '{ws}/src/a.ts', access: 'write' }, { roots: [] }),
        'ask',
      );
    });
  });

  describe('security 1: files that other programs run or obey are asked about under auto-edit', () => {
    const asked = [
      '.vscode/settings.json',
      '.vscode/mcp.json',
      '.vscode/tasks.json',
      'x.code-workspace',
      'AGENTS.md',
      'sub/agents.md',
      'CLAUDE.md',
      '.github/copilot-instructions.md',
      'package.json',
      'packages/a/package.json',
      '.npmrc',
      '.yarnrc.yml',
      '.pnpmfile.cjs',
      'pyproject.toml',
      'conftest.py',
      '.devcontainer/devcontainer.json',
      '.github/workflows/x.yml',
      '.gitlab-ci.yml',
      'Jenkinsfile',
      '.husky/pre-commit',
      '.pre-commit-config.yaml',
      '.envrc',
      '.env',
      '.idea/workspace.xml',
      '.claude/settings.json',
      '.cursor/mcp.json',
      '.gemini/settings.json',
      '.roo/mcp.json',
      '.belay/rules.json',
      '.mcp.json',
      '.gitattributes',
      '.gitmodules',
      '.VSCode/settings.json',
      '.vscode./settings.json',
      'PACKAGE.JSON',
      '.vscode/deep/er.json',
      'SKILL.md',
      '.bashrc',
      'docs/HEAD',
      'docs/config',
    ];
    for (const file of asked) {
      it(file, async () => {
        assert.equal(
          await verdict('edit', 'edit', { path: `{ws}/${file}`, access: 'write' }),
          'ask',
        );
      });
    }
  });

  describe('security 12: ordinary work is not asked about under auto-edit', () => {
    for (const file of [
      'src/new.ts',
      'README.md',
      'docs/agents/index.md',
      'src/package.ts',
      'test/config.ts',
      'src/vscode/a.ts',
      'config/app.yaml',
      'header.h',
      'src/env.ts',
      'a b/ü.txt',
      'src/tsconfig.ts',
      'src/git/x.ts',
    ]) {
      it(file, async () => {
        assert.equal(
          await verdict('edit', 'edit', { path: `{ws}/${file}`, access: 'write' }),
          'allow',
        );
      });
    }
  });

  describe('security 6: a schema that the editor would fetch is asked about under auto-edit', () => {
    const texts: readonly (readonly [file: string, text: string, expected: Verdict])[] = [
      ['a.json', '{"$schema":"http://127.0.0.1:99/s.json?d=SECRET"}', 'ask'],
      ['a.yaml', '# yaml-language-server: $schema=https://evil.example/s.json', 'ask'],
      ['a.json', '{"\\u0024schema":"http://evil.example/"}', 'ask'],
      ['a.json', '{"$schema":"./schema.json"}', 'allow'],
      ['a.json', '{"homepage":"https://example.com"}', 'allow'],
      ['a.ts', 'const schema = "https://example.com/$schema";', 'allow'],
    ];
    for (const [file, text, expected] of texts) {
      it(`${file}: ${text}: ${expected}`, async () => {
        assert.equal(
          await verdict('edit', 'edit', { path: `{ws}/${file}`, access: 'write', text }),
          expected,
        );
      });
    }
  });

  describe('a host without a person', () => {
    const table: readonly (readonly [
      what: string,
      permission: Tool['permission'],
      touch: Parameters<typeof verdict>[2],
      expected: Verdict,
    ])[] = [
      ['a command', 'execute', { path: '{ws}', access: 'read' }, 'allow'],
      ['reading elsewhere', 'none', { path: '{base}/outside/x', access: 'read' }, 'allow'],
      ['an edit elsewhere', 'edit', { path: '{base}/outside/x', access: 'write' }, 'refuse'],
      ['configuration', 'edit', { path: '{ws}/package.json', access: 'write' }, 'allow'],
      ['the repository', 'edit', { path: '{ws}/.git/config', access: 'write' }, 'refuse'],
    ];
    for (const [what, permission, touch, expected] of table) {
      it(`${what}: ${expected}`, async () => {
        assert.equal(await verdict(permission, 'auto', touch, { unattended: true }), expected);
      });
    }

    it('in mode read nothing changes', async () => {
      assert.equal(await verdict('execute', 'read', undefined, { unattended: true }), 'refuse');
    });
  });

  describe('A5: levels', () => {
    const levels: readonly Level[] = ['guest', 'user', 'admin', 'owner'];
    for (const [mine, person] of levels.entries()) {
      for (const [needed, tool] of levels.entries()) {
        it(`${person} ${mine >= needed ? 'may' : 'may not'} use a tool for ${tool}`, async () => {
          assert.equal(mayUse(person, { level: tool }), mine >= needed);
          assert.equal(
            await verdict('none', 'auto', undefined, { level: person, toolLevel: tool }),
            mine >= needed ? 'allow' : 'refuse',
          );
        });
      }
    }
  });
});
