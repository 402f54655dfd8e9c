import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const second = signal(0);
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Renders the component once a second while `active`; for times that run. Nobody active: no timer. */
export function useSeconds(active: boolean): void {
  if (active) void second.value;
  useEffect(() => {
    if (!active) return undefined;
    users += 1;
    timer ??= setInterval(() => {
      second.value += 1;
    }, 1000);
    return () => {
      users -= 1;
      if (users > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [active]);
}
