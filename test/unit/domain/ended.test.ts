import assert from 'node:assert/strict';
import { ended } from '../../../src/domain/lifetime/ended.ts';

describe('things that end one after the other', () => {
  it('all end, in order, and the first failure is told', async () => {
    const order: string[] = [];
    const end =
      (name: string, fails = false) =>
      async (): Promise<void> => {
        order.push(name);
        if (fails) throw new Error(name);
      };
    await assert.rejects(ended(end('a'), end('b', true), end('c', true), end('d')), /b/u);
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    await ended(end('e'), () => undefined);
  });
});
