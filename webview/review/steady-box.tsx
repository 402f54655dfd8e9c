import { Component, type ComponentChildren } from 'preact';

/** A row and where it stood on screen. */
interface Held {
  readonly key: string;
  readonly top: number;
}

/**
 * Holds a box of rows still while the pointer or the focus is in it: it keeps its height, and when rows
 * come or go above, the row that is looked at stays where it is.
 */
export class Steady {
  #box: HTMLElement | null = null;
  #pointed = false;
  #focused = false;
  /** The focus was here before the last change. */
  #had = false;
  /** Key of the row under the pointer. */
  #under: string | undefined;

  readonly mount = (box: HTMLElement | null): void => {
    this.#box = box;
  };

  /** The focus is on one of the rows. */
  get hasFocus(): boolean {
    return this.#box?.contains(document.activeElement) === true;
  }

  /** The focus was on a row that the last change took away. */
  get lostFocus(): boolean {
    return this.#had && !this.hasFocus;
  }

  /** The person unfolds or folds something: the box may become higher or lower. */
  adapt(change: () => void): void {
    if (this.#box !== null) this.#box.style.height = '';
    change();
    requestAnimationFrame(() => this.#hold());
  }

  /** Gives the focus to a row. */
  focus(key: string): void {
    this.#find(key)?.focus();
  }

  readonly entered = (): void => {
    this.#pointed = true;
    this.#hold();
  };

  readonly pointed = (event: Event): void => {
    this.#under = keyAt(event.target);
  };

  readonly left = (): void => {
    this.#pointed = false;
    this.#hold();
  };

  readonly focusCame = (): void => {
    this.#focused = true;
    this.#hold();
  };

  readonly focusWent = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && this.#box?.contains(relatedTarget) === true) return;
    this.#focused = false;
    this.#hold();
  };

  /** Before the rows change. */
  before(): Held | undefined {
    this.#had = this.hasFocus;
    const focused = this.#focused ? keyAt(document.activeElement) : undefined;
    const key = this.#pointed ? this.#under : focused;
    const row = key === undefined ? undefined : this.#find(key);
    if (key === undefined || row === undefined) return undefined;
    return { key, top: row.getBoundingClientRect().top };
  }

  /** When they have changed. */
  after(held: Held): void {
    this.#keep(held);
    // A far element gets its real height only when it is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#keep(held)));
  }

  #keep({ key, top }: Held): void {
    const still = this.#pointed ? this.#under === key : this.#focused;
    const row = still ? this.#find(key) : undefined;
    if (row === undefined || this.#box === null) return;
    const moved = row.getBoundingClientRect().top - top;
    if (moved !== 0) this.#box.scrollTop += moved;
  }

  #hold(): void {
    if (this.#box === null) return;
    const { style, offsetHeight } = this.#box;
    if (!this.#pointed && !this.#focused) style.height = '';
    else if (style.height === '') style.height = `${offsetHeight}px`;
  }

  #find(key: string): HTMLElement | undefined {
    const rows = this.#box?.querySelectorAll<HTMLElement>('[data-row]') ?? [];
    return [...rows].find((row) => row.dataset['row'] === key);
  }
}

function keyAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

interface SteadyBoxProps {
  readonly children: ComponentChildren;
  readonly steady: Steady;
  /** So many rows that those out of sight are not laid out. */
  readonly long: boolean;
  readonly label: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The box that the rows scroll in. */
export class SteadyBox extends Component<SteadyBoxProps> {
  override getSnapshotBeforeUpdate(): Held | undefined {
    return this.props.steady.before();
  }

  override componentDidUpdate(_props: unknown, _state: unknown, held: Held | undefined): void {
    if (held !== undefined) this.props.steady.after(held);
  }

  override render(): ComponentChildren {
    const { children, label, long, onKeyDown, steady } = this.props;
    return (
      <div
        class={long ? 'review-rows is-long' : 'review-rows'}
        ref={steady.mount}
        role="tree"
        aria-label={label}
        onKeyDown={onKeyDown}
        onPointerEnter={steady.entered}
        onPointerOver={steady.pointed}
        onPointerLeave={steady.left}
        onFocusIn={steady.focusCame}
        onFocusOut={steady.focusWent}
      >
        {children}
      </div>
    );
  }
}
