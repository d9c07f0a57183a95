import type { Intent, ToolRule, Wish } from './tool-rule.ts'
import { namedResume } from './named.ts'

const noun = /\b(?:resumes?|cvs?)\b|简历/i
const asks = /\b(?:list|show|see|view|read|get|what|which|my|have)\b|列|看|显示|读|哪些|我的|默认/i
/** What needs a model, or a person. */
const otherDeed =
  /\b(?:tailor|improve|rewrite|analy[sz]e|write|make|create|upload|delete|change|compare)\b|定制|优化|改|写|做|上传|删|分析|比较/i
const isDefault = /\bdefault\b|\bmain\b|默认/i

function wants(words: string): boolean {
  return noun.test(words) && asks.test(words) && !otherDeed.test(words)
}

function intent({ language }: Wish, input: Intent['input']): Intent {
  const thought = {
    en: 'The user wants to see what resumes there are.',
    zh: '用户想看简历。',
  }[language]
  return { input, thought }
}

/** Shows the resumes: one that is named, the default one, or which there are. */
export const resumes: readonly ToolRule[] = [
  {
    call: 'resume_get',
    example: { en: 'Show a resume: “show resume 2”', zh: '查看简历：“看看简历 2”' },
    read(wish) {
      const resumeId = namedResume(wish.words, [])
      return wants(wish.words) && resumeId !== undefined ? intent(wish, { resumeId }) : undefined
    },
    tell: ({ text }) => text,
  },
  {
    call: 'resume_get_default',
    example: {
      en: 'Show your default resume: “show my default resume”',
      zh: '查看默认简历：“看看我的默认简历”',
    },
    read: (wish) => (wants(wish.words) && isDefault.test(wish.words) ? intent(wish, {}) : undefined),
    tell: ({ text }) => text,
  },
  {
    call: 'resume_list',
    example: { en: 'List your resumes: “list my resumes”', zh: '列出简历：“列出我的简历”' },
    read: (wish) => (wants(wish.words) ? intent(wish, {}) : undefined),
    tell: ({ text }) => text,
  },
]
