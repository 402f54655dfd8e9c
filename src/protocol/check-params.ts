import * as z from 'zod/mini';

/** Checks the parameters of a request by the table of its protocol; the problem is for the log. */
export function checkParams<Table extends Readonly<Record<string, z.ZodMiniType>>>(
  table: Table,
  name: keyof Table & string,
  params: unknown,
): { readonly params: z.infer<Table[typeof name]> } | { readonly problem: string } {
  // The name comes from outside.
  const schema = Object.hasOwn(table, name) ? table[name] : undefined;
  if (schema === undefined) return { problem: 'there is no such request' };
  const checked = z.safeParse(schema, params);
  if (checked.success) return { params: checked.data as z.infer<Table[typeof name]> };
  const problem = checked.error.issues
    .map((issue) => `${issue.path.map(String).join('.') || 'params'}: ${issue.message}`)
    .join('; ');
  return { problem };
}
