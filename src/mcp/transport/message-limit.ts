import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';

/** Bytes of the largest message that is read; a server that sends more is answered for, not waited for. */
export const largestMessage = 16 * 2 ** 20;

/** Code of the answers that we put in the place of ones that were too large or never came. */
export const replacedAnswer = -32_099;

/** The answer in the place of one that was too large. */
export function tooLargeAnswer(id: number | string): JSONRPCErrorResponse {
  return answer(
    id,
    `the answer was larger than ${largestMessage / 2 ** 20} MB and was dropped. Ask for less at a time`,
  );
}

/** The answer in the place of one that broke off. */
export function brokenAnswer(id: number | string): JSONRPCErrorResponse {
  return answer(id, 'the connection broke before the answer was complete');
}

function answer(id: number | string, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: replacedAnswer, message } };
}

/** The request that a message answers, judged by its first and last characters alone. */
export function answerOf(head: string, tail: string): number | undefined {
  const atStart = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)\s*,/.exec(head);
  const atEnd =
    /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail) ??
    /,\s*"id"\s*:\s*(\d+)\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*\}\s*$/.exec(tail);
  const found = atStart ?? atEnd;
  return found === null ? undefined : Number(found[1]);
}
