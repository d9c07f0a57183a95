import type { Json } from 'dragoman/events'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import { readContext } from '../context.ts'
import { languageIn, type Language, type Phrase } from '../language.ts'
import type { Memory, MemoryType } from './memory.ts'
import type { SecretKind } from './find-secret.ts'

/** What is said of memories, to their users and to the model. */

export const typeNames: Readonly<Record<MemoryType, Phrase>> = {
  fact: { en: 'fact', zh: '事实' },
  preference: { en: 'preference', zh: '喜好' },
  goal: { en: 'goal', zh: '目标' },
  event: { en: 'event', zh: '经历' },
  insight: { en: 'insight', zh: '感悟' },
}

export const refusals: Readonly<Record<SecretKind, Phrase>> = {
  password: {
    en: 'Passwords are never kept as memories. Please keep it in a password manager.',
    zh: '密码不会被记下来。请把它放在密码管理器里。',
  },
  key: {
    en: 'Keys and tokens are never kept as memories.',
    zh: '密钥和令牌不会被记下来。',
  },
  card: {
    en: 'Numbers of bank cards are never kept as memories.',
    zh: '银行卡号不会被记下来。',
  },
  identity: {
    en: 'Numbers of identity documents are never kept as memories.',
    zh: '身份证件号码不会被记下来。',
  },
}

export const memoryOff: Phrase = {
  en: 'Memory is switched off: nothing was kept. It can be switched on in the profile.',
  zh: '记忆功能已关闭，什么都没有记下。可以在个人资料里重新打开。',
}

/** A memory in quotes: what a person wrote is told as theirs. */
export function quoteMemory({ content }: Pick<Memory, 'content'>): string {
  return `“${quoteUntrustedLine(content, 500).replaceAll(/[“”]/g, '"')}”`
}

/** One line of a list: the words, their kind and day, and the id by which it is forgotten. */
export function memoryLine(memory: Memory, language: Language): string {
  const day = memory.createdAt.slice(0, 10)
  const kind = typeNames[memory.type][language]
  const quote = quoteMemory(memory)
  return language === 'zh'
    ? `- ${quote}（${kind}，${day}，${memory.id}）`
    : `- ${quote} (${kind}, ${day}, ${memory.id})`
}

/** A memory as cards have it. */
export function memoryCard({ from, ...memory }: Memory): Json {
  return { ...memory, ...(from && { from: { ...from } }) }
}

/** The conversation's language, else that of the words; Chinese where there are none. */
export function languageFor(context: Json, words: string): Language {
  return readContext(context).language ?? languageIn(words) ?? 'zh'
}
