/** A step of what the agent is at, as the person sees and edits it. */
export type TodoItem = {
  readonly text: string;
  readonly status: TodoStatus;
};

export type TodoStatus = (typeof TODO_STATUSES)[number];

export const TODO_STATUSES = ['open', 'active', 'done'] as const;

/** Steps of a list; more are no plan. */
export const MOST_TODOS = 50;

/** Characters of a step. */
export const TODO_LENGTH = 500;
