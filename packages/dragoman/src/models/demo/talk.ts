import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { Conversation } from './conversation.ts'
import type { Language, Phrase } from './language.ts'
import { isOfOthers, type Offer } from './plans/index.ts'

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>

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

/** What is said where no tool is to be called: a short opening, and what can be asked of this agent here. */
export function talk(
  { request, language }: Conversation,
  known: readonly Offer[],
  offered: Tools,
): { thought: string; words: string } {
  const { thought, opening, offers } = talks.find(({ pattern }) => pattern.test(request)) ?? anythingElse
  const paragraphs = offers ? [opening[language], ...offer(known, offered, language)] : [opening[language]]
  return { thought: thought[language], words: paragraphs.join('\n\n') }
}

function offer(known: readonly Offer[], offered: Tools, language: Language): string[] {
  const strange = offered.map(({ name }) => name).filter((name) => !known.some(({ tool }) => tool === name))
  const named = strange.filter(isOfOthers)
  const others = strange.filter((name) => !isOfOthers(name))
  const paragraphs: string[] = []
  if (known.length > 0) {
    const lead = { en: 'Here is what I can do for you:', zh: '我在这里可以为你：' }[language]
    // Tools that serve one wish share one line.
    const lines = new Set(known.map((skill) => `- ${skill.offer[language]}`))
    paragraphs.push([lead, ...lines].join('\n'))
  }
  if (named.length > 0) {
    const names = named.join(', ')
    paragraphs.push(
      {
        en: `I also call these tools, where your words are those of their names: ${names}.`,
        zh: `你的话与工具的名称或说明相符时，我还会调用：${names}。`,
      }[language],
    )
  }
  if (others.length > 0) {
    const names = others.join(', ')
    paragraphs.push(
      {
        en: `This agent also has tools that my rules do not use, and a real model would: ${names}.`,
        zh: `这个智能体还有我的规则用不到、真正的模型会使用的工具：${names}。`,
      }[language],
    )
  }
  if (paragraphs.length > 0) return paragraphs
  return [{ en: 'There is no tool here that I could use.', zh: '这里没有我能使用的工具。' }[language]]
}
