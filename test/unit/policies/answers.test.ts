import assert from 'node:assert/strict';
import type { FinishReason } from '../../../src/domain/message.ts';
import { emptyTurn } from '../../../src/core/policies/empty-turn.ts';
import { maxTokens } from '../../../src/core/policies/max-tokens.ts';
import { pauseTurn } from '../../../src/core/policies/pause-turn.ts';
import { refusal } from '../../../src/core/policies/refusal.ts';
import { call, injectOf, stopOf, Trial, turn } from './views.ts';

const broken = { failure: { code: 'stream_broken', message: 'The stream broke.' } } as const;

describe('empty turns', () => {
  for (const { finish, hadText, calls, empty } of [
    { finish: 'tool_use', hadText: true, calls: 0, empty: true },
    { finish: 'tool_use', hadText: false, calls: 0, empty: true },
    { finish: 'tool_use', hadText: false, calls: 1, empty: false },
    { finish: 'end_turn', hadText: false, calls: 0, empty: true },
    { finish: 'end_turn', hadText: true, calls: 0, empty: false },
    { finish: 'end_turn', hadText: false, calls: 1, empty: false },
    { finish: 'unknown', hadText: false, calls: 0, empty: true },
    { finish: 'unknown', hadText: true, calls: 0, empty: false },
    { finish: 'stop_sequence', hadText: false, calls: 0, empty: true },
    { finish: 'max_tokens', hadText: false, calls: 0, empty: false },
    { finish: 'pause', hadText: false, calls: 0, empty: false },
    { finish: 'refusal', hadText: false, calls: 0, empty: false },
    { finish: 'canceled', hadText: false, calls: 0, empty: false },
  ] satisfies readonly {
    finish: FinishReason;
    hadText: boolean;
    calls: number;
    empty: boolean;
  }[]) {
    const what = `${finish} with ${hadText ? 'text' : 'no text'} and ${calls} calls`;
    it(`c07 c09: ${what} ${empty ? 'is asked once to go on' : 'is not empty'}`, () => {
      const records = Array.from({ length: calls }, () => call('read_file', '{}'));
      const { verdict } = new Trial(emptyTurn()).after({
        turn: turn({ finish, hadText, calls: records }),
      });
      if (empty) {
        const told = finish === 'tool_use' ? /did not arrive/ : /was empty/;
        assert.match(injectOf(verdict).messages.join(), told);
      } else assert.equal(verdict.kind, 'continue');
    });
  }

  it('c09: the second empty answer in a row stops with a way on', () => {
    const trial = new Trial(emptyTurn());
    trial.after({ turn: turn({ hadText: false }) });
    const stop = stopOf(trial.after({ turn: turn({ hadText: false }) }).verdict);
    assert.equal(stop.failure?.code, 'empty_response');
    assert.match(stop.failure?.message ?? '', /kept.*Continue/);
  });

  it('c07: a second announced call that never comes leaves the text as the answer', () => {
    const trial = new Trial(emptyTurn());
    trial.after({ turn: turn({ finish: 'tool_use' }) });
    assert.equal(trial.after({ turn: turn({ finish: 'tool_use' }) }).verdict.kind, 'continue');
  });

  it('c09: an answer in between starts the count again', () => {
    const trial = new Trial(emptyTurn());
    trial.after({ turn: turn({ hadText: false }) });
    trial.after({ turn: turn() });
    assert.equal(trial.after({ turn: turn({ hadText: false }) }).verdict.kind, 'inject');
  });

  it('c09: a failed turn is not an empty one', () => {
    assert.equal(
      new Trial(emptyTurn()).after({ turn: turn({ hadText: false, ...broken }) }).verdict.kind,
      'continue',
    );
  });
});

