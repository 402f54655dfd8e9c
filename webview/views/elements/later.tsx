import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

/** A component whose code is loaded when it is first shown; until then nothing is. */
export function later<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined);
  let loading: Promise<void> | undefined;
  return (props) => {
    useEffect(() => {
      loading ??= load().then((component) => {
        loaded.value = component;
      });
    }, []);
    const Loaded = loaded.value;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
