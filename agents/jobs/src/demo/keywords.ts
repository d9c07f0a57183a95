/** English words to be taken whole: "a" is none of "a-level", "find" none of "finder". */
const whole = (words: string): string => `(?:${words})(?![\\p{L}\\p{N}+#-])`

const gap = `[\\s,，。、!！?？:：;；"'“”「」()（）]|\\.(?!\\p{L})`

const polite = [
  whole(
    "please|can you|could you|would you|will you|help me|hi|hello|hey|i['’]m|i am|i['’]d like|i would like|i want|i need|to",
  ),
  '请|麻烦你?|帮我|帮忙|帮|给我|为我|替我|我想要?|我要|我在|我|想要?|能不能|能否|可不可以|可以|你好|您好|你',
].join('|')

const verb = [
  whole(
    'find|search(?:ing)?|look(?:ing)?|hunt(?:ing)?|show|get|give|list|tell|are there|is there|do you have|what|which',
  ),
  '(?:搜索|搜一下|搜|查找|查询|查一下|寻找|找一下|找找|找|看一下|看看|推荐|有没有|有哪些|有什么){1,2}',
].join('|')

const loose = [
  whole('me|us|for|any|some|the|a|an|all|of|about|are|is'),
  '一下|一些|一个|一份|几个|关于|合适的|适合我的|最新的?|新的',
].join('|')

/** How requests begin. Only one verb belongs to the asking: "find search engineer jobs" looks for search engineers. */
const opening = new RegExp(`^(?:${gap}|${polite})*(?:${verb})?(?:${gap}|${loose})*`, 'iu')

const closing = [
  '(?<![\\p{L}\\p{N}])(?:please|for me|now|today|thanks|thank you|available|open|near|to|from|work)',
  '的|相关|方面|职位|工作|岗位|机会|招聘|职缺|信息|有吗|有没有|有哪些|有什么|列表|吗|呢|吧|么|啊|谢谢|并|和',
].join('|')

/** How they end. */
const ending = new RegExp(`(?:${closing}|${gap})+$`, 'iu')

/** Words for the thing itself, and those that hold a sentence together: of no use wherever they stand. */
const filler = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|opportunit(?:y|ies)|listings?',
    '|an?|the|at|with|for|as|in|of|that|which|are|is|and|or|paying|me|my|some|any)(?![\\p{L}\\p{N}+#])',
    '|职位|岗位|工作机会|的',
  ].join(''),
  'giu',
)

/** What is longer than this is no request for a job. */
const LONGEST_READ = 500
const LONGEST_KEYWORDS = 120

/** What is left of a request without the words with which one asks. */
export function keywordsOf(request: string): string {
  return request
    .slice(0, LONGEST_READ)
    .replace(opening, '')
    .replaceAll(filler, ' ')
    .replace(ending, '')
    .replaceAll(/[\s,，;；]+/g, ' ')
    .slice(0, LONGEST_KEYWORDS)
    .toWellFormed()
    .trim()
}
