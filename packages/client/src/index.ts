export type {
  AssistantMessage,
  AssistantPart,
  Json,
  LogEntry,
  RunEvent,
  TerminalEvent,
} from 'dragoman/events'
export { emptyMessage, fold } from 'dragoman/events'
export { followRun, type FollowOptions } from './follow-run.ts'
export { messages } from './messages.ts'
export { resumableFetch, type ResumableOptions } from './resumable-fetch.ts'
export { completeTexts, type Body } from './complete-texts.ts'
export { dataLines } from './data-lines.ts'
export { follow, type ConnectionOptions } from './follow.ts'
export { isLogReplaced, readError, type AnswerFormat, type StreamReader } from './resume-stream.ts'
