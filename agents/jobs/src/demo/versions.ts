import type { ToolRule } from './tool-rule.ts'
import { namedPosting, namedResume } from './named.ts'

const asks = /\btailored\b|\bversions?\b|版本|定制(?:过|好|版|的)/i

/** Shows the tailored versions of a resume that there are for a posting. To make one needs a real model. */
export const versions: ToolRule = {
  call: 'jobs_get_tailored_versions',
  example: {
    en: 'Show the tailored versions for a posting: “show the tailored versions for job 3”',
    zh: '查看某个职位的定制简历版本：“看看职位 3 的定制版本”',
  },
  read({ words, language, context }) {
    if (!asks.test(words)) return undefined
    const jobId = namedPosting(words, context)
    if (jobId === undefined) return undefined
    const resumeId = namedResume(words, context)
    const thought = {
      en: `The user wants to see the tailored resumes for posting #${jobId}.`,
      zh: `用户想看职位 #${jobId} 的定制简历版本。`,
    }[language]
    return { input: { jobId, language, ...(resumeId !== undefined && { resumeId }) }, thought }
  },
  tell: ({ text }) => text,
}
