import assert from 'node:assert/strict';
import { concernsOf } from '../../../src/core/permissions/concerns.ts';
import type { JudgedPath } from '../../../src/core/permissions/path-guard.ts';
import { createRisk } from '../../../src/core/permissions/risks.ts';
import type { CallParts, JudgedLine } from '../../../src/core/permissions/rules/call-parts.ts';
import type { Level, Mode } from '../../../src/core/tool-call/tool-call.ts';
import { inEnglish, told } from '../../../src/domain/text/told.ts';

const call = (more: Partial<CallParts> = {}): CallParts => ({
  tool: { name: 'tool', permission: 'execute' },
  roots: ['/w'],
  paths: [],
  lines: [],
  hosts: [],
  ...more,
});
const line = (more: Partial<JudgedLine>): CallParts =>
  call({ lines: [{ text: 'x', cwd: '/w', verdict: 'ask', ...more }] });
const at = (place: JudgedPath['place'], access: 'read' | 'write', more: Partial<JudgedPath> = {}) =>
  ({ path: '/p', real: '/p', access, place, ...more }) as JudgedPath;
/** Verdicts, each with what a rule could allow. */
const said = (made: CallParts, mode: Mode = 'ask', level: Level = 'user'): string =>
  concernsOf(made, mode, level)
    .map(({ verdict, unit }) => `${verdict} ${unit?.kind ?? '-'}`)
    .join(', ');
const reasons = (made: CallParts, mode: Mode = 'ask'): string =>
  concernsOf(made, mode, 'admin')
    .map(({ reason }) => (reason === undefined ? '' : inEnglish(reason)))
    .join('|');

describe('objections to a call', () => {
  it('what is asked about is as narrow as the call: code, files, servers, hosts, else the tool', () => {
    const execute = { name: 'tool', permission: 'execute' } as const;
    const edit = { name: 'tool', permission: 'edit' } as const;
    const inside = at('inside', 'write');
    const cases: readonly (readonly [CallParts, string])[] = [
      [call(), 'ask tool'],
      [call({ code: { subject: 'a script' }, hosts: ['h'] }), 'ask code'],
      [call({ tool: edit, paths: [inside, inside, at('inside', 'read')] }), 'ask path, ask path'],
      [call({ tool: edit, paths: [at('inside', 'read')] }), 'ask tool'],
      [call({ paths: [inside] }), 'ask tool'],
      [call({ tool: { ...execute, server: 's' }, hosts: ['h'] }), 'ask server'],
      [call({ hosts: ['a', 'b'] }), 'ask host, ask host'],
    ];
    for (const [made, expected] of cases) assert.equal(said(made), expected);
    assert.equal(said(call({ tool: edit, paths: [inside] }), 'edit'), '');
    assert.equal(said(call(), 'read'), 'refuse -');
    assert.match(reasons(call(), 'plan'), /the permission mode is "Plan"/u);
  });

  it('a command line is asked about by its programs, or as a whole where it is not understood', () => {
    const programs = [['npm', 'test'], ['ls']];
    const cases: readonly (readonly [CallParts, string])[] = [
      [line({ verdict: 'allow' }), ''],
      [line({ verdict: 'refuse' }), 'refuse -'],
      [line({}), 'ask line'],
      [line({ programs }), 'ask program, ask program'],
      [line({ programs, asking: [['ls']] }), 'ask program'],
      [line({ programs, always: true }), 'ask -'],
      [line({ programs, edits: true }), 'ask program, ask program'],
      [{ ...line({ programs }), code: { subject: 'a script' } }, 'ask code'],
      [{ ...line({ programs, always: true }), code: { subject: 'a script' } }, 'ask code, ask -'],
    ];
    for (const [made, expected] of cases) assert.equal(said(made), expected);
    assert.equal(said(line({ programs, edits: true }), 'edit'), '', 'as the tools for files do it');
    assert.equal(said(line({ programs, edits: false }), 'edit'), 'ask program, ask program');
    assert.equal(reasons(line({ reason: told`It deletes.` })), 'It deletes.');
    assert.equal(reasons(line({ verdict: 'refuse' })), 'This command may not be run.');
    assert.equal(reasons(line({ verdict: 'refuse', reason: told`No.` })), 'No.');
    const harmless = { ...line({ programs }), tool: { name: 'tool', permission: 'none' } as const };
    assert.equal(said(harmless), '');
  });

  it('git changes the repository for the level admin alone; it reads for everybody', () => {
    const git = (...words: string[]): CallParts => line({ programs: [['ls'], words] });
    const refused = [
      git('git', 'push'),
      git('/usr/bin/git', '--no-pager', 'commit'),
      git('env', 'git', 'reset'),
      line({ text: 'x $(git push)' }),
    ];
    const asked = [
      git('git', 'status'),
      git('git', '--no-pager', 'log'),
      git('git'),
      git('git', '--version'),
      git('gitk', 'push'),
      line({ text: 'digits' }),
    ];
    for (const made of refused) {
      assert.match(said(made), /^refuse -/u);
      for (const level of ['admin', 'owner'] as const)
        assert.match(said(made, 'ask', level), /^ask /u);
    }
    for (const made of asked) assert.match(said(made), /^ask /u);
  });

  it('a place outside the workspace may be allowed by a rule; a protected one is asked about each time', () => {
    const of = (path: JudgedPath, mode: Mode = 'auto'): string =>
      said(call({ tool: { name: 'tool', permission: 'none' }, paths: [path] }), mode);
    const cases: readonly (readonly [JudgedPath, Mode, string])[] = [
      [at('inside', 'write'), 'auto', ''],
      [at('outside', 'read'), 'auto', 'ask path'],
      [at('outside', 'write'), 'edit', 'ask path'],
      [at('outside', 'write'), 'read', 'refuse -'],
      [at('config', 'read'), 'ask', ''],
      [at('config', 'write'), 'auto', 'ask -'],
      [at('config', 'write'), 'plan', 'refuse -'],
      [at('secret', 'read'), 'read', 'ask -'],
      [at('forbidden', 'read'), 'auto', 'refuse -'],
    ];
    for (const [path, mode, expected] of cases) assert.equal(of(path, mode), expected);
    const first = (path: JudgedPath) =>
      concernsOf(
        call({ tool: { name: 'tool', permission: 'none' }, paths: [path] }),
        'auto',
        'admin',
      )[0];
    const why = (path: JudgedPath): string => {
      const reason = first(path)?.reason;
      return reason === undefined ? '' : inEnglish(reason);
    };
    assert.equal(first(at('outside', 'read'))?.unattended, undefined);
    assert.match(
      inEnglish(first(at('outside', 'write'))?.unattended ?? told``),
      /lies outside the workspace/u,
    );
    const risk = createRisk('device', '/p');
    assert.equal(why(at('secret', 'read')), 'Names /p, which is protected.');
    assert.equal(
      why(at('forbidden', 'read', { risk })),
      '/p may not be used by a tool: it is a device. Go another way.',
    );
  });

  it('of what a folder takes along the first of each kind is told', () => {
    const below = [
      at('inside', 'write'),
      at('config', 'write', { path: '/p/hooks', risk: createRisk('obeyed', '/p/hooks') }),
      at('config', 'write', { path: '/p/other' }),
      at('secret', 'read', { path: '/p/key' }),
    ];
    const none = { name: 'tool', permission: 'none' } as const;
    assert.equal(
      reasons(call({ tool: none, below })),
      'Changes /p/hooks, which other programs run or obey.|Names /p/key, which is protected.',
    );
    assert.equal(said(call({ tool: none, below: [at('config', 'read')] })), '');
  });
});
