import type { EventCategory, RunEventType } from './event.ts';

interface CatalogEntry {
  readonly category: EventCategory;
  /** Absent: kept in the database. `false`: too frequent; its content is kept in a message or a result. */
  readonly kept?: false;
}

/** Every event (C11), in the order of `docs/events.md`, which says what each means. */
export const EVENTS: Readonly<Record<RunEventType, CatalogEntry>> = {
  'message.added': { category: 'Model' },
  'message.started': { category: 'Model' },
  'message.delta': { category: 'Model', kept: false },
  'message.tool_call_started': { category: 'Model' },
  'message.part': { category: 'Model', kept: false },
  'message.completed': { category: 'Model' },
  'message.discarded': { category: 'Model' },
  'model.request': { category: 'Model' },
  'model.waiting': { category: 'Model' },
  'model.fallback': { category: 'Model' },
  'model.usage': { category: 'Metrics' },
  'model.prefix': { category: 'Metrics' },
  'tool.pending': { category: 'Tool' },
  'tool.approval': { category: 'Tool' },
  'tool.overtaken': { category: 'Tool' },
  'permission.kept': { category: 'Task' },
  'tool.started': { category: 'Tool' },
  'tool.output': { category: 'Tool', kept: false },
  'tool.progress': { category: 'Tool', kept: false },
  'tool.finished': { category: 'Tool' },
  'agent.tool.retry': { category: 'Tool' },
  'agent.loop.detected': { category: 'Task' },
  'agent.guardrail.escalated': { category: 'Task' },
  'agent.child.started': { category: 'Task' },
  'agent.child.ended': { category: 'Task' },
  'agent.compaction.run': { category: 'Task' },
  'agent.recovery.fired': { category: 'Task' },
  'agent.exhaustion.celery_soft': { category: 'Task' },
  'context.warning': { category: 'Warning' },
  'agent_run.started': { category: 'Task' },
  'agent_run.iteration': { category: 'Task' },
  'agent_run.stopping': { category: 'Task' },
  'agent_run.waiting': { category: 'Task' },
  'agent_run.answered': { category: 'Task' },
  'agent_run.completed': { category: 'Task' },
  'agent_run.cancelled': { category: 'Task' },
  'agent_run.failed': { category: 'Task' },
  'agent_run.handed_over': { category: 'Task' },
  'agent_run.resume_unsafe': { category: 'Task' },
  'agent_run.reconcile': { category: 'Task' },
  'agent_run.dispatch_next_failed': { category: 'Task' },
  'session.titled': { category: 'Task' },
  'session.queue': { category: 'Task', kept: false },
  'session.todo': { category: 'Task' },
  'session.followups': { category: 'Task', kept: false },
  journal_update: { category: 'Task' },
  'summarize.progress': { category: 'Task' },
  warning: { category: 'Warning' },
};

/** The category of an event (D9). */
export const categoryOf = (type: RunEventType): EventCategory => EVENTS[type].category;

/** True for events that are not kept in the database. */
export const isTransient = (type: RunEventType): boolean => EVENTS[type].kept === false;
