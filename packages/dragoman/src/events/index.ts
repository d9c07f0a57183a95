export type { AnswerRequest, ChatRequest, ClientAnswer, ThreadPolicy } from './chat-request.ts'
export { createCallTally, type CallMeter, type CallStart, type CallTally } from './call-meter.ts'
export { CORRECTION, CUT_OFF_NOTICE, isServerNote, serverNote } from './server-note.ts'
export { entryMark } from './entry-mark.ts'
export { emptyMessage, fold } from './fold.ts'
export { GUEST_PREFIX, isGuest } from './is-guest.ts'
export { LOCAL_USER } from './local-user.ts'
export { describeJsonError } from './json-error.ts'
export {
  createJsonCounter,
  describeJsonExcess,
  encodeInPieces,
  findJsonExcess,
  MAX_JSON_KEYS,
  MAX_JSON_VALUES,
  type JsonCounter,
  type JsonExcess,
} from './json-counter.ts'
export { canonicalJson, isJsonObject, parseJson, type Json } from './json.ts'
export { toJson } from './to-json.ts'
export {
  reasoningOf,
  textOf,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ClientTurn,
  type ToolPart,
  type UserMessage,
} from './message.ts'
export {
  isStructural,
  isTerminal,
  WAITING_FOR_MODEL,
  type DataEvent,
  type Failure,
  type FinishReason,
  type LogEntry,
  type PartEvent,
  type RunEvent,
  type StepEvent,
  type TerminalEvent,
  type ToolEvent,
  type Usage,
} from './run-event.ts'
export {
  editedInput,
  fitsQuestion,
  isForPerson,
  type Answer,
  type Preview,
  type Question,
} from './question.ts'
export {
  DETACHED_PREFIX,
  isDetached,
  isLive,
  type ClientTool,
  type NewRun,
  type Run,
  type RunStatus,
  type RunSummary,
} from './run.ts'
export { normalForm } from './normal-form.ts'
export { applyJsonPatch, applyJsonPatchIfValid, type PatchOperation } from './json-patch.ts'
export { toToolInvocations } from './tool-invocation.ts'
export { addUsage, estimateTokens, noUsage, readTokens, readUsage } from './usage.ts'
export type { CustomEvent, FileEvent, SourceEvent } from './provider-event.ts'
export { isDataUrl, readDataUrl, readDataUrlInSteps, type DataUrl } from './data-url.ts'
export { fileIdOf, fileUrl, namedFileId } from './file-url.ts'
export { mapPromptFiles, nameFile, REPEATED_FILE, type PromptFile } from './map-prompt-files.ts'
export { estimateWords, MAX_FILE_WORDS, wordFormatOf } from './file-words.ts'
export { mediaTypeOf } from './media-type.ts'
export type { StopReason } from './stop-reason.ts'
export type { UserPart } from './user-part.ts'
export { visibleJson, visibleText } from './visible-text.ts'
export { pausesAfter, waitingCalls } from './waiting-calls.ts'
