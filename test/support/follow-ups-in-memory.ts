import type { FollowUp } from '../../src/domain/session/followup.ts';
import type { ToolRecords } from '../../src/tools/tool-parts.ts';

/** Follow-ups of one session, which never come. */
export class FollowUpsInMemory {
  readonly #waiting = new Map<string, FollowUp>();

  get part(): NonNullable<ToolRecords['followUps']> {
    return { service: this, mask: (text) => Promise.resolve(text) };
  }

  keep(followUp: FollowUp): void {
    this.#waiting.set(followUp.id, followUp);
  }

  async schedule(sessionId: string, prompt: string, dueAt: number): Promise<FollowUp> {
    const followUp = { id: `f1-${this.#waiting.size + 1}`, sessionId, prompt, dueAt, createdAt: 0 };
    this.keep(followUp);
    return Promise.resolve(followUp);
  }

  async of(): Promise<readonly FollowUp[]> {
    return Promise.resolve([...this.#waiting.values()]);
  }

  async cancel(id: string): Promise<FollowUp> {
    const found = this.#waiting.get(id);
    if (found === undefined) throw new Error(`There is no ${id}.`);
    this.#waiting.delete(id);
    return Promise.resolve(found);
  }
}
