import { describe, expect, it } from 'vitest'

import { readMarkdown } from './read-markdown.ts'

describe('a part of a line', () => {
  it('is recognized by its words', () => {
    const { data } = readMarkdown(`# Jane

## Work
**Senior Engineer**, Stripe, San Francisco, CA
Jan 2020 – Present
1、Built it

## Projects
- **Foo** – a tool for bars. https://github.com/jane/foo
- Baz: another`)

    expect(data.work).toEqual([
      {
        name: 'Stripe',
        position: 'Senior Engineer',
        location: 'San Francisco, CA',
        startDate: '2020-01',
        highlights: ['Built it'],
      },
    ])
    expect(data.projects).toEqual([
      { name: 'Foo', description: 'a tool for bars.', url: 'https://github.com/jane/foo' },
      { name: 'Baz', description: 'another' },
    ])
  })
})
