import type { ToolRule } from './tool-rule.ts'
import { namedPosting, namedResume } from './named.ts'

const asks =
  /\b(?:pre-?score|score|rate|fits?|match(?:es)?|qualif(?:y|ied)|suit(?:s|able)?|(?:right|good) for me)\b|打分|评分|评估|匹配度?|适合|合适|契合|够格/i
/** "Find jobs that fit me" asks for a search. */
const looksFor = /\b(?:find|search|look)\b|搜|查找|寻找|推荐|找/i

/** Compares a posting with a resume, without a model's judgement. */
export const prescore: ToolRule = {
  call: 'jobs_prescore',
  example: {
    en: 'Compare a posting with your resume by rules: “score job 3”, “does job 3 fit me?”',
    zh: '按规则比较职位与简历：“给职位 3 打分”、“职位 3 适合我吗？”',
  },
  read({ words, language, context }) {
    if (!asks.test(words) || looksFor.test(words)) return undefined
    const jobId = namedPosting(words, context)
    if (jobId === undefined) return undefined
    const resumeId = namedResume(words, context)
    const thought = {
      en: `The user wants to know how well posting #${jobId} fits; I will compare it with the resume.`,
      zh: `用户想知道职位 #${jobId} 是否合适，我来与简历比较。`,
    }[language]
    return { input: { jobId, language, ...(resumeId !== undefined && { resumeId }) }, thought }
  },
  tell: ({ text }) => text,
}
