/** The server's wait in milliseconds, by `retry-after-ms` or `retry-after`. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return exact;
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return wait > 0 && Number.isFinite(wait) ? Math.ceil(wait) : undefined;
}
