import { describe, expect, it } from 'vitest'

import { readMarkdown } from './read-markdown.ts'

const chinese = `# 张伟

男 | 电话：138-0013-8000 | 邮箱：zhangwei@example.com
现居地：上海 政治面貌：党员 出生年月：1995年3月  github.com/zhangwei

## 求职意向
- 期望职位：高级后端工程师
- 期望薪资：35-45K·15薪

## 工作经历

**上海云帆科技有限公司** — 高级后端工程师 2021.03–至今
- 负责订单系统的重构
  与拆分
- 使用 Go 与 Kafka

**杭州青禾网络**  后端工程师  2018年7月 - 2021年2月
- 维护支付网关

## 教育背景
2014.09-2018.06 浙江大学 计算机科学与技术 本科
GPA：3.7/4.0

## 专业技能
- 编程语言：Go、Java、Python
- **数据库**：MySQL，Redis

## 项目经验
### 分布式任务调度平台 2022.01 - 2022.12
项目描述：面向千万级任务的调度平台
技术栈：Go、etcd
- 设计分片算法

## 语言能力
- 英语：CET-6
- 日语（N2）

## 荣誉奖项
- 2017.10 国家奖学金
`

const english = `Ada Lovelace
============

Senior Software Engineer
London, UK | ada@example.com | +44 20 7946 0958 | [GitHub](https://github.com/ada) | ada.dev

Engineer with ten years of experience in compilers.

EXPERIENCE
----------

### Analytical Engines Ltd. — Principal Engineer
*Mar 2021 – Present* | London

Leads the compiler group.

- Cut build times by 40%

### Software Engineer, Difference Corp
2017/9 - 02/2021

- Kept it running

### BigCo
#### Staff Engineer (2015 - 2017)
- a
#### Engineer (2013 - 2015)
- b

## Education
**University of London** — B.Sc. in Mathematics, 2009 – 2013
- First-class honours
- Courses: Logic, Calculus (I, II)

## Technical Skills
- **Languages:** Rust, C++
- Docker, Kubernetes

## Certifications
- AWS Certified Solutions Architect, Amazon, 2021

## My Superpowers
Flying.
`

describe('a Chinese resume', () => {
  it('becomes data, with what JSON Resume has no place for as it was said', () => {
    const { data, errors } = readMarkdown(chinese)

    expect(errors).toEqual([])
    expect(data).toEqual({
      basics: {
        name: '张伟',
        email: 'zhangwei@example.com',
        phone: '138-0013-8000',
        location: { city: '上海' },
        profiles: [{ network: 'GitHub', username: 'zhangwei', url: 'github.com/zhangwei' }],
        'x-gender': '男',
        'x-politicalStatus': '党员',
        'x-birthDate': '1995年3月',
        'x-objective': '高级后端工程师',
        'x-expectedSalary': '35-45K·15薪',
      },
      work: [
        {
          name: '上海云帆科技有限公司',
          position: '高级后端工程师',
          startDate: '2021-03',
          highlights: ['负责订单系统的重构与拆分', '使用 Go 与 Kafka'],
        },
        {
          name: '杭州青禾网络',
          position: '后端工程师',
          startDate: '2018-07',
          endDate: '2021-02',
          highlights: ['维护支付网关'],
        },
      ],
      education: [
        {
          institution: '浙江大学',
          area: '计算机科学与技术',
          studyType: '本科',
          startDate: '2014-09',
          endDate: '2018-06',
          score: '3.7/4.0',
        },
      ],
      skills: [
        { name: '编程语言', keywords: ['Go', 'Java', 'Python'] },
        { name: '数据库', keywords: ['MySQL', 'Redis'] },
      ],
      projects: [
        {
          name: '分布式任务调度平台',
          description: '面向千万级任务的调度平台',
          keywords: ['Go', 'etcd'],
          highlights: ['设计分片算法'],
          startDate: '2022-01',
          endDate: '2022-12',
        },
      ],
      languages: [
        { language: '英语', fluency: 'CET-6' },
        { language: '日语', fluency: 'N2' },
      ],
      awards: [{ title: '国家奖学金', date: '2017-10' }],
    })
  })
})

describe('an English resume', () => {
  it('becomes data; what is not understood is said', () => {
    const { data, errors } = readMarkdown(english)

    expect(errors).toEqual([
      'The section "My Superpowers" is not one that we know: it is kept in the text only.',
    ])
    expect(data).toEqual({
      basics: {
        name: 'Ada Lovelace',
        label: 'Senior Software Engineer',
        email: 'ada@example.com',
        phone: '+44 20 7946 0958',
        url: 'ada.dev',
        summary: 'Engineer with ten years of experience in compilers.',
        location: { city: 'London', region: 'UK' },
        profiles: [{ network: 'GitHub', username: 'ada', url: 'https://github.com/ada' }],
      },
      work: [
        {
          name: 'Analytical Engines Ltd.',
          position: 'Principal Engineer',
          location: 'London',
          startDate: '2021-03',
          summary: 'Leads the compiler group.',
          highlights: ['Cut build times by 40%'],
        },
        {
          name: 'Difference Corp',
          position: 'Software Engineer',
          startDate: '2017-09',
          endDate: '2021-02',
          highlights: ['Kept it running'],
        },
        { name: 'BigCo', position: 'Staff Engineer', startDate: '2015', endDate: '2017', highlights: ['a'] },
        { name: 'BigCo', position: 'Engineer', startDate: '2013', endDate: '2015', highlights: ['b'] },
      ],
      education: [
        {
          institution: 'University of London',
          studyType: 'B.Sc.',
          area: 'Mathematics',
          startDate: '2009',
          endDate: '2013',
          courses: ['Logic', 'Calculus (I, II)'],
          highlights: ['First-class honours'],
        },
      ],
      skills: [{ name: 'Languages', keywords: ['Rust', 'C++'] }, { name: 'Docker' }, { name: 'Kubernetes' }],
      certificates: [{ name: 'AWS Certified Solutions Architect', issuer: 'Amazon', date: '2021' }],
    })
  })
})

describe('what is wrong with a resume', () => {
  it.each([
    ['Hello!', 'No work, education, projects or skills were found'],
    ['# Ada\n\n## Work\n\n### Engineer @ Acme\n\n- a', 'No dates were found for the work "Acme".'],
    [
      `# Ada\n\n## Skills\n\nGo\n${'\n'.repeat(200_000)}`,
      'Only the first 200,000 characters were read as data',
    ],
  ])('is said of %j', (markdown, sentence) => {
    expect(readMarkdown(markdown).errors).toContainEqual(expect.stringContaining(sentence))
  })
})

describe('a text of megabytes', () => {
  it('is read as far as any resume goes, and that is said', () => {
    const { data, errors } = readMarkdown(`# Ada\n\n## Skills\n\n${'Go, C++\n'.repeat(500_000)}`)

    expect(data.skills?.length).toBeLessThan(51_000)
    expect(errors).toEqual([expect.stringContaining('Only the first 200,000 characters were read as data')])
  })
})
