import * as z from 'zod/mini';

/** The language tools' way of naming a symbol. */
export const SYMBOL = {
  path: z.string().check(z.minLength(1)),
  line: z.optional(
    z
      .int()
      .check(z.gte(1), z.describe('where it stands; near is enough. Needed unless it is unique')),
  ),
  symbol: z
    .string()
    .check(z.minLength(1), z.describe('its name as written there, e.g. "total" or "order.total"')),
} as const;
