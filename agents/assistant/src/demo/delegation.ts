import type { ToolRule, Wish } from './tool-rule.ts'

const named: readonly RegExp[] = [
  /^(?:please\s+)?(?:ask|have|let|tell)\s+(?:the\s+)?(?<who>jobs?|coding)\s+agent\s+(?:to\s+)?(?<task>.+)$/is,
  /^(?:请|帮我)?(?:让|叫|请|问问?)(?<who>求职|职位|招聘|编程|代码|jobs?|coding)\s*(?:智能体|助手|代理|agent)\s*[：:，,]?\s*(?:去|来|帮我)?(?<task>.+)$/isu,
]
const aboutJobs =
  /\b(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|resumes?)\b|职位|岗位|招聘|找工作|简历/i

/** To find a posting, or to compare one with a resume, is the jobs agent's work, whatever else is said. */
const findsJobs =
  /\b(?:find|search(?:ing)?|look(?:ing)? for|hunt(?:ing)? for)\b|搜|查找|查询|查一下|寻找|推荐|找(?!不|到)/i
const comparesJob =
  /(?:\b(?:score|rate|fits?|match(?:es)?)\b|打分|评分|适合|匹配).*\d|\d.*(?:\bfits?\b|\bmatch|打分|适合|匹配)/i
const listsJobs =
  /\b(?:show|list|give|get|any|are there|is there|i want|i need|i'd like|what|which)\b|有没有|有哪些|有什么|想要|我要|列出|看看/i
/** Then "job" and "职位" are no sign of a search. */
const otherDeed =
  /\b(?:this|analy[sz]e|rate|tailor|apply|compare|delete|remove|save|add|enrich|update|write)\b|这个|这份|分析|评估|优化|定制(?!版)|比较|对比|删除|保存(?!的)|添加|更新|投递/i
const resume = /\bresumes?\b|简历/i

/** Has the agent do it whose work it is. */
export const delegation: ToolRule = {
  call: 'ask_agent',
  example: {
    en: 'Have another agent do something: “find me remote rust jobs”, “ask the coding agent to read README.md”',
    zh: '请其他智能体帮忙：“帮我找北京的后端职位”、“让编程助手读一下 README.md”',
  },
  read(wish) {
    const asked = askedOf(wish)
    if (!asked) return undefined
    const thought = {
      en: `That is work for the agent ${asked.agent}; I will ask it.`,
      zh: `这是智能体 ${asked.agent} 的工作，我来请它做。`,
    }
    return { input: asked, thought: thought[wish.language] }
  },
  tell({ text, input }, language) {
    const [, answer = text] = /<answer>\n([^]*)\n<\/answer>/.exec(text) ?? []
    const { agent = '' } = input as { agent?: string }
    return `${{ en: `The agent ${agent} says:`, zh: `智能体 ${agent} 的回答：` }[language]}\n\n${answer}`
  },
}

function askedOf(wish: Wish): { agent: string; task: string } | undefined {
  const words = wish.words.trim()
  for (const regex of named) {
    const { who, task } = regex.exec(words)?.groups ?? {}
    if (who !== undefined && task) return { agent: /coding|编程|代码/i.test(who) ? 'coding' : 'jobs', task }
  }
  return isForJobs(words) ? { agent: 'jobs', task: words } : undefined
}

/** "show me rust jobs", "有哪些前端岗位", or no more than "remote rust jobs in Berlin". */
function isForJobs(words: string): boolean {
  if (!aboutJobs.test(words)) return false
  if (findsJobs.test(words) || comparesJob.test(words)) return true
  if (otherDeed.test(words)) return false
  return listsJobs.test(words) || (words.length <= 80 && !resume.test(words) && !/[?？/&|<>]/.test(words))
}
