import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import type { SettingKey, Settings } from '../../../src/domain/settings/settings.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import type {
  CallRecord,
  Policy,
  TurnOutcome,
  TurnView,
  Verdict,
} from '../../../src/core/policy.ts';

/** Settings with some values given; a bad one fails the test. */
export function settingsWith(values: Partial<Record<SettingKey, unknown>> = {}): Settings {
  return settingsFrom(
    (key) => values[key],
    (problem) => assert.fail(inEnglish(problem.message)),
  );
}

/** A view in which nothing is the matter. */
export function view(changes: Partial<TurnView> = {}): TurnView {
  return {
    iteration: 1,
    activeMs: 0,
    contextTokens: 1000,
    contextLimit: 100_000,
    messageCount: 3,
    calls: [],
    tools: ['ask_human', 'read_file', 'run_command'],
    ...changes,
  };
}

export function turn(changes: Partial<TurnOutcome> = {}): TurnOutcome {
  return { finish: 'end_turn', hadText: true, calls: [], ...changes };
}

let calls = 0;

/** A finished call; a result text of its own unless one is given. */
export function call(
  name: string,
  args: string,
  result?: string,
  changes: Partial<CallRecord> = {},
): CallRecord {
  calls += 1;
  return {
    callId: `call-${calls}`,
    name,
    args,
    idempotent: true,
    state: 'done',
    resultHash: result ?? `result-${calls}`,
    iteration: 1,
    ...changes,
  };
}

/** Runs a policy from its start over several moments; the state goes through JSON each time, as in a checkpoint. */
export class Trial {
  readonly #policy: Policy;
  #state: Json;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.#state = policy.init();
  }

  before(changes: Partial<TurnView> = {}): { verdict: Verdict; events: readonly RunEventBody[] } {
    return this.#ask('before', view(changes));
  }

  after(changes: Partial<TurnView> = {}): { verdict: Verdict; events: readonly RunEventBody[] } {
    return this.#ask('after', view({ turn: turn(), ...changes }));
  }

  #ask(
    moment: 'before' | 'after',
    seen: TurnView,
  ): { verdict: Verdict; events: readonly RunEventBody[] } {
    const rule = this.#policy[moment];
    if (rule === undefined) return { verdict: { kind: 'continue' }, events: [] };
    const state = JSON.parse(JSON.stringify(this.#state)) as Json;
    const first = rule.call(this.#policy, seen, state);
    assert.deepEqual(rule.call(this.#policy, seen, state), first, 'a policy is pure');
    this.#state = first.state;
    return { verdict: first.verdict, events: first.events ?? [] };
  }
}

/** The stop verdict, or a failed test. */
export function stopOf(verdict: Verdict): Extract<Verdict, { kind: 'stop' }> {
  assert.equal(verdict.kind, 'stop');
  return verdict;
}

export function injectOf(verdict: Verdict): Extract<Verdict, { kind: 'inject' }> {
  assert.equal(verdict.kind, 'inject');
  return verdict;
}

export function compactOf(verdict: Verdict): Extract<Verdict, { kind: 'compact' }> {
  assert.equal(verdict.kind, 'compact');
  return verdict;
}
