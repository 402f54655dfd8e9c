/** Where VS Code's workspace state keeps what the panel is painted with first. */
export const FIRST_PAINT_KEY = 'belay.firstPaint';
