export type { AnswerRequest, ChatRequest, SentAnswer, ThreadPolicy } from './chat-request.ts'
export { CORRECTION, CUT_OFF, isServerNote, serverNote } from './cut-off.ts'
export { emptyMessage, fold } from './fold.ts'
export { GUEST, isGuest } from './guest.ts'
export { jsonMistake } from './json-place.ts'
export { canonicalJson, isJsonObject, parseJson, type Json } from './json.ts'
export {
  reasoningOf,
  textOf,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type SentTurn,
  type ToolPart,
  type UserMessage,
} from './message.ts'
export {
  isStructure,
  isTerminal,
  WAITING_FOR_MODEL,
  type Answer,
  type DataEvent,
  type Failure,
  type FinishReason,
  type LogEntry,
  type PartEvent,
  type Question,
  type RunEvent,
  type StepEvent,
  type TerminalEvent,
  type ToolEvent,
  type Usage,
} from './run-event.ts'
export { ALONE, isAlone, isLive, type ClientTool, type NewRun, type Run } from './run.ts'
export { patched, patchedIfFit, type PatchOperation } from './state.ts'
export { toolInvocations } from './tool-invocation.ts'
export { addUsage, estimateTokens, noUsage, readTokens, readUsage } from './usage.ts'
export type { UserPart } from './user-part.ts'
export { pausesAfter, waitingCalls } from './waiting.ts'