describe('answers cut at the output limit', () => {
  it('c14: text goes on where it stops', () => {
    const { verdict } = new Trial(maxTokens()).after({ turn: turn({ finish: 'max_tokens' }) });
    assert.match(injectOf(verdict).messages.join(), /Continue exactly where it stops/);
  });

  it('c02: a cut call is to be made again in smaller steps', () => {
    const { verdict } = new Trial(maxTokens()).after({
      turn: turn({
        finish: 'max_tokens',
        calls: [call('write_file', '{"path":', 'cut', { state: 'failed' })],
      }),
    });
    assert.match(injectOf(verdict).messages.join(), /several calls/);
  });

  it('c15: thinking that used up the output is to be shorter', () => {
    const { verdict } = new Trial(maxTokens()).after({
      turn: turn({ finish: 'max_tokens', hadText: false }),
    });
    assert.match(injectOf(verdict).messages.join(), /Think less/);
  });

  it('c14: a turn that failed is left to its failure, and leaves the count', () => {
    const trial = new Trial(maxTokens());
    for (let cut = 0; cut < 3; cut += 1) trial.after({ turn: turn({ finish: 'max_tokens' }) });
    const { verdict } = trial.after({ turn: turn({ finish: 'max_tokens', ...broken }) });
    assert.equal(verdict.kind, 'continue');
    assert.equal(trial.after({ turn: turn({ finish: 'max_tokens' }) }).verdict.kind, 'stop');
  });

  it('c14: the fourth cut in a row asks the person', () => {
    const trial = new Trial(maxTokens());
    for (let cut = 0; cut < 3; cut += 1) {
      assert.equal(trial.after({ turn: turn({ finish: 'max_tokens' }) }).verdict.kind, 'inject');
    }
    const stop = stopOf(trial.after({ turn: turn({ finish: 'max_tokens' }) }).verdict);
    assert.equal(stop.failure?.code, 'output_limit');
    assert.match(stop.failure?.message ?? '', /4 times in a row.*kept.*Continue/);
  });

  it('c14: a whole answer in between starts the count again', () => {
    const trial = new Trial(maxTokens());
    for (let cut = 0; cut < 3; cut += 1) trial.after({ turn: turn({ finish: 'max_tokens' }) });
    trial.after({ turn: turn({ finish: 'tool_use', calls: [call('read_file', '{}')] }) });
    for (let cut = 0; cut < 3; cut += 1)
      assert.equal(trial.after({ turn: turn({ finish: 'max_tokens' }) }).verdict.kind, 'inject');
  });
});

describe('paused and refused turns', () => {
  it('c10: a paused turn goes on as it is, without a message', () => {
    const { verdict } = new Trial(pauseTurn()).after({ turn: turn({ finish: 'pause' }) });
    assert.deepEqual(verdict, { kind: 'inject', messages: [] });
  });

  it('c10: a server that refuses an answer at the end gets a word of ours after it, once', () => {
    const refused = turn({
      hadText: false,
      failure: { code: 'history_rejected', message: 'no prefill' },
    });
    const trial = new Trial(pauseTurn());
    assert.equal(trial.after({ turn: refused }).verdict.kind, 'continue', 'nothing was paused');
    trial.after({ turn: turn({ finish: 'pause' }) });
    assert.deepEqual(injectOf(trial.after({ turn: refused }).verdict).messages, ['Go on.']);
    assert.equal(trial.after({ turn: refused }).verdict.kind, 'continue');
  });

  it('c10: an answer that was paused stays so when what follows fails, until there is another', () => {
    const refused = turn({
      hadText: false,
      failure: { code: 'history_rejected', message: 'no prefill' },
    });
    const trial = new Trial(pauseTurn());
    trial.after({ turn: turn({ finish: 'pause' }) });
    assert.equal(trial.after({ turn: turn(broken) }).verdict.kind, 'continue');
    assert.deepEqual(injectOf(trial.after({ turn: refused }).verdict).messages, ['Go on.']);
    trial.after({ turn: turn({ finish: 'pause' }) });
    trial.after({ turn: turn() });
    assert.equal(trial.after({ turn: refused }).verdict.kind, 'continue');
  });

  it('c10: a paused turn that failed is left to its failure', () => {
    assert.equal(
      new Trial(pauseTurn()).after({ turn: turn({ finish: 'pause', ...broken }) }).verdict.kind,
      'continue',
    );
  });

  it('c11 c12: a refusal stops and is not asked again', () => {
    const stop = stopOf(
      new Trial(refusal()).after({ turn: turn({ finish: 'refusal', hadText: false }) }).verdict,
    );
    assert.equal(stop.failure?.code, 'refusal');
    assert.match(stop.failure?.message ?? '', /another model/);
  });

  it('c17: an unknown stop reason with text ends the turn as usual', () => {
    for (const policy of [pauseTurn(), refusal(), maxTokens(), emptyTurn()]) {
      assert.equal(
        new Trial(policy).after({ turn: turn({ finish: 'unknown' }) }).verdict.kind,
        'continue',
      );
    }
  });
});
