import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { CallRecord, Policy, TurnView, Verdict } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** C2: what is looked at, and how often is too often. */
const LAST_CALLS = 6;
const IDENTICAL = 3;
const SAME_TOOL = 4;

const ASK = 'ask_human';
/** The step on which the run stops although there is a human to ask: it was told to ask them twice. */
const TOP = 5;

/** `args`: those of the call that repeats. */
export type Detection =
  | { readonly tier: 'identical'; readonly tool: string; readonly args: string }
  | { readonly tier: 'pattern'; readonly tool: string };

/** `level`: steps of the ladder taken; `quiet`: calls since the last detection. */
type State = { readonly level: number; readonly quiet: number };

const CALM: State = { level: 0, quiet: 0 };

const keyOf = (call: CallRecord): string => `${call.name} ${call.args}`;

/** Calls since the human last said something: an answer is a new start. */
function sinceAnswer(calls: readonly CallRecord[]): readonly CallRecord[] {
  const answered = calls.findLastIndex((call) => call.name === ASK && call.state === 'done');
  return calls.slice(answered + 1);
}

/**
 * True when a successful call with side effects that had not been made before lies between two
 * calls: a test after each edit is progress, two edits undoing each other are not.
 */
function changedBetween(calls: readonly CallRecord[], from: number, to: number): boolean {
  const key = keyOf(calls[to] as CallRecord);
  for (let index = from + 1; index < to; index += 1) {
    const call = calls[index] as CallRecord;
    if (call.idempotent || call.state !== 'done' || keyOf(call) === key) continue;
    if (!calls.slice(0, index).some((earlier) => keyOf(earlier) === keyOf(call))) return true;
  }
  return false;
}

/** True when repeating the very same call was sensible: something changed, or a reading was new. */
function isSensibleRepeat(calls: readonly CallRecord[], index: number): boolean {
  const call = calls[index] as CallRecord;
  const key = keyOf(call);
  const before = calls.slice(0, index).findLastIndex((earlier) => keyOf(earlier) === key);
  if (before < 0) return false;
  if (changedBetween(calls, before, index)) return true;
  const earlier = calls[before] as CallRecord;
  return call.idempotent && call.state === 'done' && call.resultHash !== earlier.resultHash;
}

/** True for progress: a reading that was new (C2), or an action's first success. */
function isProgress(calls: readonly CallRecord[], index: number): boolean {
  const call = calls[index] as CallRecord;
  if (call.state !== 'done') return false;
  const earlier = calls.slice(0, index).filter((other) => other.name === call.name);
  return call.idempotent
    ? !earlier.some((other) => other.resultHash === call.resultHash)
    : !earlier.some((other) => other.args === call.args);
}

/**
 * The two detectors (C2) on the last six calls, oldest first; only a pattern that the last batch
 * continues is reported. `batch`: its size.
 */
export function detect(calls: readonly CallRecord[], batch: number): Detection | undefined {
  const relevant = sinceAnswer(calls);
  const start = Math.max(0, relevant.length - LAST_CALLS);
  const fresh = Math.max(start, relevant.length - batch);
  for (let index = relevant.length - 1; index >= fresh; index -= 1) {
    const call = relevant[index] as CallRecord;
    if (call.name === ASK) continue;
    let repeats = 0;
    for (let other = start; other < relevant.length; other += 1) {
      if (keyOf(relevant[other] as CallRecord) !== keyOf(call)) continue;
      if (!isSensibleRepeat(relevant, other)) repeats += 1;
    }
    if (repeats >= IDENTICAL) return { tier: 'identical', tool: call.name, args: call.args };
  }
  for (let index = relevant.length - 1; index >= fresh; index -= 1) {
    const call = relevant[index] as CallRecord;
    if (call.name === ASK || isProgress(relevant, index)) continue;
    const same: CallRecord[] = [];
    for (let other = start; other < relevant.length; other += 1) {
      const candidate = relevant[other] as CallRecord;
      if (candidate.name === call.name && !isProgress(relevant, other)) same.push(candidate);
    }
    const differing = new Set(same.map((one) => one.args)).size > 1;
    if (same.length >= SAME_TOOL && differing) return { tier: 'pattern', tool: call.name };
  }
  return undefined;
}

function whatRepeats(detection: Detection): string {
  const { tool } = detection;
  return detection.tier === 'identical'
    ? `You have called ${tool} with the same arguments at least ${IDENTICAL} times in your last ${LAST_CALLS} calls, and nothing changed in between: ${detection.args.slice(0, 200)}`
    : `You have called ${tool} at least ${SAME_TOOL} times in your last ${LAST_CALLS} calls with different arguments, without learning anything new or changing anything.`;
}

/** The ladder: nudge, directive, forced `ask_human` (C13); without a human to ask, or without asking, the run stops. */
function step(level: number, detection: Detection, tools: readonly string[]): Verdict {
  const what = whatRepeats(detection);
  if (level === 1) {
    return { kind: 'inject', messages: [`${what} Try a different approach or a different tool.`] };
  }
  if (level === 2) {
    return {
      kind: 'inject',
      messages: [
        `${what} Stop. Do not call ${detection.tool} like this again. First write down what you know, what you expected and why it did not happen; then choose another way, or tell the person what blocks you.`,
      ],
    };
  }
  // Some servers do not know how to make a model call a tool: then it is of no use to go on saying it.
  if (level < TOP && tools.includes(ASK)) {
    return {
      kind: 'inject',
      messages: [
        `${what} Ask the person now with ${ASK}: say in two sentences what you tried and what you got, and ask how to go on.`,
      ],
      forceTool: ASK,
    };
  }
  return {
    kind: 'stop',
    reason: 'failure',
    failure: {
      code: 'stuck',
      ...tells(
        told`Stopped because the agent kept calling ${detection.tool} without getting further. Everything done so far is kept. Say how to go on, or what to do differently, and send it.`,
      ),
      details: { tool: detection.tool, tier: detection.tier },
    },
  };
}

/** Notices a run that goes in circles, after each batch of calls, and leads it out step by step (C2). */
export function loopDetection(): Policy<State> {
  return {
    name: 'loop-detection',
    init: () => CALM,
    after(view: TurnView, state: State) {
      const batch = view.turn?.calls.length ?? 0;
      if (batch === 0) return goOn(state);
      const detection = detect(view.calls, batch);
      if (detection === undefined) {
        const answered = view.turn?.calls.some(
          (call) => call.name === ASK && call.state === 'done',
        );
        const quiet = state.quiet + batch;
        // One window without a detection, or an answer of the human: the ladder starts again below.
        return goOn(answered === true || quiet >= LAST_CALLS ? CALM : { ...state, quiet });
      }
      const level = state.level + 1;
      return decide(step(level, detection, view.tools), { level, quiet: 0 }, [
        { type: 'agent.loop.detected', tier: detection.tier, tool: detection.tool, level },
        { type: 'agent.guardrail.escalated', guardrail: 'loop-detection', level },
      ]);
    },
  };
}
