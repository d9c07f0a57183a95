import type { Envelope as StreamResponse, StreamMessage } from '../../src/protocols/envelope/wire.ts'

/** The two clients of the specification of the chat stream, as they are written there except for punctuation. */

export function accumulating() {
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

export function keepingState(responseMode: 'incremental' | 'full') {
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
