import type { Deed } from './deed.ts'
import { folderIn, isHere, meant, QUOTED } from './paths.ts'

/** What a kind of file is called, and how its names end. */
const kinds: readonly { readonly names: RegExp; readonly ending: string }[] = [
  { names: /^typescript$/i, ending: '{ts,tsx}' },
  { names: /^javascript$/i, ending: '{js,jsx,mjs,cjs}' },
  { names: /^python$/i, ending: 'py' },
  { names: /^markdown$/i, ending: 'md' },
  { names: /^ya?ml$/i, ending: '{yml,yaml}' },
  { names: /^(?:json|html|css|go|java|rust|sql|toml|text|txt)$/i, ending: '' },
]

const globbing: readonly RegExp[] = [
  /^(?:find|list|show(?:\s+me)?|search\s+for)\s+(?:all\s+)?(?:the\s+)?(?<what>\S+?)\s+files?(?:\s+(?:in|under|inside)\s+(?<where>.+))?$/i,
  /^(?:find|where\s+is|locate)\s+(?:the\s+)?(?:files?\s+)?(?:called\s+|named\s+|matching\s+)?(?<name>\S*[.*]\S*)(?:\s+(?:in|under|inside)\s+(?<where>.+))?$/i,
  /^(?:在\s*(?<where>\S+?)\s*(?:目录|文件夹)?(?:里|中|下)?\s*)?(?:找出|找到|列出|查找|搜索|找一下|找)\s*(?:所有|全部)?的?\s*(?<what>\S+?)\s*(?:类型)?的?文件$/,
  /^(?:找出|找到|查找|找一下|找|定位)\s*(?:所有|全部)?的?\s*(?:文件)?\s*(?<name>[^\s`"“「]*[.*][\w*{},.-]+)$/,
]

/** “Find all test files”, “找出所有 .md 文件”. */
export function readGlob(words: string): Deed | undefined {
  const plain = words.replace(/[?？。!！]+$/u, '').trim()
  for (const regex of globbing) {
    const { what, name, where } = regex.exec(plain)?.groups ?? {}
    const pattern = name === undefined ? patternOf(what ?? '') : named(meant(name))
    if (pattern === undefined) continue
    const path = where === undefined || isHere(where) ? undefined : folderIn(where)
    return { kind: 'glob', pattern, ...(path !== undefined && { path }) }
  }
  return undefined
}

function patternOf(what: string): string | undefined {
  const word = meant(what)
  if (/^(?:tests?|spec|测试)$/i.test(word)) return '**/*{test,spec}*'
  if (/^\.\w+$/.test(word)) return `**/*${word}`
  if (/^[\w./-]*\*[\w.*/{},-]*$/.test(word)) return named(word)
  const kind = kinds.find(({ names }) => names.test(word))
  if (!kind) return undefined
  return `**/*.${kind.ending || word.toLowerCase().replace('text', 'txt').replace('rust', 'rs')}`
}

function named(name: string): string {
  return name.includes('/') ? name : `**/${name}`
}

const searching: readonly RegExp[] = [
  /^(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s+(?<what>.+?)(?:\s+(?:in|inside|under|within)\s+(?<where>\S+|(?:the|this|my)\s+\S+))?$/i,
  /^search\s+(?<where>\S+)\s+for\s+(?<what>.+)$/i,
  /^(?:find|where\s+is)\s+(?<what>.+?)(?:\s+(?:used|defined|called|mentioned))(?:\s+in\s+(?<where>\S+))?$/i,
  /^find\s+(?:all\s+)?(?:the\s+)?(?<what>.+?)(?:\s+(?:in|inside|under)\s+(?<where>\S+|(?:the|this|my)\s+\S+))?$/i,
  /^(?:在\s*(?<where>\S+?)\s*(?:目录|文件夹)?(?:里面|里|中|下)?\s*)?(?:找出|找到|列出|查找|搜索|找一下|找)\s*(?:所有|全部)?(?:包含|含有|提到|用到)了?\s*(?<what>.+?)\s*的(?:所有)?(?:文件|代码|地方|行)$/,
  /^(?:在\s*(?<where>\S+?)\s*(?:目录|文件夹|文件)?(?:里面|里|中|下)?\s*)?(?:搜索|搜一下|搜(?!索)|查找|查一下|找一下|找出|找)\s*(?<what>[^里中]+?)$/,
  /^(?:搜索|搜一下|搜(?!索)|查找|找一下|找)\s*(?<where>\S+?)\s*(?:里面|里|中|下)的?\s*(?<what>.+?)$/,
  /^(?:哪里|哪些地方|哪些文件|什么地方|谁)(?:用到|用|出现|提到|调用|包含|定义)了?\s*(?<what>.+?)$/,
]

/** “Search for login in *.ts”, “搜索 登录”. What is looked for are the words themselves, no pattern. */
export function readSearch(words: string): Deed | undefined {
  const plain = words.replace(/[?？。!！]+$/u, '').trim()
  for (const regex of searching) {
    const { what = '', where } = regex.exec(plain)?.groups ?? {}
    const sought = meant(
      what.replace(
        /^(?:the\s+)?(?:word|text|string|usages?\s+of|uses\s+of|files?\s+(?:containing|with))\s+/i,
        '',
      ),
    )
    if (sought === '' || (sought.length > 80 && !QUOTED.test(what))) continue
    return { kind: 'search', words: sought, ...placed(where) }
  }
  return undefined
}

function placed(where: string | undefined): { path?: string; include?: string } {
  if (where === undefined || isHere(where)) return {}
  const plain = meant(where)
  if (plain.includes('*')) return { include: plain }
  const path = folderIn(plain)
  return path === undefined ? {} : { path }
}
