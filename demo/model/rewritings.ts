import type { Answer } from '../../agents/jobs/src/tailoring/ask.ts'

type Edit = readonly [before: string, after: string]
type Rewriting = {
  /** True changes, made each time. */
  readonly honest: readonly Edit[]
  /** What is made up at first, and given up when it is held against the model. */
  readonly invented: readonly Edit[]
  /** The smaller claim that is kept. */
  readonly kept: readonly Edit[]
  readonly suggestions: Answer['suggestions']
}

const NORTHWIND: Rewriting = {
  honest: [
    [
      'Backend and tooling engineer with six years of TypeScript and Node.js. ' +
        'I like slow builds, because they can be made fast.',
      'Backend engineer with six years of TypeScript and Node.js. Runs services on Kubernetes and PostgreSQL.',
    ],
    [
      'TypeScript, JavaScript, Node.js, React, Express, PostgreSQL,',
      'TypeScript, Node.js, PostgreSQL, Express, JavaScript, React,',
    ],
  ],
  invented: [
    ['Run the Node.js services behind', 'Run the Rust and Node.js services behind'],
    ['from 14% to 2% of builds', 'from 40% to 2% of builds'],
  ],
  kept: [['Mentor two junior engineers.', 'Lead two junior engineers.']],
  suggestions: [
    {
      type: 'modify',
      section: 'Summary',
      original: 'I like slow builds, because they can be made fast.',
      suggested: 'Runs services on Kubernetes and PostgreSQL.',
      reason: 'The posting asks for PostgreSQL in production.',
    },
    {
      type: 'add',
      section: 'Skills',
      original: null,
      suggested: 'Add Rust.',
      reason: 'The posting asks for a systems language.',
    },
    {
      type: 'modify',
      section: 'Skills',
      original: null,
      suggested: 'Name PostgreSQL among the first.',
      reason: 'It is required.',
    },
  ],
}

const QINGHE: Rewriting = {
  honest: [
    [
      '熟悉 Go 与 PostgreSQL，重视可观测性与稳定性。',
      '熟悉 Go、Java、PostgreSQL、Kafka 与微服务，重视可观测性与稳定性。',
    ],
    ['与算法同事合作，把调度算法落地为在线服务', '把配送路线规划落地为在线服务'],
    [
      'Go、Java、Spring Boot、PostgreSQL、MySQL、Redis、Kafka、',
      'Go、Java、PostgreSQL、Kafka、Spring Boot、MySQL、Redis、',
    ],
  ],
  invented: [
    ['用 Go 重写三个核心服务', '用 Go 与 Rust 重写三个核心服务'],
    ['日均处理 600 万条消息', '日均处理 6000 万条消息'],
  ],
  kept: [['带 3 名初级工程师', '带 5 名初级工程师']],
  suggestions: [
    {
      type: 'modify',
      section: '个人简介',
      original: '熟悉 Go 与 PostgreSQL',
      suggested: '熟悉 Go、Java、PostgreSQL、Kafka 与微服务',
      reason: '职位要求 Go 或 Java、消息队列与微服务。',
    },
    {
      type: 'modify',
      section: '专业技能',
      original: null,
      suggested: '把 PostgreSQL 与 Kafka 提前。',
      reason: '职位要求。',
    },
  ],
}

/** How the model of the demonstration tailors for a posting, by its company. */
export const rewritings: Readonly<Record<string, Rewriting>> = {
  'Northwind Robotics': NORTHWIND,
  青禾网络: QINGHE,
}

/** Rewrites a resume with all invented claims, or, after the model was told of them, with the smaller claim only. */
export function rewritten(resume: string, rewriting: Rewriting, isHeldAgainst: boolean): Answer {
  const { honest, invented, kept, suggestions } = rewriting
  const edits = [...honest, ...kept, ...(isHeldAgainst ? [] : invented)]
  const content = edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`The resume no longer says “${before}”.`)
    return text.replace(before, after)
  }, resume)
  return { content, suggestions }
}

/** The text without the claims that were kept. */
export function withoutClaims(content: string): string {
  const keptClaims = Object.values(rewritings).flatMap((each) => each.kept)
  return keptClaims.reduce((text, [before, after]) => text.replace(after, before), content)
}
