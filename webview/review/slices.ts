import { useLayoutEffect, useState } from 'preact/hooks';

/** Rows that come into a long list with one frame: about 10 ms of work here. */
const SLICE = 60;

/**
 * How many rows of a list are there by now: a long one comes in slices, a frame each, so that unfolding
 * everything blocks nothing. What is in sight is in the first.
 * @returns the number, and what makes all of them come at once
 */
export function useSlices(total: number): readonly [number, () => void] {
  const [made, setMade] = useState(SLICE);
  const wanted = Math.max(total, SLICE);
  useLayoutEffect(() => {
    if (made === wanted) return undefined;
    // A list that was folded comes in slices again; the rest of this one is a slice ahead.
    if (made > wanted) {
      setMade(wanted);
      return undefined;
    }
    const frame = requestAnimationFrame(() => setMade(Math.min(made + SLICE, wanted)));
    return () => cancelAnimationFrame(frame);
  }, [made, wanted]);
  return [Math.min(total, made + SLICE), () => setMade(wanted)];
}
