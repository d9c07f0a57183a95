import { describe, expect, it } from 'vitest'

import { openWords } from './search-words.ts'

const words = await openWords()

function termsOf(request: string): readonly string[] {
  return words.terms(request).map(({ said }) => said)
}

describe('words', () => {
  it('keep a bounded number of marks, so that reading takes bounded time', () => {
    expect(words.index(`a${'\u0301\u0323'.repeat(100_000)}b`).length).toBeLessThan(40)
  })

  it.each([
    ['高级软件工程师', '高级 软件 工程 工程师 0x0 高 级 软 件 工 程 师'],
    ['Senior C++ / C# Engineers', 'senior cplusplus csharp engineer'],
    ['React+TypeScript，Ｎｏｄｅ．ｊｓ', 'react typescript node js nodejs'],
    ['C++17 on .NET', 'cplusplus 17 on dotnet'],
    ['C#开发', 'csharp 开发 0x0 开 发'],
    ['Crème brûlée, Việt, हिन्दी', 'creme brulee việt ह न द'],
  ])('index %s as %s', (text, index) => {
    expect(words.index(text)).toBe(index)
  })

  it.each([
    ['帮我找旧金山的远程软件工程师职位', ['旧金山', '远程', '软件工程师']],
    ['有没有上海的前端工作？', ['上海', '前端']],
    [
      'Find me remote software engineering jobs in San Francisco',
      ['remote', 'software', 'engineering', 'san francisco'],
    ],
    ['Software Engineers, please', ['software engineer']],
    ['Node.js or C++ positions', ['node.js', 'c++']],
    ['go', ['go']],
    ['职位', []],
    ['" OR 1=1 -- *', ['1']],
  ])('of the request %s are %j', (request, terms) => {
    expect(termsOf(request)).toEqual(terms)
  })

  it('match synonyms in the other language', () => {
    expect(words.terms('软件工程师')[0]?.phrases).toContainEqual({ words: ['software', 'engineer'] })
    expect(words.terms('Software Engineer')[0]?.phrases).toContainEqual({
      words: ['软', '件', '工', '程', '师'],
    })
  })
})
