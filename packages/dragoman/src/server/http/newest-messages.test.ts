import { describe, expect, it } from 'vitest'

import { newestMessages } from './newest-messages.ts'

const shorten = (body: unknown, maxValues: number): unknown =>
  JSON.parse(newestMessages(Buffer.from(JSON.stringify(body)), maxValues).toString())
const message = (id: string, count = 0) => ({
  id,
  parts: [{ output: Array.from({ length: count }, () => 1) }],
})

describe('the newest messages of a body', () => {
  it('are all of it while they have no more values', () => {
    const body = { id: 'c', messages: [message('a', 5), message('b')], trigger: 'x' }

    expect(shorten(body, 100)).toEqual(body)
  })

  it('are those that remain once the oldest are left out', () => {
    const messages = [message('a', 50), message('b', 50), message('c', 5), message('d')]

    expect(shorten({ id: 'c', messages, trigger: 'x' }, 80)).toEqual({
      id: 'c',
      messages: messages.slice(1),
      trigger: 'x',
    })
    expect(shorten({ trigger: 'x', messages }, 30)).toEqual({ trigger: 'x', messages: messages.slice(2) })
  })

  it('include the last one, however many values it has', () => {
    expect(shorten({ messages: [message('a'), message('b', 90)] }, 20)).toEqual({
      messages: [message('b', 90)],
    })
  })

  it.each([
    ['in a text', { messages: [{ id: '"messages":[{' }, { id: '\\" , ]}' }, { id: 'z' }] }],
    ['as a value', { a: 'messages', b: [{ id: 'x' }], messages: [{ id: '1' }, { id: '2' }, { id: 'z' }] }],
    ['further in', { state: { messages: [{ id: 'x' }, { id: 'y' }] }, messages: [{ id: '1' }, { id: 'z' }] }],
  ])('are found where their name and signs are also %s', (_where, body) => {
    expect(shorten(body, 1)).toEqual({ ...body, messages: [{ id: 'z' }] })
  })

  it.each([[[1, 2, 3]], [{ messages: 'none' }], [{ messages: [1, 2, 3] }], [{ message: 'x', list: [1, 2] }]])(
    'are left where there are none: %j',
    (body) => expect(shorten(body, 1)).toEqual(body),
  )

  it('leave what is no JSON to its reader', () => {
    expect(newestMessages(Buffer.from('{"messages":[{"id":"a'), 1).toString()).toBe('{"messages":[{"id":"a')
  })
})
