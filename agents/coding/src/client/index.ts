export type {
  AssistantMessage,
  AssistantPart,
  Json,
  LogEntry,
  RunEvent,
  TerminalEvent,
} from '../events/index.ts'
export type { AgentEvent, AgentHistoryMessage } from '../protocols/agent-events/wire.ts'
export type { Envelope, StreamMessage } from '../protocols/envelope/wire.ts'
export { agentAnswers, type AgentAnswer, type AgentTool } from './agent-answers.ts'
export { agentEvents } from './agent-events.ts'
export { envelopeAnswers, type EnvelopeAnswer, type ShownMessage } from './envelope-answers.ts'
export { envelopes, type EnvelopeOptions } from './envelopes.ts'
export { followRun, type FollowOptions } from './follow-run.ts'
export { messages } from './messages.ts'
export { resumableFetch, type ResumableOptions } from './resumable-fetch.ts'
