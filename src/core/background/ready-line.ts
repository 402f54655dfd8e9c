/** Lines that servers and watchers print when they are up. */
const READY =
  /\b(?:listening|ready|running|serving|started|available)\b.{0,40}\b(?:on|at|in|port|https?:)|\b(?:compiled|built|build finished|watching for (?:file )?changes|server started|ready in)\b|https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?/iu;

/** True when an output says that the program is up and does its work. */
export function saysReady(output: string): boolean {
  return READY.test(output);
}

/** The longest last line that is looked at as a question. */
const LONGEST_PROMPT = 200;

/** Ends of lines behind which a program waits for an answer. */
const PROMPT =
  /(?:[?:>]|\[[yn](?:\/[yn])+\]|\((?:y(?:es)?\/n(?:o)?|yes\/no(?:\/[^)]{1,40})?)\)|password.{0,60}:|press (?:any key|enter|return).{0,40}|\[sudo\].{0,60}:|[$#%»❯])\s*$/iu;

/** The last line of an output, when it is unfinished and looks like a question; else `undefined`. */
export function promptIn(output: string): string | undefined {
  const line = output.slice(output.lastIndexOf('\n') + 1).slice(-LONGEST_PROMPT);
  const shown = line.slice(line.lastIndexOf('\r') + 1).trim();
  return shown !== '' && PROMPT.test(shown) ? shown : undefined;
}
