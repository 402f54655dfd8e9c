/** Loads a value when it is first asked for, once; after a failure whoever asks next tries again. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return async () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** A service of which every member is a method that answers later. */
type Asynchronous<Service> = {
  readonly [Name in keyof Service]: (...given: never[]) => Promise<unknown>;
};

/** Stands in for a service of async methods that is loaded at the first call. */
export function lazyMethods<Service extends Asynchronous<Service>>(
  load: () => Promise<Service>,
): Pick<Service, keyof Service> {
  const loaded = lazy(load);
  const methods = new Map<PropertyKey, unknown>();
  const method =
    (name: keyof Service): unknown =>
    async (...given: never[]) => {
      const service = await loaded();
      return service[name](...given);
    };
  return new Proxy({} as Pick<Service, keyof Service>, {
    get: (_, name) => {
      // Whoever awaits the stand-in itself is no caller.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      const known = methods.get(name) ?? method(name as keyof Service);
      methods.set(name, known);
      return known;
    },
  });
}
