import { withoutEnd } from '../../domain/text/text-end.ts';

/** The address that a person means: pasted with and without the path of the call, or as a host only. */
export function chatAddress(baseUrl: string): string {
  const [plain = '', query] = baseUrl.trim().split('?', 2);
  const base = withoutEnd(withoutEnd(plain, '/').replace(/\/chat\/completions$/, ''), '/');
  const path = URL.canParse(base) ? new URL(base).pathname : '';
  const address = path === '/' && !base.endsWith('/v1') ? `${base}/v1` : base;
  return query === undefined ? address : `${address}?${query}`;
}
