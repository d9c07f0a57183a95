import type { DemoScript } from 'dragoman/agents'

const NO_BIRTH = /^(?:还没有你的出生信息|Your birth data is not known)/

/** One sentence of what the card shows. */
function describeChart(text: string): string {
  const [, line = ''] = /^(?:Pillars: |四柱：)(.+)$/m.exec(text) ?? []
  const [, dayMaster = ''] = /^(?:Day master: |日主：)(.+)$/m.exec(text) ?? []
  if (line === '') return text
  const inChinese = line.startsWith('年柱')
  const pillars = line
    .split(inChinese ? '，' : '; ')
    .map((pillar) => pillar.replace(/^.*?(?:pillar |柱 )/, ''))
  return inChinese
    ? `你的命盘是${pillars.join('、')}，日主为${dayMaster}。`
    : `Your chart is ${pillars.join(', ')}; its day master is ${dayMaster}.`
}

/** What the demo model does for the life agent. Words of danger never come here: the input guardrail answers them. */
export const demo: DemoScript = [
  {
    example: { en: 'Show me my chart', zh: '看看我的八字' },
    // The last of each are the messages that come with the form.
    when: /\bmy (?:birth )?chart\b|\bfilled it in\b|我的八字|date of birth|出生信息|出生日期|填好了/i,
    call: 'show_bazi_chart',
    say: describeChart,
    next: [
      {
        after: NO_BIRTH,
        call: 'request_info',
        input: () => ({ info_type: 'birth' }),
        // The form says it.
        say: '',
      },
    ],
  },
  {
    example: { en: 'What does the almanac say today?', zh: '今天宜忌什么？' },
    when: /\balmanac\b|黄历|宜忌/i,
    call: 'show_almanac',
    input: ({ input }) => {
      const [date] = /\d{4}-\d\d-\d\d/.exec(input) ?? []
      return date === undefined ? {} : { date }
    },
  },
  {
    example: { en: 'What do you remember about me?', zh: '你记得我什么？' },
    when: /\bwhat do you (?:remember|know) about me\b|你(?:还?记得|知道)我(?:的)?什么/i,
    call: 'list_memories',
  },
  {
    example: { en: 'Remember that I like hiking', zh: '记住我喜欢爬山' },
    when: {
      en: /^(?:please )?remember (?:that )?(?<what>.*[^\s.!])/i,
      zh: /^请?记住[：:，,\s]*(?![：:，,\s])(?<what>.*[^\s。！])/,
    },
    call: 'save_memory',
    input: ({ groups }) => ({ content: groups?.['what'] ?? '', type: 'fact' }),
  },
  {
    example: { en: 'Forget that I like hiking', zh: '忘掉爬山那条' },
    when: {
      en: /^(?:please )?forget (?:that |about )?(?<what>.*[^\s.!])/i,
      zh: /^请?忘掉(?<what>.*?[^\s。！])(?:\s*那条)?[\s。！]*$/,
    },
    call: 'forget_memory',
    input: ({ groups }) => {
      const about = groups?.['what'] ?? ''
      return /^(?:everything|me|我|所有|全部)$/i.test(about) ? { all: true } : { about }
    },
  },
  {
    when: /^(?:delete my data|confirm delete|删除我的数据|确认删除)/i,
    call: 'delete_my_data',
  },
]
