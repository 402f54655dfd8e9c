/** The core's ports: at most eight methods each; implementations pass the same contract suites. */

export interface Disposable {
  dispose(): void;
}
