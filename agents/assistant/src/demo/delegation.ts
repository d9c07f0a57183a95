import { jobs } from '../jobs/index.ts'
import type { Skill, Wish } from '../skill.ts'

const named: readonly RegExp[] = [
  /^(?:please\s+)?(?:ask|have|let|tell)\s+(?:the\s+)?(?<who>jobs?|coding)\s+agent\s+(?:to\s+)?(?<task>.+)$/is,
  /^(?:请|帮我)?(?:让|叫|请|问问?)(?<who>求职|职位|招聘|编程|代码|jobs?|coding)\s*(?:智能体|助手|代理|agent)\s*[：:，,]?\s*(?:去|来|帮我)?(?<task>.+)$/isu,
]
const aboutJobs =
  /\b(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|resumes?)\b|职位|岗位|招聘|找工作|简历/i

/** Has the agent do it whose work it is. */
export const delegation: Skill = {
  tool: 'ask_agent',
  offer: {
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
  const isForJobs = aboutJobs.test(words) && jobs.some((skill) => skill.read(wish) !== undefined)
  return isForJobs ? { agent: 'jobs', task: words } : undefined
}
