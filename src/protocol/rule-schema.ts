import * as z from 'zod/mini';
import { RULE_EFFECTS } from '../domain/permissions/permission-rule.ts';

const criterion = z.optional(z.string().check(z.minLength(1), z.maxLength(1000)));

/** The form of a permission rule in a message; what it means is checked where it is kept. */
export const ruleSchema = z.strictObject({
  effect: z.enum(RULE_EFFECTS),
  tool: criterion,
  path: criterion,
  access: z.optional(z.enum(['read', 'write'])),
  command: criterion,
  host: criterion,
  server: criterion,
  serverTool: criterion,
  subject: criterion,
  hash: criterion,
  in: criterion,
  off: z.optional(z.boolean()),
});
