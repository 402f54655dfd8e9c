import type { JsonObject } from '../../domain/data/json.ts';
import type { ToolSpec } from '../../domain/models/model.ts';

/** Belay's tools for other agents; they only read. */
export interface ContextTools {
  /** Asked anew for each list: an editor's language servers come and go. */
  list(): Promise<readonly ToolSpec[]>;
  /** Never fails: what went wrong is the text. */
  call(
    name: string,
    input: JsonObject,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}
