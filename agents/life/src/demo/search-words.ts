import type { Deed } from './deed.ts'

const asking: readonly RegExp[] = [
  /\bwhat (?:did|have) (?:i|we|you) (?:say|said|tell you|talk(?:ed)?|write|written|ask(?:ed)?)(?:\s+\w+)?\s+(?:about|of|on)\s+(?<what>.+)$/i,
  /\b(?:did|have) (?:i|we) (?:ever )?(?:say|said|mention(?:ed)?|talk(?:ed)? about|ask(?:ed)? about)\s+(?:anything about\s+)?(?<what>.+)$/i,
  /\b(?:search|look through|look in|find in)\s+(?:my|our|the)\s+(?:(?:old|earlier|past)\s+)?(?:conversations?|chats?|history|messages)\s+(?:for|about)\s+(?<what>.+)$/i,
  /(?:我|我们|咱们)(?:之前|以前|上次|曾经)?(?:说过?|提过|提到过?|聊过?|谈过?|问过?)(?:的)?(?:关于|有关)?\s*(?<what>.+?)\s*(?:的)?(?:什么|哪些|吗|呢|内容|事)+$/,
  /关于\s*(?<what>.+?)\s*[，,]?\s*(?:我|我们)(?:之前|以前|上次|曾经)?(?:说|提|聊|谈|问).*$/,
  /(?:搜索|查找|搜一下|找一下|搜|找|查)(?:一下)?(?:我的|以前的|之前的|历史)*(?:对话|聊天记录|会话|聊天|消息)(?:记录|历史)?(?:里|中)?(?:面)?(?:的|关于|有关|提到)*\s*(?<what>.+?)$/,
]

/** A question about what was said before. */
export function searchDeed(words: string): Deed | undefined {
  const plain = words.trim().replace(/[?？。.!！\s]+$/u, '')
  for (const form of asking) {
    const query = form
      .exec(plain)
      ?.groups?.['what']?.replace(/^(?:the|my|a|an)\s+/i, '')
      .replaceAll(/["“”「」]|的$/g, '')
      .trim()
    if (!query) continue
    const thought = { en: 'I will look through what was said before.', zh: '我来查找以前说过的话。' }
    return { tool: 'search_db', input: { query }, thought }
  }
  return undefined
}
