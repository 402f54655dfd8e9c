/** A decoded picture: four bytes a pixel, red, green, blue and how opaque it is. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/**
 * Each square of `factor` pixels made one, their mean: a large picture is brought near its new size so, since finer
 * ways need 25 bytes for each of its pixels.
 */
export function squared({ data, width, height }: Pixels, factor: number): Pixels {
  if (factor < 2) return { data, width, height };
  const [columns, rows] = [Math.floor(width / factor), Math.floor(height / factor)].map((count) =>
    Math.max(1, count),
  ) as [number, number];
  const small = new Uint8ClampedArray(columns * rows * 4);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [red, green, blue, opaque, count] = meanOf(
        { data, width, height },
        column * factor,
        row * factor,
        factor,
      );
      const at = (row * columns + column) * 4;
      const share = opaque || 1;
      small[at] = red / share;
      small[at + 1] = green / share;
      small[at + 2] = blue / share;
      small[at + 3] = opaque / count;
    }
  return { data: small, width: columns, height: rows };
}

/** Sums over a square: colors count as much as they are opaque. */
function meanOf(
  { data, width, height }: Pixels,
  left: number,
  top: number,
  factor: number,
): readonly [red: number, green: number, blue: number, opaque: number, count: number] {
  let [red, green, blue, opaque, count] = [0, 0, 0, 0, 0];
  const [right, bottom] = [Math.min(width, left + factor), Math.min(height, top + factor)];
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const alpha = data[at + 3] ?? 255;
      red += (data[at] ?? 0) * alpha;
      green += (data[at + 1] ?? 0) * alpha;
      blue += (data[at + 2] ?? 0) * alpha;
      opaque += alpha;
      count += 1;
    }
  return [red, green, blue, opaque, count];
}

/** The picture before white: JPEG knows nothing that is not opaque. */
export function beforeWhite({ data, width, height }: Pixels): Pixels {
  const flat = new Uint8ClampedArray(data);
  for (let at = 0; at < flat.length; at += 4) {
    const alpha = (flat[at + 3] ?? 255) / 255;
    for (let color = at; color < at + 3; color += 1)
      flat[color] = (flat[color] ?? 0) * alpha + 255 * (1 - alpha);
    flat[at + 3] = 255;
  }
  return { data: flat, width, height };
}
