import type { Deed } from './deed.ts'
import { meant, pathIn, QUOTED } from './paths.ts'

const piece = `(?:${QUOTED.source.replaceAll(/\((?!\?)/g, '(?:')}|.{1,200}?)`

const replacing: readonly RegExp[] = [
  `^(?:replace|change|rename)\\s+(?<from>${piece})\\s+(?:with|to|by)\\s+(?<to>${piece})\\s+(?:in|inside|within)\\s+(?<path>${piece})[.!]?$`,
  `^in\\s+(?<path>${piece}),?\\s+(?:replace|change|rename)\\s+(?<from>${piece})\\s+(?:with|to|by)\\s+(?<to>${piece})$`,
  `^(?:把|将|在)\\s*(?<path>${piece})\\s*(?:文件)?(?:里面|里|中)的?\\s*(?:把|将)?\\s*(?<from>${piece})\\s*(?:都|全部)?(?:改成|改为|替换成|替换为|换成)\\s*(?<to>${piece})[。！]?$`,
].map((source) => new RegExp(source, 'i'))

const creating: readonly RegExp[] = [
  `^(?:create|make|write|add)\\s+(?:me\\s+)?(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?(?<path>${piece})\\s+(?:with\\s+(?:the\\s+)?(?:text|contents?)|containing|that\\s+says?|saying)(?:\\s+of)?:?\\s+(?<content>.+)$`,
  `^write\\s+(?<content>${QUOTED.source.replaceAll(/\((?!\?)/g, '(?:')})\\s+(?:in)?to\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?(?<path>${piece})[.!]?$`,
  `^(?:创建|新建|写)(?:一个)?(?:新)?(?:的)?(?:文件)?\\s*(?<path>${piece})\\s*[，,：:]?\\s*(?:内容(?:为|是)?|写入|写上)\\s*[：:]?\\s*(?<content>.+)$`,
  `^(?:把|将)\\s*(?<content>${piece})\\s*写(?:入|到|进)\\s*(?<path>${piece})[。！]?$`,
].map((source) => new RegExp(source, 'i'))

const creatingBelow =
  /^(?:create|write|make)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+)(?:\s+(?:with|containing|as|from)\b.*)?:$|^(?:创建|新建|写)(?:一个)?(?:新)?(?:文件)?\s*(?<zh>[^\s，,：:]+)\s*[，,]?(?:内容)?(?:如下|为)?[：:]$/i

/** “Replace A with B in FILE”, “把 FILE 里的 A 改成 B”. */
export function readReplacement(words: string): Deed | undefined {
  for (const pattern of replacing) {
    const { path = '', from = '', to = '' } = pattern.exec(words)?.groups ?? {}
    const file = pathIn(path)
    if (file !== undefined && isPlain(from) && isPlain(to))
      return { kind: 'replace', path: file, from: meant(from), to: meant(to) }
  }
  return undefined
}

/** What has no quotes is one word: “the colour” describes a text, it is none. */
function isPlain(words: string): boolean {
  return words !== '' && (meant(words) !== words.trim() || !/\s/.test(words.trim()))
}

/** “Create FILE with the text …”. `below` is what the user has written under the first line. */
export function readCreation(words: string, below: string | undefined): Deed | undefined {
  const named = creatingBelow.exec(words)?.groups
  const path = pathIn(named?.['path'] ?? named?.['zh'] ?? '')
  if (path !== undefined && below !== undefined) return { kind: 'create', path, content: below }
  for (const pattern of creating) {
    const groups = pattern.exec(words)?.groups ?? {}
    const file = pathIn(groups['path'] ?? '')
    if (file === undefined) continue
    return { kind: 'create', path: file, content: asWritten(groups['content'] ?? '') }
  }
  return undefined
}

/** A text keeps the sign that it ends with: it may be the text's. */
function asWritten(words: string): string {
  const trimmed = words.trim()
  const quoted = new RegExp(`^(?:${QUOTED.source})[.。]?$`).exec(trimmed)
  return quoted?.slice(1).find((part) => part !== undefined) ?? trimmed
}
