/**
 * What the core needs from the outside. At most eight methods a port; hosts and the store
 * implement them, tests use real implementations that pass the same contract suites.
 */

export interface Disposable {
  dispose(): void;
}
