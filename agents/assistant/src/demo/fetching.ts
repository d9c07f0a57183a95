import type { ToolRule } from './tool-rule.ts'

const address = /https?:\/\/[^\s<>"'“”「」（）()，。；！]+/i
const MOST_QUOTED = 1500

/** Reads the page whose address the user names. */
export const fetching: ToolRule = {
  call: 'fetch_page',
  readOnly: true,
  example: {
    en: 'Read a public page: “what does https://example.com say?”',
    zh: '读取网页：“https://example.com 写了什么？”',
  },
  read({ words, language }) {
    const url = address.exec(words)?.[0].replace(/[.,;:!?]+$/, '')
    if (url === undefined) return undefined
    return {
      input: { url },
      thought: { en: 'There is an address; I will read the page.', zh: '这里有一个网址，我来读取页面。' }[
        language
      ],
    }
  },
  tell({ text }, language) {
    const [, at = ''] = /^Address: (.*)$/m.exec(text) ?? []
    const [, page = text] = /<page>\n([^]*)\n?<\/page>/.exec(text) ?? []
    const isLong = page.length > MOST_QUOTED
    const quote = `${page.slice(0, MOST_QUOTED).toWellFormed().trim()}${isLong ? ' …' : ''}`
    const lead = { en: `This stands at ${at}:`, zh: `${at} 的内容：` }[language]
    return `${lead}\n\n${quote.replaceAll(/^/gm, '> ')}`
  },
}
