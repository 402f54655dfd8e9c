import { judgeServerAddress } from '../../../core/permissions/network/request-guard.ts';
import { pinnedFetch } from './pinned-fetch.ts';

/** The `fetch` for MCP servers: perhaps in the person's network, never for credentials. */
export function mcpFetch(): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return pinnedFetch(judgeServerAddress);
}
