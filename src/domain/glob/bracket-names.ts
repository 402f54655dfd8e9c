/** Segments with brackets of which every combination is tried; of more only all of one kind. */
const MAX_COMBINED = 3;

/**
 * The meanings of a glob: brackets are a set of characters, or part of a name such as the folder `[id]` of a web
 * framework. Each segment with brackets may be either; a range that runs backwards (`[post-id]`) is no set.
 */
export function getBracketReadings(pattern: string): readonly string[] {
  const segments = pattern.split('/').map(readSegment);
  if (segments.filter(({ length }) => length > 1).length > MAX_COMBINED)
    return [0, -1].map((index) => segments.map((readings) => readings.at(index) ?? '').join('/'));
  return segments.reduce<readonly string[]>(
    (before, readings, index) =>
      before.flatMap((start) =>
        readings.map((reading) => (index === 0 ? reading : `${start}/${reading}`)),
      ),
    [''],
  );
}

/** Escapes everything in a name that has a meaning in a glob. */
export function escapeName(name: string): string {
  return name.replaceAll(/[\\*?[\]{}]/gu, String.raw`\$&`);
}

/** As a set of characters, then as a name. */
function readSegment(segment: string): readonly string[] {
  const sets = segment.replaceAll(/\\./gsu, '').match(/\[[^\]]*\]/gu);
  if (sets === null) return [segment];
  const name = segment.replaceAll(/\\.|[[\]]/gsu, (found) =>
    found.length > 1 ? found : `\\${found}`,
  );
  return sets.some(hasBackwardRange) ? [name] : [segment, name];
}

const hasBackwardRange = (set: string): boolean =>
  [...set.slice(1, -1).matchAll(/(?<from>[^:])-(?<to>.)/gsu)].some(
    ({ groups }) => (groups?.['from'] ?? '') > (groups?.['to'] ?? ''),
  );
