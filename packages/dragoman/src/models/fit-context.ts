import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'

import { CUT_OFF_NOTICE, estimateTokens, isServerNote, serverNote } from '../events/index.ts'

type Options = LanguageModelV4CallOptions
type Message = LanguageModelV4Message
type Group = readonly Message[]

/** The approximate tokens of a file. */
const FILE_TOKENS = 1500

const LEFT_OUT = 'older parts of this conversation were left out, because it is too long for you.'
const NOTE = {
  role: 'user',
  content: [{ type: 'text', text: serverNote(LEFT_OUT) }],
} as const satisfies Message
const OUTCOME_LEFT_OUT = '[This outcome was left out, because the conversation is too long.]'
const OUTCOME_CUT = '\n[The rest of this outcome was left out, because the conversation is too long.]'

/** Tokens of a request, as they are estimated. */
export function tokensOf({ prompt, tools }: Pick<Options, 'prompt' | 'tools'>): number {
  return sumTokens(prompt) + (tools ? estimateTokens(JSON.stringify(tools)) : 0)
}

/**
 * Leaves out the oldest parts of a conversation until its request has at most `maxTokens` tokens, and tells the
 * model so. It first drops tool outcomes of older turns, then those turns, then outcomes and steps of the newest
 * turn. A call keeps its outcome. The system prompt, the newest user message and the newest step always stay, so
 * the request may still be too long. `tokens`: those that it has now.
 */
export function fitContext<R extends Pick<Options, 'prompt' | 'tools'>>(
  request: R,
  maxTokens: number,
): { readonly request: R; readonly tokens: number } {
  const tokens = tokensOf(request)
  if (tokens <= maxTokens) return { request, tokens }

  const { system, older, newest } = splitPrompt(request.prompt)
  const saving = createSaving(tokens + messageTokens(NOTE) - maxTokens)
  const turns = saving.drop(turnsOf(saving.each(older, withoutOutcomes)))
  const steps = stepsOf(newest)
  const last = steps.pop() ?? []
  const earlier = saving.drop(
    steps.map((step) => saving.each(step, withoutOutcomes)),
    isStep,
  )
  const messages = [...turns.flat(), ...earlier.flat(), ...saving.cut(last)]
  const fitted = { ...request, prompt: [...system, ...withNote(messages)] }
  // The note itself has tokens.
  const fittedTokens = tokensOf(fitted)
  return fittedTokens < tokens ? { request: fitted, tokens: fittedTokens } : { request, tokens }
}

/** Counts the tokens that must still be saved. */
function createSaving(tokens: number) {
  let excess = tokens
  const replace = <T extends readonly Message[]>(before: Group, after: T): T => {
    excess -= sumTokens(before) - sumTokens(after)
    return after
  }
  return {
    /** Changes messages, the oldest first, while there is something to save. */
    each: (messages: Group, change: (message: Message) => Message): Message[] =>
      messages.flatMap((message) => (excess > 0 ? replace([message], [change(message)]) : [message])),
    /** Drops groups, the oldest first, while there is something to save. */
    drop: (groups: readonly Group[], canDrop: (group: Group) => boolean = () => true): Group[] =>
      groups.filter((group) => {
        if (excess <= 0 || !canDrop(group)) return true
        replace(group, [])
        return false
      }),
    /** Shortens the outcomes of a step, each to the same size. */
    cut(step: Group): Group {
      if (excess <= 0) return step
      const outcomes = step.filter(({ role }) => role === 'tool')
      const count = outcomes.reduce((all, { content }) => all + content.length, 0)
      const bare = sumTokens(outcomes.map((message) => withOutcomes(message, () => '')))
      const share = Math.floor((sumTokens(outcomes) - bare - excess) / count)
      return replace(
        step,
        step.map((message) => withOutcomes(message, (text) => shorten(text, share))),
      )
    },
  }
}

function splitPrompt(prompt: Group) {
  const conversation = prompt.filter(({ role }) => role !== 'system')
  const from = Math.max(0, conversation.findLastIndex(isUserMessage))
  return {
    system: prompt.filter(({ role }) => role === 'system'),
    older: conversation.slice(0, from),
    newest: conversation.slice(from),
  }
}

/** The server's own notes in the user's role belong to the turn before. */
function isUserMessage({ role, content }: Message): boolean {
  if (role !== 'user') return false
  return !content.every(
    (part) => part.type === 'text' && (part.text === CUT_OFF_NOTICE || isServerNote(part.text)),
  )
}

function turnsOf(messages: Group): Message[][] {
  return groupMessages(messages, isUserMessage)
}

/** An answer of the model with the outcomes of its calls. */
function stepsOf(messages: Group): Message[][] {
  return groupMessages(messages, ({ role }) => role === 'assistant')
}

function isStep([first]: Group): boolean {
  return first?.role === 'assistant'
}

function groupMessages(messages: Group, startsGroup: (message: Message) => boolean): Message[][] {
  const groups: Message[][] = []
  for (const message of messages) {
    if (startsGroup(message) || groups.length === 0) groups.push([message])
    else groups.at(-1)?.push(message)
  }
  return groups
}

function withoutOutcomes(message: Message): Message {
  return withOutcomes(message, (text) => (text.length > OUTCOME_LEFT_OUT.length ? OUTCOME_LEFT_OUT : text))
}

function withOutcomes(message: Message, change: (text: string) => string): Message {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output } = part
    // The files of an outcome are left out first.
    if (output.type === 'content') {
      const texts = output.value.flatMap((each) => (each.type === 'text' ? [each.text] : []))
      return { ...part, output: { type: 'text' as const, value: change(texts.join('\n')) } }
    }
    const isText = output.type === 'text' || output.type === 'error-text'
    return isText ? { ...part, output: { ...output, value: change(output.value) } } : part
  })
  return { ...message, content }
}

function shorten(text: string, tokens: number): string {
  const all = estimateTokens(text)
  if (all <= tokens) return text
  const length = Math.floor((text.length * (tokens - estimateTokens(OUTCOME_CUT))) / all)
  return length > 0
    ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${OUTCOME_CUT}`
    : OUTCOME_LEFT_OUT
}

/** Every provider accepts a text before the user's own. */
function withNote(messages: readonly Message[]): Message[] {
  const [first, ...rest] = messages
  if (first?.role === 'user') return [{ ...first, content: [...NOTE.content, ...first.content] }, ...rest]
  return [NOTE, ...messages]
}

function sumTokens(messages: Group): number {
  return messages.reduce((tokens, message) => tokens + messageTokens(message), 0)
}

function messageTokens({ content }: Message): number {
  if (typeof content === 'string') return estimateTokens(content)
  return content.reduce((tokens, part) => tokens + partTokens(part), 0)
}

type Part = Exclude<Message['content'], string>[number]

function partTokens(part: Part): number {
  if (part.type === 'file') return FILE_TOKENS
  if (part.type !== 'tool-result' || part.output.type !== 'content')
    return estimateTokens(JSON.stringify(part))
  const texts = part.output.value.filter(({ type }) => type !== 'file')
  const files = part.output.value.length - texts.length
  return files * FILE_TOKENS + estimateTokens(JSON.stringify({ ...part, output: texts }))
}
