import type {
  DemoConversation,
  DemoExample,
  DemoExchange,
  DemoLanguage,
  DemoReply,
  DemoScript,
  DemoTool,
} from './script.ts'

/** Nobody writes a request in so many characters, and a script's pattern may be slow. */
const MAX_REQUEST_LENGTH = 2000

/** The reply of the first exchange or rule that fits. */
export function scriptedReply(script: DemoScript, conversation: DemoConversation): DemoReply | undefined {
  for (const entry of script) {
    const reply = 'reply' in entry ? entry.reply(conversation) : replyOf(entry, conversation)
    if (reply && (reply.text || (reply.calls ?? []).length > 0)) return reply
  }
  return undefined
}

/** All examples of a script, including those whose tool the run does not have. */
export function examplesOf(script: DemoScript, tools: readonly DemoTool[]): DemoExample[] {
  return script.flatMap((entry) => {
    if (!('reply' in entry)) return [entry]
    return typeof entry.examples === 'function' ? entry.examples(tools) : entry.examples
  })
}

function replyOf(exchange: DemoExchange, conversation: DemoConversation): DemoReply | undefined {
  const { call, input, when } = exchange
  const { request, language, tools, outcomes, answered } = conversation
  // With the flags g or y a pattern would remember where it last matched.
  const pattern = new RegExp(when, when.flags.replaceAll(/[gy]/g, ''))
  const match = pattern.exec(request.slice(0, MAX_REQUEST_LENGTH))
  if (!match) return undefined
  if (call === undefined) return { text: sayIn(exchange, '', conversation) }
  if (outcomes.length > 0) {
    const results = outcomes.map(({ tool, ok, quote, summary }) =>
      tool === call && ok && exchange.say !== undefined ? sayIn(exchange, quote, conversation) : summary,
    )
    return { text: results.join('\n\n') }
  }
  if (answered !== '' || !tools.some(({ name }) => name === call)) return undefined
  return {
    calls: [{ tool: call, input: input?.(match, conversation) ?? {} }],
    thought: { en: `${call} is for that; I will call it.`, zh: `这件事可以用 ${call} 来做，我来调用它。` }[
      language
    ],
  }
}

function sayIn({ say = '' }: DemoExchange, text: string, conversation: DemoConversation): string {
  if (typeof say === 'function') return say(text, conversation)
  return inLanguage(say, conversation.language).replaceAll('{text}', () => text)
}

/** The words of a language. */
export function inLanguage(text: DemoExample['example'], language: DemoLanguage): string {
  return typeof text === 'object' ? text[language] : (text ?? '')
}
