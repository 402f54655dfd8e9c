/** Handles a click on something inside of a row; the row does not hear of it. */
export function onlyThis(work: (event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    work(event);
  };
}
