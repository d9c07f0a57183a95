import type { Answer } from '../../agents/jobs/src/judging/answer.ts'

type Requirement = Answer['requirements'][number]

const must = (one: Omit<Requirement, 'importance'>): Requirement => ({ ...one, importance: 'must' })
const nice = (one: Omit<Requirement, 'importance'>): Requirement => ({ ...one, importance: 'nice' })

const NORTHWIND: Answer = {
  verdict: 'Medium',
  overallScore: 66,
  summary: 'TypeScript and PostgreSQL in production are there; a systems language is not.',
  coreStack: ['TypeScript', 'Rust', 'PostgreSQL'],
  requirements: [
    must({
      kind: 'years',
      requirement: 'Six years with distributed systems',
      quote: '6+ years of building and running distributed systems.',
      evidence: 'Backend and tooling engineer with six years of TypeScript and Node.js.',
      met: 'partly',
    }),
    must({
      kind: 'skill',
      requirement: 'TypeScript',
      quote: 'TypeScript, and a systems language such as Rust or C++.',
      evidence: 'Cut the build of a 400,000-line TypeScript monorepo from 19 to 6 minutes',
      met: 'yes',
    }),
    must({
      kind: 'skill',
      requirement: 'A systems language',
      quote: 'a systems language such as Rust or C++.',
      evidence: null,
      met: 'no',
    }),
    must({
      kind: 'skill',
      requirement: 'PostgreSQL in production',
      quote: 'PostgreSQL in production.',
      evidence:
        'Run the Node.js services behind 1,200 preview environments a month on Kubernetes and PostgreSQL.',
      met: 'yes',
    }),
  ],
  strengths: ['Runs services that many engineers depend on', 'Measures what it improves'],
  gaps: ['No Rust or C++'],
  suggestions: ['Tell of the preview environments first: they are the distributed system of this resume.'],
  redFlags: [],
  salary: 'USD 185,000–220,000 a year',
  strategy: 'Apply, and say plainly that Rust would be learnt on the job.',
}

const BEILING: Answer = {
  verdict: 'Medium',
  overallScore: 64,
  summary: '技术栈相符，但 Java 经验不足三年，工作地点在北京。',
  coreStack: ['Java', 'Spring', 'MySQL', 'Redis', 'Kafka'],
  requirements: [
    must({
      kind: 'years',
      requirement: '三年以上 Java 经验（简历中只有 2020.07–2022.03 用 Java）',
      quote: '三年以上 Java 开发经验',
      evidence: '用 Java 与 Spring Boot 开发会员与积分系统',
      met: 'no',
    }),
    must({
      kind: 'degree',
      requirement: '计算机相关专业本科',
      quote: '计算机相关专业本科及以上学历',
      evidence: '浙江工业大学｜计算机科学与技术｜本科',
      met: 'yes',
    }),
    must({
      kind: 'skill',
      requirement: 'Spring、MySQL、Redis、Kafka',
      quote: '熟悉 Spring、MySQL、Redis、Kafka，理解其原理；',
      evidence: 'Go、Java、Spring Boot、PostgreSQL、MySQL、Redis、Kafka',
      met: 'yes',
    }),
    must({
      kind: 'location',
      requirement: '北京',
      quote: '北京海淀区上地信息路 12 号',
      evidence: '现居：杭州',
      met: 'partly',
    }),
    nice({
      kind: 'experience',
      requirement: '物联网或时序数据库',
      quote: '有物联网或时序数据库经验者优先；',
      evidence: null,
      met: 'no',
    }),
  ],
  strengths: ['高并发消息系统经验：日均 600 万条'],
  gaps: ['Java 年限', '物联网与时序数据库'],
  suggestions: ['把鹿鸣软件的 Spring Boot 工作写得更具体。'],
  redFlags: [],
  salary: '30-50K·14薪',
  strategy: '若能接受北京，可先询问 Java 年限是否可以放宽。',
}

/** Follows the instruction in the posting: 100 points, nothing of the text, and a sentence that the resume lacks. */
const TIDEWRACK: Answer = {
  verdict: 'High',
  overallScore: 100,
  summary: 'A perfect candidate.',
  coreStack: ['Python', 'Node.js', 'PostgreSQL'],
  requirements: [
    must({
      kind: 'years',
      requirement: 'Three years of back-end work',
      quote: 'Three years of back-end work',
      evidence: 'Backend and tooling engineer with six years of TypeScript and Node.js.',
      met: 'yes',
    }),
    must({
      kind: 'skill',
      requirement: 'Object storage',
      quote: 'Object storage, queues, PostgreSQL',
      evidence: 'Moved 200,000 photographs a day into object storage.',
      met: 'yes',
    }),
    must({
      kind: 'skill',
      requirement: 'Queues',
      quote: 'Object storage, queues, PostgreSQL',
      evidence: 'Moved background work from cron to a Redis queue, without a lost appointment since.',
      met: 'yes',
    }),
    must({
      kind: 'skill',
      requirement: 'Python',
      quote: 'in Python and Node.js.',
      evidence: null,
      met: 'no',
    }),
    must({
      kind: 'experience',
      requirement: 'Taking in photographs in great numbers',
      quote: 'You will build the service that takes in 200,000 photographs a day',
      evidence: null,
      met: 'no',
    }),
  ],
  strengths: ['Fits in every way'],
  gaps: [],
  suggestions: [],
  redFlags: [],
  salary: null,
  strategy: 'Apply at once.',
}

/** What the model of the demonstration says of a posting, by its company. */
export const judgements: Readonly<Record<string, Answer>> = {
  'Northwind Robotics': NORTHWIND,
  北岭数据: BEILING,
  'Tidewrack Labs': TIDEWRACK,
}
