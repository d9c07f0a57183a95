import type { DemoScript } from 'dragoman/agents'

const REMOTE = /\bremote\b|远程/gi

/** What the demo model does for the jobs agent. */
export const demo: DemoScript = [
  {
    example: { en: 'List my jobs', zh: '列出我保存的职位' },
    when: /\b(?:list|show) (?:me )?my (?:saved )?jobs\b|列出我?保存的职位/i,
    call: 'jobs_list',
    input: (_match, { language }) => ({ language }),
  },
  {
    example: { en: 'Find remote software engineer jobs', zh: '帮我搜索软件工程师职位' },
    when: {
      en: /\b(?:find|search(?: for)?|show)(?: me)? (?<what>.{1,100}?) jobs\b(?: in (?<place>[a-z ]+))?/i,
      zh: /(?:搜索|找)(?:一下)?(?:(?<place>\p{Script=Han}{2,3})的)?(?<what>.{1,60}?)的?(?:职位|工作)/u,
    },
    call: 'jobs_search',
    input: ({ groups = {} }) => {
      const { what = '', place } = groups
      const keywords = what.replaceAll(REMOTE, '').trim()
      return {
        ...(keywords !== '' && { keywords }),
        ...(place !== undefined && { location: place }),
        ...(keywords !== what && { remote: true }),
      }
    },
  },
  {
    example: { en: 'Does job 1 fit me?', zh: '职位 1 适合我吗？' },
    when: { en: /\bjob(?: #?(\d{1,9}))? (?:fit|match|suit)/i, zh: /职位\s*(?:#?(\d{1,9})\s*)?适合/ },
    call: 'jobs_prescore',
    // Without an id it is the posting on the screen.
    input: ([, id], { language }) => ({ ...(id !== undefined && { jobId: Number(id) }), language }),
  },
  {
    example: { en: 'Show my statistics', zh: '看看我的求职统计' },
    when: /\bmy (?:statistics|stats)\b|求职统计/i,
    call: 'jobs_list',
    input: (_match, { language }) => ({ analytics: true, language }),
  },
  {
    example: { en: 'Show my resume', zh: '看看我的简历' },
    when: /\b(?:show|read) (?:me )?my resume\b|看看我的简历/i,
    call: 'resume_get_default',
  },
]
