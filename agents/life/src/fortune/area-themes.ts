import type { TenGod } from '../chart/chart.ts'
import type { Phrase } from '../language.ts'

/** What people ask about. `energy` stands where others say health: of that a chart says nothing. */
export const areas = ['career', 'relationship', 'energy', 'self'] as const
export type Area = (typeof areas)[number]

export const areaNames: Readonly<Record<Area, Phrase>> = {
  career: { zh: '事业', en: 'Career' },
  relationship: { zh: '关系', en: 'Relationships' },
  energy: { zh: '精力', en: 'Energy' },
  self: { zh: '自己', en: 'Self' },
}

/** 比劫, 食伤, 财, 官杀, 印: what is the day master's like, what it feeds, what it curbs, what curbs it, what feeds it. */
export type Family = 'peer' | 'output' | 'wealth' | 'officer' | 'resource'

const families: Readonly<Record<TenGod, Family>> = {
  比肩: 'peer',
  劫财: 'peer',
  食神: 'output',
  伤官: 'output',
  偏财: 'wealth',
  正财: 'wealth',
  七杀: 'officer',
  正官: 'officer',
  偏印: 'resource',
  正印: 'resource',
}

export function familyOf(tenGod: TenGod): Family {
  return families[tenGod]
}

/** How tradition reads each family in each area, said as an occasion: no events, no diagnosis, no orders. */
export const areaThemes: Readonly<Record<Family, Readonly<Record<Area, Phrase>>>> = {
  peer: {
    career: {
      zh: '并肩的人变多，分工讲清楚，合作会更轻松。',
      en: 'More people work beside you; clear roles make it lighter.',
    },
    relationship: {
      zh: '彼此都想做主，先听完再说，会靠得更近。',
      en: 'Both may want to lead; hearing each other out brings you closer.',
    },
    energy: {
      zh: '行动力足，记得给自己留出停下来的时间。',
      en: 'There is drive; leave yourself time to stop.',
    },
    self: { zh: '适合想一想：哪些是我真正想坚持的。', en: 'A time to ask what you truly want to stand by.' },
  },
  output: {
    career: { zh: '想法多，适合把作品拿出来给人看。', en: 'Ideas come; a time to let others see your work.' },
    relationship: {
      zh: '愿意表达是好事，少一点评判，多一点好奇。',
      en: 'Wanting to speak is good; less judging, more curiosity.',
    },
    energy: {
      zh: '付出得多，也要有进有出，睡好吃好。',
      en: 'You give a lot out; let sleep and food bring it back.',
    },
    self: { zh: '适合做一件只为自己开心的事。', en: 'A time for something done only for the joy of it.' },
  },
  wealth: {
    career: {
      zh: '事情具体、讲结果，适合把目标拆小一点。',
      en: 'Things get concrete and want results; smaller goals help.',
    },
    relationship: {
      zh: '用行动表达在意，一顿饭、一次陪伴都算数。',
      en: 'Care shows in deeds: a meal or an hour together counts.',
    },
    energy: { zh: '容易忙起来，把休息也排进日程。', en: 'Days fill up; put rest in the calendar too.' },
    self: {
      zh: '适合理一理：时间和钱花在哪里最让我安心。',
      en: 'A time to see where hours and money give you peace.',
    },
  },
  officer: {
    career: {
      zh: '责任和要求变多，分清轻重，也可以请人搭把手。',
      en: 'More is asked of you; sort what matters, and ask for a hand.',
    },
    relationship: {
      zh: '压力别都自己扛，让亲近的人知道你的难处。',
      en: 'Do not carry it all alone; let those close to you know.',
    },
    energy: {
      zh: '弦容易绷紧，给自己安排固定的放松时间。',
      en: 'The string may be tight; a fixed time to unwind helps.',
    },
    self: {
      zh: '适合练习：对事认真，对自己温和。',
      en: 'Practice in being serious about things and gentle with yourself.',
    },
  },
  resource: {
    career: {
      zh: '适合学习、考证、找前辈聊聊，先沉淀再出发。',
      en: 'A time to learn and to talk with those ahead of you before setting out.',
    },
    relationship: {
      zh: '愿意被照顾也是一种亲近，说声谢谢就好。',
      en: 'Letting yourself be cared for is closeness too; a thank-you is enough.',
    },
    energy: {
      zh: '适合静养，也记得动一动，别总待在脑子里。',
      en: 'Quiet does you good; move a little too, out of your head.',
    },
    self: {
      zh: '适合读书、写下来，和自己待一会儿。',
      en: 'A time for reading, writing things down, being with yourself.',
    },
  },
}
