import { readFileSync } from 'node:fs';
import type { MemoryRecords } from '../../src/core/ports/store/memories.ts';

const lines = (name: string): readonly (readonly [key: string, text: string])[] =>
  readFileSync(new URL(`../fixtures/memory/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [string, string]);

/** A question and what was found: whether the note that it is about is among the first five, and how long it took. */
export interface AskedMemory {
  readonly question: string;
  readonly found: boolean;
  readonly first: boolean;
  /** Milliseconds. */
  readonly took: number;
}

/** Keeps the 200 notes of the labelled set, some of the person and some of the workspace, and asks its 100 questions. */
export async function askMemory(memories: MemoryRecords): Promise<readonly AskedMemory[]> {
  const ids = new Map<string, string>();
  for (const [key, text] of lines('notes')) {
    const scope = key.startsWith('p') ? 'person' : 'workspace';
    ids.set(key, (await memories.add({ scope, text, sessionId: 's' })).id);
  }
  if (ids.size !== 200) throw new Error(`There are ${ids.size} notes.`);
  const asked: AskedMemory[] = [];
  for (const [key, question] of lines('questions')) {
    const begun = performance.now();
    const notes = await memories.recall(question, 5);
    const took = performance.now() - begun;
    const at = notes.findIndex(({ id }) => id === ids.get(key));
    asked.push({ question, found: at >= 0, first: at === 0, took });
  }
  return asked;
}
