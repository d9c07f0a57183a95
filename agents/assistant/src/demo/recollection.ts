import type { ToolRule } from './tool-rule.ts'

const asking: readonly RegExp[] = [
  /\bwhat (?:did|have) (?:i|we|you) (?:say|said|tell you|talk(?:ed)?|write|written|ask(?:ed)?)(?:\s+\w+)?\s+(?:about|of|on)\s+(?<what>.+)$/i,
  /\b(?:did|have) (?:i|we) (?:ever )?(?:say|said|mention(?:ed)?|talk(?:ed)? about|ask(?:ed)? about)\s+(?:anything about\s+)?(?<what>.+)$/i,
  /\b(?:search|look through|look in|find in)\s+(?:my|our|the)\s+(?:(?:old|earlier|past)\s+)?(?:conversations?|chats?|history|messages)\s+(?:for|about)\s+(?<what>.+)$/i,
  /(?:我|我们|咱们)(?:之前|以前|上次|曾经)?(?:说过?|提过|提到过?|聊过?|谈过?|问过?)(?:的)?(?:关于|有关)?\s*(?<what>.+?)\s*(?:的)?(?:什么|哪些|吗|呢|内容|事)+$/,
  /关于\s*(?<what>.+?)\s*[，,]?\s*(?:我|我们)(?:之前|以前|上次|曾经)?(?:说|提|聊|谈|问).*$/,
  /(?:搜索|查找|搜一下|找一下|搜|找|查)(?:一下)?(?:我的|以前的|之前的|历史)*(?:对话|聊天记录|会话|聊天|消息)(?:记录|历史)?(?:里|中)?(?:面)?(?:的|关于|有关|提到)*\s*(?<what>.+?)$/,
]

/** Looks for what was said before. */
export const recollection: ToolRule = {
  call: 'search_conversations',
  readOnly: true,
  example: {
    en: 'Look through your conversations: “what did I say about llamas?”',
    zh: '查找以前的对话：“我之前说过关于羊驼的什么？”',
  },
  read({ words, language }) {
    const plain = words.trim().replace(/[?？。.!！\s]+$/u, '')
    for (const regex of asking) {
      const what = regex.exec(plain)?.groups?.['what']
      const sought = what
        ?.replace(/^(?:the|my|a|an)\s+/i, '')
        .replaceAll(/["“”「」]|的$/g, '')
        .trim()
      if (!sought) continue
      const thought = { en: 'I will look through the earlier conversations.', zh: '我来查找以前的对话。' }[
        language
      ]
      return { input: { words: sought }, thought }
    }
    return undefined
  },
  tell({ text }, language) {
    const [, lines] = /<earlier-conversations>\n([^]*)\n<\/earlier-conversations>/.exec(text) ?? []
    if (lines === undefined) return { en: text, zh: '以前的对话里没有找到。' }[language]
    return `${{ en: 'This was said before:', zh: '以前的对话里有：' }[language]}\n\n${lines}`
  },
}
