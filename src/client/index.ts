export type {
  AssistantMessage,
  AssistantPart,
  Json,
  LogEntry,
  RunEvent,
  TerminalEvent,
} from '../events/index.ts'
export { followRun, type FollowOptions } from './follow-run.ts'
export { messages } from './messages.ts'
export { resumableFetch, type ResumableOptions } from './resumable-fetch.ts'
