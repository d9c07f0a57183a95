/** Words in quotes of any kind, as they are meant: without the quotes. */
export const QUOTED = /`([^`]+)`|"([^"]+)"|“([^”]+)”|「([^」]+)」|'([^']+)'/

/** Files that are known by their name alone. */
const KNOWN =
  /^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG|AGENTS|Procfile|Gemfile|Rakefile|\.\w[\w.-]*)$/i

/** Quotes around nothing. */
const EMPTY = /^(?:``|""|“”|「」|'')$/

/** What is in quotes, without them; else all of it, without what only ends a sentence. */
export function meant(words: string): string {
  const trimmed = words.trim().replace(/(?<=\S)(?:[?!。？！]|\.(?!\w|\/|$)|\.(?=$)(?<!\.\.))+$/u, '')
  if (EMPTY.test(trimmed)) return ''
  const quoted = new RegExp(`^(?:${QUOTED.source})$`).exec(trimmed)
  return quoted?.slice(1).find((part) => part !== undefined) ?? trimmed
}

const english =
  /^(?:the\s+|this\s+|my\s+)?(?:(?:file|folder|directory)\s+)?|\s+(?:file|folder|directory|please)$/gi
const chinese =
  /^(?:一下|这个|文件夹|文件|目录)+\s*|\s*(?:这个|文件夹|文件|目录|里有什么|里面|里|中|的内容|内容)+$/g

/** A path, if that is what the words name: quoted, with a `/` or an ending, or a file that is known by its name. */
export function pathIn(said: string): string | undefined {
  const words = said.trim().replace(/^@/, '')
  const bare = meant(meant(words).replaceAll(english, '').replaceAll(chinese, ''))
  if (bare === '' || bare.includes('\n')) return undefined
  if (QUOTED.test(words)) return bare
  if (/\s/.test(bare) || /[*?，、；]/.test(bare)) return undefined
  return /[/\\]|\.[\p{L}\d]{1,12}$|^\.{1,2}$/u.test(bare) || KNOWN.test(bare) ? bare : undefined
}

/** A folder may be called by its bare name: “src”. */
export function folderIn(words: string): string | undefined {
  const path = pathIn(words)
  if (path !== undefined) return path
  const bare = meant(words).replaceAll(english, '').replaceAll(chinese, '')
  return /^[\w@.-]+$/.test(bare) && !/^(?:it|this|here|that|there|all|code|project|repo)$/i.test(bare)
    ? bare
    : undefined
}

/** Words that mean the whole of what is worked in. */
export function isHere(words: string): boolean {
  const here =
    /^(?:(?:this|the|my|current|whole|working|all|here|of|in|entire)\s*)*(?:here|everything|folder|directory|project|repo(?:sitory)?|code(?:base)?|workspace|files)?$|^(?:这个|当前|整个|本|这里|此|我的|全部|所有)*(?:文件夹|目录|项目|仓库|代码|工程|文件|里|中|下)*$/i
  return here.test(words.trim())
}
