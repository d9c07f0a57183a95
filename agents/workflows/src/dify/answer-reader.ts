import type { WorkflowUpdate } from '../workflow-runner.ts'
import { readTokens, readUsage, type Json, type Usage } from 'dragoman/events'
import { workflowFailure, difyError } from './dify-error.ts'
import type { Frame } from './read-frames.ts'

/** The outputs that can hold a workflow's answer if it streamed no text. */
const ANSWERS = ['text', 'answer', 'result', 'output']

/** Reads Dify's frames and reports text and nodes to `tell`. */
export function answerReader(tell: (news: WorkflowUpdate) => void | Promise<void>) {
  let hasText = false
  const say = async (delta: string): Promise<void> => {
    if (delta === '') return
    hasText = true
    await tell({ type: 'text', delta })
  }
  return {
    /** Returns the usage when the workflow has succeeded. @throws ServiceError if it has failed */
    async take(frame: Frame): Promise<{ readonly usage?: Usage } | undefined> {
      switch (frame.event) {
        case 'text_chunk':
          await say(frame.data.text)
          return undefined
        case 'message':
        case 'agent_message':
          await say(frame.answer)
          return undefined
        case 'node_started':
        case 'node_finished': {
          const { node_id: node, title, status } = frame.data
          const ended = status === 'failed' ? 'failed' : 'finished'
          await tell({ type: 'node', node, title, state: frame.event === 'node_started' ? 'started' : ended })
          return undefined
        }
        case 'workflow_finished': {
          const { status, error, outputs, total_tokens: total } = frame.data
          if (status !== 'succeeded' && status !== 'partial-succeeded') throw difyError(error ?? '')
          if (!hasText) await say(textIn(outputs ?? {}))
          if (!hasText) throw workflowFailure('The workflow gave no text and no outputs.')
          // Dify counts both ways together.
          return readTokens(total)
            ? { usage: readUsage({ inputTokens: 0, outputTokens: total, estimated: true }) }
            : {}
        }
        case 'message_end': {
          if (!hasText) throw workflowFailure('The workflow gave no text and no outputs.')
          const usage = frame.metadata?.usage
          return usage
            ? {
                usage: readUsage({
                  inputTokens: usage.prompt_tokens,
                  outputTokens: usage.completion_tokens,
                }),
              }
            : {}
        }
        case 'error':
          throw difyError(frame.message, frame.status)
        case 'other':
          return undefined
      }
    },
  }
}

function textIn(outputs: { readonly [key: string]: Json }): string {
  const entries = Object.entries(outputs)
  if (entries.length === 0) return ''
  const named = ANSWERS.map((name) => outputs[name]).find((value) => typeof value === 'string')
  if (typeof named === 'string' && named !== '') return named
  const [only] = entries.length === 1 ? entries : []
  return typeof only?.[1] === 'string' ? only[1] : JSON.stringify(outputs, null, 2)
}
