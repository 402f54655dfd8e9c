import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

/** A component whose code is loaded when it is first shown; until then another is shown, or nothing. */
export function later<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Fallback: FunctionComponent<Props> = () => null,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    loaded.value = await load();
  };
  return (props) => {
    useEffect(() => {
      loading ??= start();
    }, []);
    const Loaded = loaded.value;
    return Loaded === undefined ? <Fallback {...props} /> : <Loaded {...props} />;
  };
}
