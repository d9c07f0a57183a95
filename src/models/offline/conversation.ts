import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

import { isServerNote, type Json } from '../../events/index.ts'
import { introducesItself } from './introduction.ts'
import { languageOf, type Language } from './language.ts'
import { outcomeText } from './outcome-text.ts'
import type { Day } from './plans/life/deed.ts'
import { splitContext } from './surroundings.ts'

/** What came of one call of a tool. */
export type Outcome = {
  readonly tool: string
  readonly input: unknown
  readonly ok: boolean
  readonly text: string
}

/** All that the offline model takes from a prompt. */
export type Conversation = {
  readonly language: Language
  /** The user's last request, without what the client said of its surroundings. */
  readonly request: string
  /** The one before it. */
  readonly before?: string
  /** The lines that the client put before it. */
  readonly context: readonly string[]
  /** What the tools called for this request have returned. */
  readonly outcomes: readonly Outcome[]
  /** What has been said in answer to it already: more than nothing only after a crash. */
  readonly said: string
  /** Whether an earlier answer has told who is speaking. */
  readonly introduced: boolean
  /** What agent and client share, where they do. */
  readonly state?: Json
  /** The day that the system's words name as the user's. */
  readonly today?: Day
  /** The system's words say that no birth data is saved. */
  readonly lacksBirth?: true
  /** Calls made in the whole thread, so that the next one's id is new. */
  readonly calls: number
}

type Reading = { -readonly [K in keyof Conversation]: Conversation[K] } & {
  readonly made: Map<string, { tool: string; input: unknown }>
  /** Whether a request has been read already. */
  asked: boolean
  /** Whether a request's answer does not stand in the prompt. */
  cut: boolean
  /** The language that the system's words name as the user's. */
  told?: Language
}

/** Reads a prompt from the beginning: each request of the user's begins anew, a note that the answer was cut off does not. */
export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const reading: Reading = {
    language: 'en',
    request: '',
    context: [],
    outcomes: [],
    said: '',
    introduced: false,
    calls: 0,
    made: new Map(),
    asked: false,
    cut: false,
  }
  for (const message of prompt) readMessage(reading, message)
  const { made: _made, asked: _asked, cut: _cut, told: _told, ...conversation } = reading
  return conversation
}

/** These only read. What any other has begun may have been done. */
const READING =
  /^(?:jobs_\w+|resume_\w+|read_file|list_directory|search_files|glob_files|diff|current_time|calculate|fetch_page|search_conversations|show_\w+|find_days|request_info|list_memories)$/

function readMessage(reading: Reading, message: LanguageModelV4Message): void {
  switch (message.role) {
    case 'system': {
      const [, told] = /<shared-state>\n(.*)\n<\/shared-state>/.exec(message.content) ?? []
      if (told !== undefined) reading.state = JSON.parse(told) as Json
      const today = dayIn(message.content)
      if (today) reading.today = today
      const [, named] = /^# Language\nAnswer in (Chinese|English)\b/m.exec(message.content) ?? []
      if (named !== undefined) reading.told = named === 'Chinese' ? 'zh' : 'en'
      if (/^# Birth data\nNone is saved\b/m.test(message.content)) reading.lacksBirth = true
      return
    }
    case 'user':
      return readUser(reading, textOf(message.content))
    case 'assistant':
      for (const part of message.content) {
        if (part.type === 'text') reading.said += part.text
        if (part.type === 'tool-result') readResult(reading, part)
        if (part.type !== 'tool-call') continue
        reading.calls += 1
        reading.made.set(part.toolCallId, { tool: part.toolName, input: part.input })
      }
      return
    case 'tool':
      for (const part of message.content) if (part.type === 'tool-result') readResult(reading, part)
  }
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** “# Today”, and below it “Sunday, 22 November 2026, in Asia/Shanghai.” */
function dayIn(words: string): Day | undefined {
  const [, day, name = '', year] = /^# Today\n\w+, (\d{1,2}) (\w+) (\d{4})\b/m.exec(words) ?? []
  const month = MONTHS.indexOf(name) + 1
  return month === 0 ? undefined : { year: Number(year), month, day: Number(day) }
}

function readUser(reading: Reading, text: string): void {
  if (isServerNote(text)) return
  if (asksToGoOn(text)) {
    // Nothing but failures: the crash has most likely cut the calls themselves. Those that only read are made again.
    if (!reading.outcomes.some(({ ok, tool }) => ok || !READING.test(tool))) reading.outcomes = []
    return
  }
  const { context, request } = splitContext(text)
  const silent = reading.said === '' && reading.outcomes.length === 0
  // An agent with a short memory is told its first message and the newest: who speaks was said in between.
  reading.introduced ||= introducesItself(reading.said) || (reading.cut && !silent)
  reading.cut ||= reading.asked && silent
  if (reading.asked) reading.before = reading.request
  reading.asked = true
  reading.language = reading.told ?? languageOf(request) ?? reading.language
  reading.context = context
  reading.request = request
  reading.outcomes = []
  reading.said = ''
}

function readResult(reading: Reading, part: LanguageModelV4ToolResultPart): void {
  const { ok, text } = outcomeText(part.output)
  const input = reading.made.get(part.toolCallId)?.input
  reading.outcomes = [...reading.outcomes, { tool: part.toolName, input, ok, text }]
}

/** The server's own note after a crash stands in the user's role. */
function asksToGoOn(text: string): boolean {
  return (
    text.startsWith('[Continue') ||
    (/\bcut off\b/i.test(text) && /\blast word\b|\bgo on\b|\bcontinue\b/i.test(text))
  )
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content
    .filter((part): part is { type: 'text'; text: string } => part.type === 'text')
    .map((part) => part.text)
    .join('\n')
}
