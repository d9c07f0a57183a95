/** "Search X and list Y" is two wishes, "research and development jobs" is one: the next has to begin with a verb of its own. */
const englishVerb = /(?=(?:please\s+|can you\s+)?(?:list|show|search|find|look)\b)/.source
const chineseVerb = /(?=(?:请|再|帮我)*(?:列出|列一下|显示|查看|看看|看一下|搜|查找|查一下|找))/.source
const english = new RegExp(
  `(?:\\s*[,;.]\\s*|\\s+)(?:(?:and|then|also|plus)\\s+)+${englishVerb}|[.;?!\\n]\\s*${englishVerb}`,
  'i',
)
const chinese = new RegExp(
  `(?:[，,；;。！？\\n]\\s*(?:(?:并且|并|然后|再|同时|另外|顺便)\\s*)?|(?:并且|并|然后|再|同时|以及|和|还有)\\s*)${chineseVerb}`,
)

/** More than this of a request is not read: nobody asks for a job in so many words. */
const MAX_REQUEST_LENGTH = 2000

/** The wishes of a request, one after another. */
export function wishesOf(request: string): string[] {
  return squeezed(request.slice(0, MAX_REQUEST_LENGTH))
    .split(english)
    .flatMap((wish) => wish.split(chinese))
    .filter((wish) => wish.trim() !== '')
}

/** Without long runs of spaces: there are many ways to part one among the words of a rule, and each would be tried. */
function squeezed(words: string): string {
  return words.replaceAll(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '))
}
