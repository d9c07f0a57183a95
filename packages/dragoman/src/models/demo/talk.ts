import { inLanguage } from './exchanges.ts'
import type { Phrase } from './language.ts'
import type { DemoConversation, DemoExample } from './script.ts'

/** Kinds of talk that need no tool; the first whose pattern fits is taken. */
const talks: readonly { pattern: RegExp; thought: Phrase; opening: Phrase; offers: boolean }[] = [
  {
    pattern: /^\s*(?:thanks?\b|thank you|thx\b|谢谢|多谢|感谢)/i,
    thought: { en: 'The user says thanks; no tool is needed.', zh: '用户在道谢，不需要工具。' },
    opening: { en: 'You are welcome.', zh: '不客气。' },
    offers: false,
  },
  {
    pattern:
      /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|哈喽|早上好|下午好|晚上好)(?![a-z])/i,
    thought: {
      en: 'The user greets; I will say what I can do here.',
      zh: '用户在打招呼，我来介绍能做的事。',
    },
    opening: { en: 'Hello!', zh: '你好！' },
    offers: true,
  },
  {
    pattern:
      /\bhelp\b|\b(?:who|what) are you\b|what can (?:you|i)|\bcapabilities\b|帮助|你是谁|你能(?:做|干|帮)|可以做什么|会什么|功能/i,
    thought: { en: 'The user asks what I can do here.', zh: '用户想知道我能做什么。' },
    opening: { en: 'Gladly.', zh: '好的。' },
    offers: true,
  },
  {
    pattern: /^\s*$/,
    thought: { en: 'The message has no words.', zh: '消息里没有文字。' },
    opening: { en: 'Your message has no words that I could read.', zh: '你的消息里没有我能读的文字。' },
    offers: true,
  },
]

const anythingElse = {
  thought: { en: 'None of my rules fits this request.', zh: '这个请求不符合我的任何规则。' },
  opening: {
    en: 'That is beyond my fixed rules, and I will not guess an answer.',
    zh: '这超出了我的固定规则，我不会猜测答案。',
  },
  offers: true,
}

/** What is said where the script has no answer: a short opening, and what can be tried. */
export function talk(
  conversation: DemoConversation,
  examples: readonly DemoExample[],
): { readonly thought: string; readonly text: string } {
  const { request, language } = conversation
  const { thought, opening, offers } = talks.find(({ pattern }) => pattern.test(request)) ?? anythingElse
  const paragraphs = [opening[language], ...(offers ? offer(conversation, examples) : [])]
  return { thought: thought[language], text: paragraphs.join('\n\n') }
}

function offer({ tools, language }: DemoConversation, examples: readonly DemoExample[]): string[] {
  const names = tools.map(({ name }) => name)
  const usable = examples.filter(({ call }) => call === undefined || names.includes(call))
  // Tools that serve one wish share one line.
  const lines = new Set(usable.map(({ example }) => inLanguage(example, language)).filter(Boolean))
  const others = names.filter((name) => !examples.some(({ call }) => call === name)).join(', ')
  const lead = { en: 'Here is what I can do for you:', zh: '我在这里可以为你：' }[language]
  const further = {
    en: `This agent also has tools that my rules do not use, and a real model would: ${others}.`,
    zh: `这个智能体还有我的规则用不到、真正的模型会使用的工具：${others}。`,
  }[language]
  const paragraphs = [
    ...(lines.size > 0 ? [[lead, ...Array.from(lines, (line) => `- ${line}`)].join('\n')] : []),
    ...(others === '' ? [] : [further]),
  ]
  if (paragraphs.length > 0) return paragraphs
  return [{ en: 'There is no tool here that I could use.', zh: '这里没有我能使用的工具。' }[language]]
}
