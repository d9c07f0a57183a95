import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

import { isServerNote, type Json } from '../../events/index.ts'
import { introducesItself } from './introduction.ts'
import { languageOf } from './language.ts'
import { outcomeText, quoted } from './outcome-text.ts'
import type { DemoConversation, DemoLanguage, DemoOutcome, DemoTool } from './script.ts'
import { splitContext } from './split-context.ts'

/** A prompt as the demo model has read it. */
export type Reading = {
  readonly conversation: DemoConversation
  /** Whether an earlier answer has introduced the model. */
  readonly introduced: boolean
  /** Calls made in the whole thread, so that the next one's id is new. */
  readonly calls: number
}

type Outcome = Pick<DemoOutcome, 'tool' | 'input' | 'ok' | 'text'>

type Draft = {
  system: string
  language: DemoLanguage
  context: readonly string[]
  /** Undefined until a user's message has been read. */
  request: string | undefined
  previousRequest: string | undefined
  outcomes: Outcome[]
  answered: string
  introduced: boolean
  /** Whether the prompt lacks the answer to a request. */
  isCut: boolean
  readonly calls: Map<string, Json>
  callCount: number
  readonly isReadOnly: (tool: string) => boolean
}

/** Reads a prompt from the beginning. Each request starts a new answer; a note that the answer was cut off does not. */
export function readConversation(
  prompt: LanguageModelV4Prompt,
  tools: readonly DemoTool[],
  isReadOnly: (tool: string) => boolean,
): Reading {
  const draft: Draft = {
    system: '',
    language: 'en',
    context: [],
    request: undefined,
    previousRequest: undefined,
    outcomes: [],
    answered: '',
    introduced: false,
    isCut: false,
    calls: new Map(),
    callCount: 0,
    isReadOnly,
  }
  for (const message of prompt) readMessage(draft, message)
  const { system, language, context, request = '', previousRequest, outcomes, answered } = draft
  return {
    conversation: {
      language,
      system,
      request,
      ...(previousRequest !== undefined && { previousRequest }),
      context,
      tools,
      outcomes: outcomes.map((outcome) => quoted(outcome, language)),
      answered,
    },
    introduced: draft.introduced,
    calls: draft.callCount,
  }
}

function readMessage(draft: Draft, message: LanguageModelV4Message): void {
  switch (message.role) {
    case 'system':
      draft.system = draft.system === '' ? message.content : `${draft.system}\n\n${message.content}`
      return
    case 'user':
      return readUser(draft, textsOf(message.content))
    case 'assistant':
      for (const part of message.content) {
        if (part.type === 'text') draft.answered += part.text
        if (part.type === 'tool-result') readResult(draft, part)
        if (part.type !== 'tool-call') continue
        draft.callCount += 1
        draft.calls.set(part.toolCallId, part.input as Json)
      }
      return
    case 'tool':
      for (const part of message.content) if (part.type === 'tool-result') readResult(draft, part)
  }
}

function readUser(draft: Draft, texts: readonly string[]): void {
  const text = texts.join('\n')
  if (isServerNote(text)) return
  if (asksToContinue(text)) {
    // If all calls failed, the crash has most likely cut them off. Those that only read are made again.
    const isLost = draft.outcomes.every(({ ok, tool }) => !ok && draft.isReadOnly(tool))
    if (isLost) draft.outcomes = []
    return
  }
  const { context, request } = splitContext(texts)
  const isSilent = draft.answered === '' && draft.outcomes.length === 0
  const isFirst = draft.request === undefined
  // A prompt cut to its window has its first message and the newest. The model introduced itself in between.
  draft.introduced ||= introducesItself(draft.answered) || (draft.isCut && !isSilent)
  draft.isCut ||= !isFirst && isSilent
  draft.previousRequest = draft.request
  draft.language = namedLanguage(draft.system) ?? languageOf(request) ?? draft.language
  draft.context = context
  draft.request = request
  draft.outcomes = []
  draft.answered = ''
}

/** The language that a line of the system prompt asks for. */
function namedLanguage(system: string): DemoLanguage | undefined {
  const [, name] = /^Answer in (Chinese|English)\b/m.exec(system) ?? []
  return name === undefined ? undefined : name === 'Chinese' ? 'zh' : 'en'
}

function readResult(draft: Draft, part: LanguageModelV4ToolResultPart): void {
  const input = draft.calls.get(part.toolCallId) ?? null
  draft.outcomes.push({ tool: part.toolName, input, ...outcomeText(part.output) })
}

/** The server writes its note after a crash in the user's role. */
function asksToContinue(text: string): boolean {
  return (
    text.startsWith('[Continue') ||
    (/\bcut off\b/i.test(text) && /\blast word\b|\bgo on\b|\bcontinue\b/i.test(text))
  )
}

function textsOf(content: readonly { readonly type: string }[]): string[] {
  return content
    .filter((part): part is { type: 'text'; text: string } => part.type === 'text')
    .map((part) => part.text)
}
