import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Decision } from '../../../src/core/permissions/decide.ts';
import { STRICTNESS } from '../../../src/core/permissions/decision.ts';
import { createApprovalRules } from '../../../src/core/permissions/rules/approval-rules.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { MODES } from '../../../src/domain/permissions/permission-mode.ts';
import type { KnownRule, PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Level, Mode, Tool } from '../../../src/core/tool-call/tool-call.ts';
import { decide, TOOLS } from '../../unit/permissions/rules-rig.ts';
import { runs } from '../../support/seed.ts';

describe('rules, whatever they are', () => {
  const calls: readonly (readonly [Tool, JsonObject])[] = [
    [TOOLS.read, { path: '/ws/src/a.ts' }],
    [TOOLS.read, { path: '/home/me/x' }],
    [TOOLS.edit, { path: '/ws/src/a.ts' }],
    [TOOLS.edit, { path: '/ws/package.json' }],
    [TOOLS.edit, { path: '/out/x' }],
    [TOOLS.edit, { path: '/ws/.git/config' }],
    [TOOLS.run, { command: 'ls' }],
    [TOOLS.run, { command: 'npm test && git push' }],
    [TOOLS.run, { command: 'x $Y' }],
    [TOOLS.fetch, { url: 'https://a.test/' }],
    [TOOLS.mcp, {}],
    [TOOLS.task, {}],
  ];
  const subjects: readonly Omit<PermissionRule, 'effect'>[] = [
    { tool: '*' },
    { tool: 'run_command' },
    { tool: 'edit_file' },
    { path: '**' },
    { path: 'src/**', access: 'write' },
    { path: '/out/**' },
    { path: '~/x' },
    { command: 'git push' },
    { command: 'npm test' },
    { command: 'npm *' },
    { host: 'a.test' },
    { host: '*' },
    { server: 'hub' },
    { tool: 'edit_file', path: 'src/a.ts', in: '/ws' },
  ];
  const rule = fc.record({
    rule: fc
      .tuple(fc.constantFrom('deny', 'ask', 'allow'), fc.constantFrom(...subjects))
      .map(([effect, subject]): PermissionRule => ({ effect, ...subject })),
    origin: fc.constantFrom('user', 'session', 'workspace'),
    source: fc.constant('x'),
  }) as fc.Arbitrary<KnownRule>;
  const scene = fc.record({
    call: fc.constantFrom(...calls),
    rules: fc.array(rule, { maxLength: 5 }),
    mode: fc.constantFrom(...MODES),
    level: fc.constantFrom<Level>('guest', 'user', 'admin', 'owner'),
    unattended: fc.boolean(),
  });
  const strictness = async (
    {
      call: [which, input],
      mode,
      level,
      unattended,
    }: { call: readonly [Tool, JsonObject]; mode: Mode; level: Level; unattended: boolean },
    rules: readonly KnownRule[],
  ): Promise<number> =>
    STRICTNESS[(await decide(which, input, rules, { mode, level, unattended })).verdict];

  it('a deny, an ask or a rule of a workspace never makes anything milder', async () => {
    await fc.assert(
      fc.asyncProperty(scene, rule, fc.nat(5), async (given, extra, at) => {
        fc.pre(extra.rule.effect !== 'allow' || extra.origin === 'workspace');
        const more = given.rules.toSpliced(at, 0, extra);
        // Where nobody is there, an ask keeps what would happen waiting; both are stricter than allow.
        assert.ok((await strictness(given, more)) >= (await strictness(given, given.rules)));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('an allow changes nothing but a question, and never in mode read or plan', async () => {
    await fc.assert(
      fc.asyncProperty(scene, rule, async (given, extra) => {
        fc.pre(extra.rule.effect === 'allow');
        // Where nobody is there, an edit elsewhere is refused instead of asked about.
        const here = { ...given, unattended: false };
        const before = await strictness(here, given.rules);
        const after = await strictness(here, [...given.rules, extra]);
        if (before === after) return;
        assert.deepEqual([before, after], [STRICTNESS.ask, STRICTNESS.allow]);
        assert.notEqual(extra.origin, 'workspace');
      }),
      { numRuns: runs(2000) },
    );
  });

  it('a stricter mode is never milder', async () => {
    const order: readonly Mode[] = ['read', 'ask', 'edit', 'auto'];
    await fc.assert(
      fc.asyncProperty(scene, fc.nat(2), async (given, at) => {
        const [strict, mild] = [order[at] ?? 'read', order[at + 1] ?? 'auto'];
        const one = await strictness({ ...given, mode: strict, unattended: false }, given.rules);
        const other = await strictness({ ...given, mode: mild, unattended: false }, given.rules);
        assert.ok(one >= other, `${strict} ${one}, ${mild} ${other}`);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('the order of the rules decides nothing', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        assert.equal(
          await strictness(given, given.rules),
          await strictness(given, given.rules.toReversed()),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it('the narrowest rules of a question spare exactly that question', async () => {
    for (const [which, input] of calls) {
      const decision = await decide(which, input);
      if (decision.verdict !== 'ask' || decision.allowable === undefined) continue;
      const narrow = createApprovalRules(decision.allowable);
      if (narrow === undefined) continue;
      assert.equal((await decide(which, input, narrow)).verdict, 'allow', which.name);
      for (const [other, given] of calls) {
        if (other === which && given === input) continue;
        const before: Decision = await decide(other, given);
        const after: Decision = await decide(other, given, narrow);
        assert.equal(after.verdict, before.verdict, `${which.name} widened ${other.name}`);
      }
    }
  });
});
