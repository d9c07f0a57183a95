import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { envelope } from '../../src/protocols/index.ts'
import { envelopesOf } from '../../src/protocols/envelope/judge.fixture.ts'
import type { StreamMessage, Envelope as StreamResponse } from '../../src/protocols/envelope/wire.ts'
import { logs } from '../../src/protocols/logs.fixture.ts'
import { framesOf } from '../laws/encoded.ts'
import { RUNS } from '../laws/runs.ts'
import { folded, saidByFold } from '../laws/said.ts'

/** The two clients that the description of the chat stream gives its readers, as they are written there but for their punctuation. */

function accumulating() {
  const contentBuffer: Record<string, string> = {}
  const displayContent = (_content: string | undefined): void => undefined

  function handleMessage(message: StreamMessage) {
    if (message.type === 'content') {
      if (message.status === 'generating') {
        // 累积内容
        contentBuffer[message.id] = (contentBuffer[message.id] || '') + message.value
        displayContent(contentBuffer[message.id])
      } else if (message.status === 'generated') {
        // 完成累积
        contentBuffer[message.id] = (contentBuffer[message.id] || '') + message.value
        displayContent(contentBuffer[message.id])
        // 可选：标记为完成
      }
    }
  }
  return { handleMessage, contentBuffer }
}

interface ClientMessageState {
  id: string
  type: string
  value: unknown
  status: 'generating' | 'generated'
  accumulatedContent?: string // 仅用于增量模式的content消息
}

function keepingState(responseMode: 'incremental' | 'full') {
  const messageState: Map<string, ClientMessageState> = new Map()
  let finished = 0

  function handleStreamMessage(response: StreamResponse) {
    for (const message of response.messages) {
      if (message.type === 'content' && responseMode === 'incremental') {
        // 增量模式：累积content
        const existing = messageState.get(message.id)
        if (existing) {
          existing.accumulatedContent = (existing.accumulatedContent || '') + message.value
          existing.status = message.status
          existing.value = existing.accumulatedContent // 用于显示
        } else {
          messageState.set(message.id, {
            ...message,
            accumulatedContent: message.value,
            value: message.value,
          })
        }
      } else {
        // 全量模式或其他类型消息：直接更新
        messageState.set(message.id, message)
      }
    }

    // 根据msgStatus判断是否完成
    if (response.msgStatus === 'finished') {
      // 请求完成，可以清理或保存状态
      finished += 1
    }
  }
  return { handleStreamMessage, messageState, finished: () => finished }
}

const MODES = ['incremental', 'full'] as const
const textOf = (values: readonly unknown[]): string => values.join('')

describe('whatever a run writes, the clients of the description', () => {
  it('that string contents together end with the right text', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const { handleMessage, contentBuffer } = accumulating()
        for (const { messages } of envelopesOf(framesOf(envelope, log).flat()))
          messages.forEach(handleMessage)

        expect(textOf(Object.values(contentBuffer))).toBe(saidByFold(folded(log)).text)
      }),
      RUNS,
    )
  })

  it.each(MODES)('that keep a state, %s, end with the right text and nothing unfinished', (responseMode) => {
    fc.assert(
      fc.property(logs, (log) => {
        const { handleStreamMessage, messageState, finished } = keepingState(responseMode)
        const frames = framesOf(envelope, log, { responseMode }).flat()
        for (const response of envelopesOf(frames)) handleStreamMessage(response)

        const states = [...messageState.values()]
        const contents = states.filter(({ type }) => type === 'content')
        expect(textOf(contents.map(({ value }) => value))).toBe(saidByFold(folded(log)).text)
        const isOver = folded(log).finishReason !== undefined || folded(log).failure !== undefined
        expect(finished()).toBe(isOver ? 1 : 0)
        if (isOver) expect(states.filter(({ status }) => status === 'generating')).toEqual([])
      }),
      RUNS,
    )
  })
})
