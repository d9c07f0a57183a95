import type { Deed, Lines } from './deed.ts'
import { folderIn, isHere, meant, pathIn } from './paths.ts'

const project =
  /^(?:what\s+(?:does|is)|explain|describe|summari[sz]e|tell me about)\s+(?:me\s+)?(?:this|the|my)\s+(?:project|repo(?:sitory)?|code(?:base)?)(?:\s+(?:do|about|for))?\W*$|^(?:这个?|本|该)?(?:项目|工程|仓库|代码库)(?:是)?(?:做|干|有)?什么(?:用)?的?\W*$|^(?:介绍|解释|说明|讲讲|看看)(?:一下)?(?:这个|本|该)?(?:项目|工程|仓库|代码库)\W*$/iu

/** “What does this project do?” */
export function readProject(words: string): Deed | undefined {
  return project.test(words) ? { kind: 'project' } : undefined
}

const explaining: readonly RegExp[] = [
  /^(?:explain|describe|summari[sz]e)\s+(?:to me\s+)?(?:what\s+)?(.+?)(?:\s+(?:does|is)(?:\s+(?:for|about))?)?[.?!]*$/i,
  /^what\s+(?:does|is|do)\s+(.+?)(?:\s+(?:do|for|about))?[?.!]*$/i,
  /^(?:解释|说明|讲讲|介绍|分析)(?:一下)?\s*(.+)$/,
  /^(.+?)\s*(?:是)?(?:做|干)什么(?:用)?的?[?？。]*$/,
]

/** “Explain src/a.ts”. */
export function readExplanation(words: string): Deed | undefined {
  const path = firstPath(words, explaining)
  return path === undefined ? undefined : { kind: 'explain', path }
}

const linesBefore = /\b(?:lines?)\s+(\d{1,7})(?:\s*(?:-|–|to|through|and)\s*(\d{1,7}))?\s+(?:of|from|in)\s+/i
const linesAfter =
  /[\s,，:]*(?:\blines?\s+|的?第?\s*)(\d{1,7})\s*(?:行?\s*(?:-|–|~|to|through|到|至)\s*第?\s*(\d{1,7}))?(?:\s*行|$)/i
const firstLines = /\b(?:the\s+)?first\s+(\d{1,7})\s+lines\s+(?:of|from|in)\s+/i
const chineseFirst = /的?前\s*(\d{1,7})\s*行/
const reading: readonly RegExp[] = [
  /^(?:read|open|cat|print|view|display|look\s+at|show(?:\s+me)?)\s+(?:the\s+contents?\s+of\s+)?(.+)$/i,
  /^what(?:'s|\s+is)\s+in\s+(.+)$/i,
  /^(?:读取|读|打开|查看|看看|看|显示)(?:一下)?\s*(.+)$/,
]

/** “Read src/a.ts”, “show me lines 10-20 of src/a.ts”. */
export function readReading(words: string): Deed | undefined {
  const { lines, rest } = linesIn(words)
  const path = firstPath(rest, reading)
  return path === undefined ? undefined : { kind: 'read', path, ...(lines && { lines }) }
}

function linesIn(words: string): { lines?: Lines; rest: string } {
  for (const pattern of [firstLines, chineseFirst]) {
    const found = pattern.exec(words)
    if (found) return { lines: { first: 1, last: Number(found[1]) }, rest: words.replace(pattern, ' ') }
  }
  for (const pattern of [linesBefore, linesAfter]) {
    const found = pattern.exec(words)
    if (!found) continue
    const [, from, to = from] = found
    const lines = { first: Math.max(1, Number(from)), last: Number(to) }
    return lines.last >= lines.first ? { lines, rest: words.replace(pattern, ' ') } : { rest: words }
  }
  return { rest: words }
}

const listing: readonly RegExp[] = [
  /^(?:list|show(?:\s+me)?)\s+(?:all\s+)?(?:the\s+)?(?:files|contents|folders?|directory)(?:\s+(?:in|of|under|inside)\s+(.+)|\s+here)?$/i,
  /^what(?:'s|\s+is|\s+are)?\s+(?:files\s+(?:are\s+)?)?(?:there\s+)?in\s+(.+)$/i,
  /^(?:which|what)\s+files\s+(?:are|do)\s+.*?(?:\bin\s+(.+)|here|have)$/i,
  /^ls(?:\s+([^-\s]\S*))?$/i,
  /^list\s+(.+)$/i,
  /^(?:列出|列一下|显示|看看|看一下|查看)\s*(.*?)\s*(?:目录|文件夹)?(?:里面|里|中|下面|下)?的?(?:所有|全部)?(?:文件|目录|内容)(?:列表)?$/,
  /^(.*?)\s*(?:目录|文件夹)?(?:里面|里|中|下面|下)?有(?:什么|哪些)(?:文件|东西|内容)?$/,
]

/** “What is in this folder?”, “list the files in src”. */
export function readListing(words: string): Deed | undefined {
  const plain = words.replace(/[?？。.!！]+$/u, '').trim()
  for (const pattern of listing) {
    const found = pattern.exec(plain)
    if (!found) continue
    const [, where = ''] = found
    if (isHere(where)) return { kind: 'list', path: '.' }
    const path = /\.\w+$/.test(meant(where)) ? undefined : folderIn(where)
    if (path !== undefined) return { kind: 'list', path }
  }
  return undefined
}

const comparing: readonly RegExp[] = [
  /^(?:show(?:\s+me)?\s+)?(?:the\s+)?(?:diff(?:erences?)?)\s+between\s+(.{1,300}?)\s+and\s+(.{1,300})$/i,
  /^(?:compare|diff)\s+(.{1,300}?)\s+(?:and|with|to|against)\s+(.{1,300})$/i,
  /^diff\s+(\S+)\s+(\S+)$/i,
  /^what(?:'s|\s+is)\s+the\s+difference\s+between\s+(.{1,300}?)\s+and\s+(.{1,300})$/i,
  /^how\s+(?:does|do)\s+(.{1,300}?)\s+(?:differ\s+from|and)\s+(.{1,300}?)(?:\s+differ)?[?]*$/i,
  /^(?:比较|对比)(?:一下)?\s*(.{1,300}?)\s*(?:和|与|跟)\s*(.{1,300}?)(?:的(?:区别|差异|不同))?$/,
  /^(.{1,300}?)\s*(?:和|与|跟)\s*(.{1,300}?)\s*(?:有什么|的)(?:区别|差异|不同).*$/,
]

/** “Compare a.txt and b.txt”. */
export function readComparison(words: string): Deed | undefined {
  for (const pattern of comparing) {
    const found = pattern.exec(words)
    const a = pathIn(found?.[1] ?? '')
    const b = pathIn(found?.[2] ?? '')
    if (a !== undefined && b !== undefined) return { kind: 'compare', a, b }
  }
  return undefined
}

function firstPath(words: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const path = pathIn(pattern.exec(words.trim())?.[1] ?? '')
    if (path !== undefined) return path
  }
  return undefined
}
