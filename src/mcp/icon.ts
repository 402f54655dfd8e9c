import { isJsonObject } from '../domain/data/json.ts';

/** Characters of an icon: 64 kB of bytes. */
const LONGEST = 90_000;

/** The first bytes of the kinds of images that are drawn, in base64. */
const KINDS: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/u],
  ['image/jpeg', /^\/9j\//u],
  ['image/gif', /^R0lGOD[dl]h/u],
  ['image/webp', /^UklGR.{6}V0VCU/u],
];

/** The first icon of a list that may be drawn. */
export function firstIcon(icons: unknown): string | undefined {
  if (!Array.isArray(icons)) return undefined;
  for (const icon of icons.slice(0, 10) as readonly unknown[]) {
    const drawn = isJsonObject(icon) ? inertIcon(icon['src']) : undefined;
    if (drawn !== undefined) return drawn;
  }
  return undefined;
}

/** A small picture within the definition; never an address (a request) or SVG (a program). */
export function inertIcon(source: unknown): string | undefined {
  if (typeof source !== 'string' || source.length > LONGEST) return undefined;
  const found = /^data:(?<type>image\/[a-z]+);base64,(?<data>[A-Za-z0-9+/]+={0,2})$/u.exec(source);
  const { type, data } = found?.groups ?? {};
  const known = KINDS.find(([name]) => name === type);
  return known !== undefined && data !== undefined && known[1].test(data) ? source : undefined;
}
