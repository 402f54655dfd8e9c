/** The row of a message; `null`: it is not rendered. */
export const messageRow = (within: ParentNode, id: string): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`);
