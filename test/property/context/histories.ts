import * as fc from 'fast-check';
import type { FinishReason, Message, Part } from '../../../src/domain/message.ts';
import type { Compaction } from '../../../src/domain/session/session.ts';

type Step =
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'note'; readonly origin: 'policy' | 'environment' | 'journal' }
  | { readonly kind: 'says'; readonly text: string; readonly finish: FinishReason }
  | {
      readonly kind: 'calls';
      readonly results: readonly {
        readonly characters: number;
        readonly failed: boolean;
        readonly tool: string;
      }[];
      readonly between: boolean;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('person' as const),
      text: fc.string({ maxLength: 60 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('note' as const),
      origin: fc.constantFrom('policy' as const, 'environment' as const, 'journal' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('says' as const),
      text: fc.string({ minLength: 1, maxLength: 200 }),
      finish: fc.constantFrom<FinishReason[]>('end_turn', 'refusal', 'max_tokens'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      results: fc.array(
        fc.record({
          characters: fc.nat({ max: 6000 }),
          failed: fc.boolean(),
          tool: fc.constantFrom('read_file', 'search_text', 'run_command'),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      between: fc.boolean(),
    }),
  },
);

function tell(steps: readonly Step[]): Message[] {
  const messages: Message[] = [];
  let calls = 0;
  const add = (message: Pick<Message, 'role' | 'parts'> & Partial<Message>): void => {
    const seq = messages.length + 1;
    messages.push({ id: `m${seq}`, sessionId: 's', runId: 'r', seq, createdAt: seq, ...message });
  };
  for (const one of steps) {
    switch (one.kind) {
      case 'person':
        add({ role: 'user', origin: 'person', parts: [{ type: 'text', text: `p ${one.text}` }] });
        break;
      case 'note':
        add({ role: 'user', origin: one.origin, parts: [{ type: 'text', text: 'note' }] });
        break;
      case 'says':
        add({
          role: 'assistant',
          parts: [
            { type: 'text', text: one.text },
            { type: 'finish', reason: one.finish },
          ],
        });
        break;
      case 'calls': {
        const ids = one.results.map(() => `c${(calls += 1)}`);
        add({
          role: 'assistant',
          parts: [
            ...one.results.map((result, index): Part => ({
              type: 'tool_call',
              id: ids[index] ?? '',
              name: result.tool,
              input: { path: `f${index}` },
            })),
            { type: 'finish', reason: 'tool_use' },
          ],
        });
        // A message may stand between a call and its result, and results may come in several messages.
        if (one.between)
          add({ role: 'user', origin: 'policy', parts: [{ type: 'text', text: 'wait' }] });
        const results = one.results.map((result, index): Part => ({
          type: 'tool_result',
          callId: ids[index] ?? '',
          name: result.tool,
          state: result.failed ? 'failed' : 'done',
          content: [{ type: 'text', text: `${ids[index]} ${'x'.repeat(result.characters)}` }],
        }));
        if (one.between) for (const part of results) add({ role: 'tool', parts: [part] });
        else add({ role: 'tool', parts: results });
        break;
      }
      default:
        one satisfies never;
    }
  }
  return messages;
}

/** Histories as sessions have them, and worse. They begin with a request of the person. */
export const history: fc.Arbitrary<Message[]> = fc
  .array(step, { maxLength: 40 })
  .map((steps) => tell([{ kind: 'person', text: 'first' }, ...steps]));

/** A history and a compaction that stands for part of it, cut at a safe place. */
export const compactedHistory = fc
  .tuple(history, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.nat({ max: 3000 }))
  .map(
    ([messages, share, short, characters]): {
      readonly messages: Message[];
      readonly compaction: Compaction;
    } => {
      const open = new Set<string>();
      const cuts = [0];
      for (const message of messages) {
        for (const part of message.parts) {
          if (part.type === 'tool_call') open.add(part.id);
          if (part.type === 'tool_result') open.delete(part.callId);
        }
        if (open.size === 0) cuts.push(message.seq);
      }
      const throughSeq = cuts[Math.floor(share * (cuts.length - 1))] ?? 0;
      return {
        messages,
        compaction: {
          id: 'k',
          sessionId: 's',
          throughSeq,
          summary: 'S',
          strategy: 'summarize',
          reason: 'threshold',
          tokensBefore: 0,
          tokensAfter: 0,
          undone: false,
          createdAt: 0,
          ...(short
            ? { resultLimit: { throughSeq: messages.length, characters: characters + 100 } }
            : {}),
        },
      };
    },
  );

/** Calls without a result after them, and results without a call before them. */
export function splitPairs(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const split: string[] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool_call') open.add(part.id);
      if (part.type === 'tool_result' && !open.delete(part.callId)) split.push(part.callId);
    }
  }
  return [...split, ...open];
}
