import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolOutcome } from '../../../src/core/tool-call/tool-call.ts';
import { textOf } from '../../unit/tool-call/rig.ts';
import { SAMPLES, TEXT, sampleFiles } from './samples.ts';
import { WorkspaceRig } from './workspace-rig.ts';

/** Names that a file can have and that shells, globs, options or patterns would take for something else. */
const STRANGE_NAMES: readonly string[] = [
  'with spaces .ts',
  `quotes ' " \`.ts`,
  'new\nline.ts',
  '🐢 and ü.ts',
  '-rf.ts',
  '$(HOME) & ; |.ts',
  '[a]{b}*?!.ts',
  '#hash\\back.ts',
  'עברית.ts',
];

describe('contract of tools that take a path', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open(sampleFiles(), SAMPLES);
  });

  afterEach(async () => {
    await workspace.close();
  });

  for (const [name, sample] of Object.entries(SAMPLES)) {
    if (sample.at === undefined) continue;
    const { at } = sample;
    const takesFolder = sample.takesFolder === true;

    describe(name, () => {
      beforeEach(async () => {
        await sample.prepare?.(workspace);
      });

      /** Puts the file there, reads it, and calls the tool on it. */
      const callAt = async (file: string, asked = file): Promise<ToolOutcome> => {
        await workspace.write(file, TEXT);
        await workspace.call('read_file', { files: [{ path: asked }] });
        return workspace.call(name, inputFor(asked));
      };

      const inputFor = (file: string): JsonObject =>
        at(takesFolder ? path.dirname(file) || '.' : file);

      const failsWith = async (
        outcome: ToolOutcome,
        codes: readonly string[],
        before: Readonly<Record<string, string>>,
      ): Promise<void> => {
        assert.equal(outcome.result.state, 'failed', textOf(outcome));
        assert.ok(codes.includes(outcome.failure?.code ?? ''), textOf(outcome));
        assert.deepEqual(await workspace.snapshot(), before);
      };

      it('takes names with spaces, quotes, line feeds, emoji, and what looks like options and globs', async () => {
        for (const strange of STRANGE_NAMES) {
          const file = takesFolder ? `${strange}/file.ts` : strange;
          const outcome = await callAt(file);
          assert.equal(outcome.result.state, 'done', `${strange}: ${textOf(outcome)}`);
        }
      });

      it('does not hang on links that lead back to themselves', async () => {
        await symlink('loop', workspace.at('loop'));
        const before = await workspace.snapshot();
        await failsWith(await workspace.call(name, at('loop')), ['invalid', 'not_found'], before);
        await failsWith(await workspace.call(name, at('loop/x')), ['invalid', 'not_found'], before);
        await mkdir(workspace.at('round'));
        await symlink('.', workspace.at('round/again'));
        const outcome = await callAt('round/file.ts', 'round/again/again/again/file.ts');
        assert.equal(outcome.result.state, 'done', textOf(outcome));
      });

      it('refuses a path with NUL, and one that is longer than any name', async () => {
        const before = await workspace.snapshot();
        await failsWith(await workspace.call(name, at('a\0b')), ['invalid'], before);
        const long = await workspace.call(name, at('x'.repeat(5000)));
        await failsWith(long, ['invalid', 'not_found'], before);
      });

      it('keeps off what .belayignore names, and says so', async () => {
        await workspace.write('kept/file.ts', TEXT);
        await workspace.write('.belayignore', 'kept\n');
        await symlink('kept', workspace.at('innocent'));
        const before = await workspace.snapshot();
        for (const folder of ['kept', 'innocent', 'src/../kept', workspace.at('kept')]) {
          const outcome = await workspace.call(name, inputFor(`${folder}/file.ts`));
          await failsWith(outcome, ['permission'], before);
          assert.match(
            textOf(outcome),
            /the person keeps it from you \("kept" in .*\.belayignore\)/u,
          );
        }
        await workspace.write('.belayignore', '# nothing\n');
        assert.equal((await callAt('kept/file.ts')).result.state, 'done');
      });

      it('says that it may not, and shows nothing', async function () {
        await workspace.write('locked/file.ts', TEXT);
        const before = await workspace.snapshot();
        await workspace.lock('locked');
        const outcome = await workspace.call(name, inputFor('locked/file.ts'));
        await workspace.unlock('locked');
        assert.equal(textOf(outcome).includes('needle'), false);
        if (outcome.result.state === 'failed')
          assert.equal(outcome.failure?.code, 'permission', textOf(outcome));
        assert.deepEqual(await workspace.snapshot(), before);
      });
    });
  }
});
