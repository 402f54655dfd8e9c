import type { Json } from '../../../domain/data/json.ts';
import type { Values } from './values.ts';

/** Values of the workspace that other windows on it may change at the same time. */
export interface SharedValues extends Values {
  /** Makes all changes in one transaction while the guard's key holds its value; else `false`. */
  swap(
    changes: readonly { readonly key: string; readonly value: Json }[],
    guard: { readonly key: string; readonly value: Json | undefined },
  ): Promise<boolean>;
}
