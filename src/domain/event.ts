import type { Failure, Reason, Words } from './failure.ts';
import type { FollowUp } from './session/followup.ts';
import type { JournalChange } from './session/journal.ts';
import type { JsonObject } from './data/json.ts';
import type { Message, Part, ToolResultPart, Usage } from './message.ts';
import type { RunEnd, RunEndReason } from './run.ts';
import type { PermissionRule } from './permissions/permission-rule.ts';
import type { QueuedMessage } from './session/session.ts';
import type { TodoItem } from './session/todo.ts';

/** A run event with its envelope (D9). `seq` counts within the process, without gaps. */
export type RunEvent = RunEventBody & {
  readonly seq: number;
  readonly sessionId: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly category: EventCategory;
};

/** Everything a run tells the world (C11). Names with `agent` are the documents' own. */
export type RunEventBody =
  // transcript
  | { readonly type: 'message.added'; readonly message: Message }
  | {
      readonly type: 'message.started';
      readonly messageId: string;
      readonly messageSeq: number;
      readonly model: string;
    }
  | {
      readonly type: 'message.delta';
      readonly messageId: string;
      /** Index of the part within the message being streamed. */
      readonly index: number;
      readonly kind: 'text' | 'reasoning' | 'tool_input';
      readonly text: string;
    }
  | {
      readonly type: 'message.tool_call_started';
      readonly messageId: string;
      readonly index: number;
      readonly callId: string;
      readonly name: string;
    }
  | {
      readonly type: 'message.part';
      readonly messageId: string;
      readonly index: number;
      readonly part: Part;
    }
  | { readonly type: 'message.completed'; readonly message: Message }
  | ({ readonly type: 'message.discarded'; readonly messageId: string } & Reason)
  // the model
  | {
      readonly type: 'model.request';
      readonly iteration: number;
      readonly model: string;
      readonly estimatedTokens: number;
      readonly contextLimit: number;
    }
  | ({
      readonly type: 'model.waiting';
      readonly attempt: number;
      readonly attempts: number;
      readonly until: number;
    } & Reason)
  | {
      readonly type: 'model.fallback';
      readonly from: string;
      readonly to: string;
      readonly failure: Failure;
    }
  | {
      readonly type: 'model.usage';
      readonly model: string;
      readonly usage: Usage;
      readonly cost?: number;
      readonly purpose: ModelPurpose;
    }
  | {
      readonly type: 'model.prefix';
      readonly iteration: number;
      readonly cacheReadTokens: number;
      readonly totalInputTokens: number;
      readonly divergence?: string;
    }
  // tools
  | {
      readonly type: 'tool.pending';
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  | {
      readonly type: 'tool.approval';
      readonly callId: string;
      readonly name: string;
      readonly questionId: string;
    }
  /** A question was closed without an answer: the mode or a rule decided meanwhile. */
  | ({
      readonly type: 'tool.overtaken';
      readonly callId: string;
      readonly name: string;
      readonly questionId: string;
      readonly verdict: 'allow' | 'refuse';
    } & Reason)
  | {
      readonly type: 'permission.kept';
      readonly rules: readonly PermissionRule[];
      readonly where: 'session' | 'project';
    }
  | {
      readonly type: 'tool.started';
      readonly callId: string;
      readonly name: string;
      /** The call may execute programs, as commands and tools of MCP servers and other extensions do. */
      readonly executes?: true;
    }
  | { readonly type: 'tool.output'; readonly callId: string; readonly text: string }
  | ({
      readonly type: 'tool.progress';
      readonly callId: string;
      readonly fraction?: number;
    } & Words)
  | {
      readonly type: 'tool.finished';
      readonly callId: string;
      readonly name: string;
      readonly result: ToolResultPart;
      readonly replayed: boolean;
    }
  | {
      readonly type: 'agent.tool.retry';
      readonly callId: string;
      readonly name: string;
      readonly attempt: number;
      readonly waitMs: number;
      readonly failure: Failure;
    }
  // sub-agents (B13)
  | {
      readonly type: 'agent.child.started';
      readonly callId: string;
      readonly childId: string;
      readonly title: string;
    }
  | {
      readonly type: 'agent.child.ended';
      readonly callId: string;
      readonly childId: string;
      readonly reason: RunEndReason;
    }
  // policies
  | {
      readonly type: 'agent.loop.detected';
      readonly tier: 'identical' | 'pattern';
      readonly tool: string;
      readonly level: number;
    }
  | {
      readonly type: 'agent.guardrail.escalated';
      readonly guardrail: string;
      readonly level: number;
    }
  | {
      readonly type: 'agent.compaction.run';
      readonly compactionId: string;
      readonly reason: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly messagesBefore: number;
      readonly messagesAfter: number;
      readonly strategy: string;
    }
  | {
      readonly type: 'agent.recovery.fired';
      readonly stage: 'R2' | 'R3';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly messages: number;
    }
  | {
      readonly type: 'agent.exhaustion.celery_soft';
      readonly activeMs: number;
      readonly limitMs: number;
    }
  | {
      readonly type: 'context.warning';
      readonly estimatedTokens: number;
      readonly contextLimit: number;
    }
  // the run
  | { readonly type: 'agent_run.started'; readonly model: string; readonly resumed: boolean }
  | { readonly type: 'agent_run.iteration'; readonly iteration: number; readonly activeMs: number }
  | { readonly type: 'agent_run.stopping' }
  | {
      readonly type: 'agent_run.waiting';
      readonly for: 'approval' | 'question' | 'resume';
      readonly questionId: string;
    }
  | { readonly type: 'agent_run.answered'; readonly questionId: string }
  | { readonly type: 'agent_run.completed'; readonly end: RunEnd }
  | { readonly type: 'agent_run.cancelled'; readonly end: RunEnd }
  | { readonly type: 'agent_run.failed'; readonly end: RunEnd }
  | { readonly type: 'agent_run.handed_over' }
  | ({
      readonly type: 'agent_run.resume_unsafe';
      readonly callIds: readonly string[];
    } & Reason)
  | {
      readonly type: 'agent_run.reconcile';
      readonly timedOut: number;
      readonly failed: number;
      readonly cancelled: number;
    }
  | { readonly type: 'agent_run.dispatch_next_failed'; readonly failure: Failure }
  // the session
  | { readonly type: 'session.titled'; readonly title: string }
  | { readonly type: 'session.queue'; readonly queued: readonly QueuedMessage[] }
  | { readonly type: 'session.todo'; readonly items: readonly TodoItem[] }
  | { readonly type: 'session.followups'; readonly followUps: readonly FollowUp[] }
  | { readonly type: 'journal_update'; readonly sections: JournalChange }
  | {
      readonly type: 'summarize.progress';
      readonly progress: string;
      readonly done: boolean;
      readonly failure?: Failure;
    }
  | ({ readonly type: 'warning' } & Words);

export type RunEventType = RunEventBody['type'];

/** The kind of a model call, by which usage is kept apart. */
export type ModelPurpose = 'turn' | 'title' | 'summary' | 'task';

/** The five categories of the runtime event envelope (D9). */
export type EventCategory = 'Task' | 'Model' | 'Tool' | 'Metrics' | 'Warning';
