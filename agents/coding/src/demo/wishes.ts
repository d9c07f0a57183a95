/** Verbs with which a further wish begins. */
const english =
  '(?:please\\s+)?(?:read|open|show|list|search|find|grep|replace|change|create|write|run|execute|compare|diff|explain|describe)\\b'
const chinese =
  '(?:请|帮我)?(?:读|打开|看|显示|列出|搜|查找|找|把|将|创建|新建|写|运行|执行|跑一下|比较|对比|解释|说明)'

const next = new RegExp(
  `\\s*[,;]?\\s+(?:(?:and|then|also)\\s+)+(?=${english})|\\s*[，,；;。]?\\s*(?:然后|接着|再|并且|并|同时|最后)\\s*(?=${chinese})`,
  'giu',
)
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」|(?<!\w)'[^']*'(?!\w)/g

/** What comes behind it is a text of the user's that is to be written, whatever it says. */
const opensText =
  /^(?:please\s+)?(?:create|make|write|add)\b.*?(?:\b(?:text|content|contents|containing|saying|says?)\b|:)\s*(?=[^\s`"“「'])|^(?:请|帮我)?(?:创建|新建|写).*?(?:内容(?:为|是|：|:)?|写入|写上|：|:)\s*(?=[^\s`"“「'])/i

/**
 * The wishes of a request, one after another. Only the first line is read: what is pasted or attached below it is data, as is what stands in
 * quotes or is to be written, and gives no orders.
 */
export function wishes(request: string): string[] {
  const line = request.trimStart().split('\n', 1)[0] ?? ''
  const masked = line.replaceAll(quoted, (words) => '\u0000'.repeat(words.length))
  const found: string[] = []
  let from = 0
  for (const { index, 0: words } of masked.matchAll(next)) {
    if (opensText.test(line.slice(from, index))) break
    found.push(line.slice(from, index))
    from = index + words.length
  }
  found.push(line.slice(from))
  return found.map((wish) => wish.trim()).filter((wish) => wish !== '')
}

/** What stands below the first line, without the marks of a block. */
export function textBelow(request: string): string | undefined {
  const [, ...lines] = request.trimStart().split('\n')
  const text = lines.join('\n')
  const block = /^\s*(`{3,}|~{3,})[^\n]*\n([^]*?)\n?\1\s*$/.exec(text)
  return block ? `${block[2] ?? ''}\n` : text.trim() === '' ? undefined : text
}
