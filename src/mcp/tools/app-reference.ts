import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';

/** An extension of the protocol: a server's tool comes with a page that shows its results (MCP Apps, 2026-01-26). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';
/** The kind of page that is rendered. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** A tool's page, and who may call the tool. */
export type AppReference = {
  /** Of the page, `ui://…`; absent: it has none. */
  readonly page?: string;
  readonly forModel: boolean;
  readonly forApps: boolean;
};

/** Reads `_meta.ui` of a tool, or the older `ui/resourceUri`; `undefined`: nothing is said of apps. */
export function appReference(meta: unknown): AppReference | undefined {
  if (!isJsonObject(meta)) return undefined;
  const ui: JsonObject = isJsonObject(meta['ui']) ? meta['ui'] : {};
  const page = ui['resourceUri'] ?? meta['ui/resourceUri'];
  const isPage = typeof page === 'string' && /^ui:\/\/\S{1,2000}$/u.test(page);
  const { visibility } = ui;
  const sees = (who: string): boolean => !Array.isArray(visibility) || visibility.includes(who);
  if (!isPage && visibility === undefined) return undefined;
  return { ...(isPage ? { page } : {}), forModel: sees('model'), forApps: sees('app') };
}
