/** The first line of a message that is a plan: the model is told so, the panel looks for it. */
export const PLAN_HEADING = '# Plan';

/** The plan that a text is; `undefined` when it is something else. */
export function planIn(text: string): string | undefined {
  const heading = /^#{1,3} plan\b.*$/imu.exec(text);
  if (heading === null) return undefined;
  const plan = text.slice(heading.index).trim();
  // A heading alone is no plan.
  return plan.includes('\n') ? plan : undefined;
}
