/** The address of a drawn diagram as an image, in which nothing runs or loads. */
export function getPictureUrl(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(addSize(svg))}`;
}

/** Gives a picture its own size: as an image it would otherwise be as wide as the page. */
function addSize(svg: string): string {
  const box = /viewBox="[-\d.]+ [-\d.]+ (?<width>[\d.]+) (?<height>[\d.]+)"/u.exec(svg)?.groups;
  if (box === undefined) return svg;
  return svg.replace(
    /^<svg\b(?<rest>[^>]*)>/u,
    (_, rest: string) =>
      `<svg${rest.replaceAll(/\s(?:width|height)="[^"]*"/gu, '')} width="${box['width']}" height="${box['height']}">`,
  );
}
