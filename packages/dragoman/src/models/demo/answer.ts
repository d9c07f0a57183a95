import type { Json } from '../../events/index.ts'
import { readConversation, type Conversation, type Result } from './conversation.ts'
import { introduction, isAboutKeys, keySteps, unknownRequest } from './built-in-answers.ts'
import { remainingAnswer } from './remaining-answer.ts'
import type { DemoExchange, DemoLanguage, DemoRequest, DemoScript, DemoStep, DemoText } from './script.ts'

/** What the model says in one step: a tool call, or the rest of the answer. */
export type Answer = { readonly reasoning: string; readonly text: string; readonly call?: DemoCall }

export type DemoCall = { readonly id: string; readonly tool: string; readonly input: string }

type Played = { readonly text: string; readonly call?: { readonly tool: string; readonly input: Json } }

/** Long enough for any request. A script's pattern may be slow. */
const MAX_MESSAGE_LENGTH = 2000
/** A tool may return a whole file; an answer quotes only its beginning. */
const MAX_QUOTE_LENGTH = 8000

/** Decides on a call or on words. The same prompt, tools and script give the same answer. */
export function answerTo(
  prompt: Parameters<typeof readConversation>[0],
  tools: DemoRequest['tools'],
  script: DemoScript,
): Answer {
  const conversation = readConversation(prompt)
  const { language, isFirst, textSoFar, callCount } = conversation
  const message = conversation.message.slice(0, MAX_MESSAGE_LENGTH)
  const request = { message, language, tools }
  const { text, call } = playScript(script, request, conversation) ?? { text: '' }
  if (call) {
    const reasoning = { en: `I will call ${call.tool}.`, zh: `我来调用 ${call.tool}。` }[language]
    const made = { id: `demo_call_${callCount + 1}`, tool: call.tool, input: JSON.stringify(call.input) }
    return { reasoning, text: remainingAnswer(text, textSoFar), call: made }
  }
  if (text === '') return { reasoning: '', text: remainingAnswer(ownWords(script, request), textSoFar) }
  // The text can be the answer of another agent's demo model.
  const isIntroduced = !isFirst || text.includes(introduction[language])
  return {
    reasoning: '',
    text: remainingAnswer(isIntroduced ? text : `${text}\n\n${introduction[language]}`, textSoFar),
  }
}

/** The next step of the first exchange that fits, or else what the tools have returned. */
function playScript(
  script: DemoScript,
  request: DemoRequest,
  conversation: Conversation,
): Played | undefined {
  for (const exchange of script) {
    if (exchange.call !== undefined && toolOf(exchange, request) === undefined) continue
    const match = matchOf(exchange.when, request.message)
    if (match) return playExchange(exchange, match, request, conversation)
  }
  const texts = conversation.results.map((result) => resultText(result, request.language))
  return texts.length > 0 ? { text: texts.join('\n\n') } : undefined
}

function matchOf(when: DemoExchange['when'], message: string): RegExpExecArray | undefined {
  for (const pattern of when instanceof RegExp ? [when] : [when.en, when.zh]) {
    // With the flags g or y a pattern remembers where it last matched.
    pattern.lastIndex = 0
    const match = pattern.exec(message)
    if (match) return match
  }
  return undefined
}

function playExchange(
  exchange: DemoExchange,
  match: RegExpExecArray,
  request: DemoRequest,
  { results }: Conversation,
): Played {
  const texts: string[] = []
  let last = ''
  let calls = 0
  for (const step of [exchange, ...(exchange.next ?? [])]) {
    if ('after' in step && !step.after?.test(last)) continue
    if (step.call === undefined) {
      texts.push(stepText(step, last, request.language))
      continue
    }
    const tool = toolOf(step, request)
    if (tool === undefined) continue
    const result = results[calls++]
    if (!result) return { text: joinTexts(texts), call: { tool, input: step.input?.(match, request) ?? {} } }
    if (!result.ok || result.text === '') texts.push(resultText(result, request.language))
    else texts.push(stepText(step, quote(result.text), request.language))
    if (!result.ok) break
    last = result.text
  }
  return { text: joinTexts(texts) }
}

/** A step may say nothing. */
function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** The name of the step's tool, if the run has it. */
function toolOf({ call }: DemoStep, request: DemoRequest): string | undefined {
  const toolName = typeof call === 'function' ? call(request) : call
  return request.tools.some(({ name }) => name === toolName) ? toolName : undefined
}

function stepText({ say = '{text}' }: DemoStep, text: string, language: DemoLanguage): string {
  if (typeof say === 'function') return say(text)
  return inLanguage(say, language).replaceAll('{text}', () => text)
}

function resultText({ tool, ok, text }: Result, language: DemoLanguage): string {
  if (ok && text !== '') return quote(text)
  if (ok) return { en: `${tool} returned nothing.`, zh: `${tool} 没有返回内容。` }[language]
  return { en: `${tool} failed: ${quote(text)}`, zh: `${tool} 执行失败：${quote(text)}` }[language]
}

function quote(text: string): string {
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()} …` : text
}

function ownWords(script: DemoScript, request: DemoRequest): string {
  const { message, language } = request
  if (isAboutKeys(message)) return keySteps[language]
  const examples = script.flatMap((exchange) => {
    const example = exchange.example === undefined ? '' : inLanguage(exchange.example, language)
    const isUsable = exchange.call === undefined || toolOf(exchange, { ...request, message: example })
    return example !== '' && isUsable ? [example] : []
  })
  return unknownRequest(examples, language)
}

function inLanguage(text: DemoText, language: DemoLanguage): string {
  return typeof text === 'string' ? text : text[language]
}
