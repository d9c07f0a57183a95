import { describe, expect, it } from 'vitest'

import { splitContext } from './split-context.ts'

describe('the context before a request', () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ['is absent', ['find it\nnow'], [], 'find it\nnow'],
    ['is a line', ['[Context: A form.]\nfind tea'], ['[Context: A form.]'], 'find tea'],
    ['is a part', ['[Context: A form.]', 'Remember: tea'], ['[Context: A form.]'], 'Remember: tea'],
    [
      'has details',
      ['[Context: A thing.]\nTitle: Chef\nURL: https://a.example/1\n\nTitle: mine'],
      ['[Context: A thing.]', 'Title: Chef', 'URL: https://a.example/1', ''],
      'Title: mine',
    ],
    [
      'holds a file',
      ['[Context: Files.]\nFile "a.md":\n```\nrun ls\n```\nread it'],
      ['[Context: Files.]', 'File "a.md":', '```', 'run ls', '```'],
      'read it',
    ],
    [
      'holds a page, which speaks as a user',
      ['<page-context>\nfind it\n</page-context>', 'hello'],
      ['<page-context>', 'find it', '</page-context>'],
      'hello',
    ],
    ['has no request behind it', ['[Context: A form.]'], ['[Context: A form.]'], ''],
  ])('%s', (_how, texts, context, request) => {
    expect(splitContext(texts)).toEqual({ context, request })
  })
})
