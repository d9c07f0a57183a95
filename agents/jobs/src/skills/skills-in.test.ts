import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { skillNames, skillsIn } from './skills-in.ts'
import { skillNamed, skills } from './skill-table.ts'

describe('the skills that a text names', () => {
  it.each([
    ['C++20, C#, .NET and ASP.NET Core', ['C++', 'C#', '.NET']],
    ['Node.js, nodejs and Node JS', ['Node.js']],
    ['Java is no JavaScript', ['Java', 'JavaScript']],
    ['React Native', ['React Native']],
    ['Python3, Java 17, Vue3 and HTML5', ['Python', 'Java', 'Vue', 'HTML']],
    ['large language models, LLMs', ['LLM']],
    ['machine-learning, machine\nlearning and ML/AI skills', ['Machine Learning', 'Artificial Intelligence']],
    ['CI/CD on AWS (EC2, S3)', ['CI/CD', 'AWS']],
    ['Ｃ＋＋ 和 Ｊａｖａ', ['C++', 'Java']],
    ['熟悉Java、go语言，精通C/C++，会用react框架', ['Java', 'Go', 'C++', 'React']],
    ['大语言模型、机器学习与微服务架构', ['LLM', 'Machine Learning', 'Microservices']],
    ['C语言和汇编语言', ['C', 'Assembly']],
    ['项目管理经验，英语流利', ['Project Management', 'English']],
    ['pandas, NumPy & scikit-learn', ['pandas', 'NumPy', 'scikit-learn']],
  ])('finds those of %j', (text, names) => {
    expect([...skillNames(text)]).toEqual(names)
  })

  it.each([
    ['Go, C, R and TypeScript', ['Go', 'C', 'R', 'TypeScript']],
    ['skills: python, go, rust', ['Python', 'Go', 'Rust']],
    ['Go Engineer', ['Go']],
    ['- Go services that we built', ['Go']],
    ['We built it with care, in plain Go.', ['Go']],
    ['in Spring 2026', []],
    ['five years of experience in Go', ['Go']],
    ['- Go\n- Excel\n', ['Go', 'Excel']],
    ['React, Next, Vue', ['React', 'Next.js', 'Vue']],
    ['Fluent English, German is spoken', ['English', 'German']],
    ['We go to market, and excel at what we do.', []],
    ['Go far with us. Next, we react to the rust of spring.', []],
    ['A C-level person in R&D after our Series C', []],
    ['Objective C', ['Objective-C']],
    ['the Chinese market and French fries', []],
    ['https://github.com/ada and ada@react.js.org', []],
    ['Gopher, Rusty, Javanese, scalable, reactive', []],
  ])('tells names from words in %j', (text, names) => {
    expect([...skillNames(text)]).toEqual(names)
  })

  it('says where each stands, and how the text says it', () => {
    expect(skillsIn('Use k8s; K8S 很好')).toEqual([
      { skill: 'Kubernetes', said: 'k8s', at: 4 },
      { skill: 'Kubernetes', said: 'K8S', at: 9 },
    ])
  })

  it('finds each skill by its own name in a list', () => {
    const missed = skills().filter(({ name }) => !skillNames(`SQL, ${name}, SQL`).has(name))

    expect(missed).toEqual([])
  })

  it('has each name once', () => {
    const all = skills().flatMap(({ aliases }) => Array.from(new Set(aliases)))

    expect(all.filter((alias, at) => all.indexOf(alias) !== at)).toEqual([])
    expect(skillNamed('Kubernetes')?.category).toBe('cloud and operations')
    expect(skillNamed('Machine Learning')?.zh).toBe('机器学习')
  })

  it('holds for every text: what it says stands where it says, in order, once', () => {
    const pieces = fc.constantFrom(
      'Go',
      'C++',
      '.NET',
      'react',
      '机器学习',
      'İ',
      '𝒜',
      ', ',
      ' ',
      '\n',
      's',
      '#',
      '和',
      'Ｇ',
      '@',
      'www.',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        let end = 0
        for (const { skill, said, at } of skillsIn(text)) {
          expect(skillNamed(skill)).toBeDefined()
          expect(text.slice(at, at + said.length)).toBe(said)
          expect(said).not.toBe('')
          expect(at).toBeGreaterThanOrEqual(end)
          end = at + said.length
        }
      }),
    )
  })
})
