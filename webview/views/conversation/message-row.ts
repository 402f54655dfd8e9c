/** The row of a message; `null`: it is not rendered. */
export const messageRow = (within: ParentNode, id: string): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`);

/** The rows of messages that are rendered, by the messages' ids. */
export const messageRows = (within: ParentNode): ReadonlyMap<string, HTMLElement> =>
  new Map(
    [...within.querySelectorAll<HTMLElement>('[data-message]')].map((row) => [
      row.dataset['message'] ?? '',
      row,
    ]),
  );
