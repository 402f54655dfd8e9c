/** The first line of a message that is a plan: the model is told so, the panel looks for it. */
export const PLAN_HEADING = '# Plan';
