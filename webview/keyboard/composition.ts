/** True for a key of an input method. Safari reports the Enter that ends a composition with key code 229 alone. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
