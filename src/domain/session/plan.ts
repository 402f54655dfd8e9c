/** The first line of a message that is a plan: the model is told so, the panel looks for it. */
export const PLAN_HEADING = '# Plan';

/** The plan that a text ends with; `undefined` when there is none. */
export function planIn(text: string): string | undefined {
  const heading = /^#{1,3} plan\b[^\n]*$/imu.exec(text);
  if (heading === null) return undefined;
  const plan = text.slice(heading.index).trim();
  // A heading alone is no plan.
  return plan.includes('\n') ? plan : undefined;
}

export function planMessage(plan: string): string {
  return `Carry out this plan, step by step. Say so when a step turns out to be wrong, before you go another way.\n\n${plan}`;
}
