import { signal, type Signal } from '@preact/signals';

/** The rows above the input: which one is unfolded, and whether all of them are shown. */
export class DockView {
  /** Key of the unfolded row; one row is unfolded at a time. */
  readonly open: Signal<string | undefined> = signal(undefined);
  readonly showsAll = signal(false);

  toggle(key: string): void {
    this.open.value = this.open.peek() === key ? undefined : key;
  }
}
