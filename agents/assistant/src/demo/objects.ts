import type { DemoLanguage } from 'dragoman/agents'
import { chineseDeed, chineseFor, deedOf, wordsOfName } from './page-words.ts'

const QUOTED = /`([^`]+)`|"([^"]+)"|“([^”]+)”|「([^」]+)」|《([^》]+)》|(?<!\w)'([^']+)'(?!\w)/g

/** All that stands in quotes, without them. */
export function quotesIn(words: string): string[] {
  return [...words.matchAll(QUOTED)].flatMap(([, ...found]) => found.find((each) => each !== undefined) ?? [])
}

export function quotesOut(words: string): string {
  return words.replaceAll(QUOTED, ' ')
}

/** What a deed is done to, or with: “milk” of “add milk to my list”, “dark” of “set the theme to dark”. */
export function objectOf(words: string, tool: string, language: DemoLanguage): string {
  const things = wordsOfName(tool).filter((word) => deedOf(word) === undefined)
  return language === 'zh' || chineseDeed(words) ? chineseObject(words, things) : englishObject(words, things)
}

/** A place in a page where things are kept. */
const PLACE = 'list|lists|page|cart|basket|board|table|calendar|inbox|queue|backlog|app|screen'

function englishObject(words: string, things: readonly string[]): string {
  const thing = things.map((each) => `${each}s?`).join('|') || PLACE
  const verb = words.match(/^\W*([a-z]+)\b/i)?.[1]?.toLowerCase() ?? ''
  const rest = deedOf(verb) === undefined ? words : words.replace(/^\W*[a-z]+\s*/i, '')
  if (deedOf(verb) === 'set') {
    const value = /\s(?:to|as|=|into)\s+(.+)$/i.exec(rest)?.[1]
    if (value !== undefined) return tidy(value)
  }
  const bare = rest
    .replace(
      new RegExp(
        `\\s+(?:to|from|in|into|on|onto|off|at)\\s+(?:(?:my|the|our|this|that|your)\\s+)?(?:[\\w-]+\\s+){0,2}?(?:to-?dos?|${thing}|${PLACE})\\b.*$`,
        'i',
      ),
      '',
    )
    .replace(/^(?:(?:a|an|the|my|another|new|some|me|all)\s+)+/i, '')
  const named = new RegExp(
    `^(?:(?:to-?do|${thing})\\s*)+(?:item\\s*)?(?:number\\s+|no\\.?\\s*|#\\s*)?(?:(?:called|named|titled|saying|about|for|to|with)\\b|[:：-])?\\s*`,
    'i',
  )
  return tidy(bare.replace(named, '').replace(/^(?:to)\s+/i, ''))
}

function chineseObject(words: string, things: readonly string[]): string {
  const names = [...things.flatMap(chineseFor), '待办事项', '待办', '清单', '列表', '购物车', '事项', '页面']
  const thing = names.toSorted((a, b) => b.length - a.length).join('|')
  const deed = chineseDeed(words)
  const before = deed ? words.slice(0, deed.at) : ''
  const after = deed ? words.slice(deed.end) : words
  if (deed?.deed === 'set') {
    const value = /(?:设为|设成|改成|改为|换成|调成|调到|变成|切换到|设置为|设置成|[为成到])\s*(.+)$/u.exec(
      words,
    )?.[1]
    if (value !== undefined) return tidyChinese(value)
  }
  const taken = /[把将]\s*(.+)$/u.exec(before)?.[1]
  const place = new RegExp(`^.*?(?:从|在|往|向)?(?:我的)?(?:${thing})+(?:里面|里|中|上)?`, 'u')
  if (taken !== undefined) return tidyChinese(taken.replace(/^.*?(?:里面|里|中)的/u, ''))
  const plain = after
    .replace(/^(?:到|进|入|去|掉|上|一下)*\s*/u, '')
    .replace(
      new RegExp(`\\s*(?:到|进|入|至|在)\\s*(?:我的|这个)?(?:${thing})+(?:里面|里|中|上|内)?.*$`, 'u'),
      '',
    )
    .replace(/^(?:一个|一条|一项|一件|一份|新的|个|条|项)+\s*/u, '')
    .replace(new RegExp(`^(?:我的)?(?:${thing})+(?:里面|里|中)?(?:的)?\\s*[：:,，]?\\s*`, 'u'), '')
  return tidyChinese(plain === '' && before !== '' ? before.replace(place, '') : plain)
}

function tidy(words: string): string {
  return words
    .trim()
    .replace(/^["'“「`]|["'”」`]$/g, '')
    .replace(/\s+(?:please|for me)$/i, '')
    .trim()
}

function tidyChinese(words: string): string {
  return tidy(words.replace(/^[：:]\s*/, '').replace(/(?:吧|吗|了|谢谢|一下)+$/u, ''))
}
