import { styleText } from 'node:util'

import { printable, printableLine } from '../printable.ts'
import type { Thread } from '@dragoman/client/v1'
import type { Api } from '../remote/api.ts'
import { toJsonLine } from '../remote/logs.ts'
import { startRun, stopThread, type Message } from './conversation.ts'
import { followAnswer, type Followed } from './follow-answer.ts'
import { watchInterrupts } from './interrupts.ts'
import { createScreen } from './screen.ts'

/** The exit code if the run waits for an answer. */
const ASKED_EXIT_CODE = 3
const INTERRUPTED_EXIT_CODE = 130

const NOWHERE = { write: () => true }

type OneShotOptions = {
  readonly api: Api
  readonly thread: Thread
  readonly message: Message
  readonly json: boolean
  readonly showReasoning: boolean
}

/**
 * Sends one message and prints the answer, or the entries of its log, on standard output, and all else on standard
 * error. Gives the exit code.
 */
export async function answerOnce(options: OneShotOptions): Promise<number> {
  const { api, thread, message, json, showReasoning } = options
  const notices = createScreen({ answer: process.stdout, notices: process.stderr, hasStatus: false })
  const screen = json ? createScreen({ answer: NOWHERE, notices: NOWHERE, hasStatus: false }) : notices
  using interrupts = watchInterrupts(() => {
    notices.line(styleText('dim', 'Stopping; Ctrl+C again leaves without waiting.'))
    stopThread(api, thread.id).catch((error: unknown) => notices.line(printableLine(String(error))))
  })
  const { signal } = interrupts
  try {
    const response = await startRun(api, thread.id, message, signal)
    const onEntry = json ? printEntry : undefined
    const followed = await followAnswer(response, { api, screen, showReasoning, signal, onEntry })
    if (followed.end === 'asked') reportQuestions(followed, thread.id)
    return exitCodeOfEnd(followed)
  } catch (error) {
    if (signal.aborted) return INTERRUPTED_EXIT_CODE
    throw error
  }
}

function printEntry(entry: Parameters<typeof toJsonLine>[0]): void {
  process.stdout.write(`${toJsonLine(entry)}\n`)
}

function reportQuestions({ waitingCalls }: Followed, threadId: string): void {
  const lines = waitingCalls.map(({ callId, tool, input = null, question }) => {
    const call = printableLine(`${tool} ${JSON.stringify(input)}`)
    const answer = question?.kind === 'output' ? '--output JSON' : 'yes   (or no)'
    return `The run waits for an answer to ${call}\n  dragoman questions answer ${callId} ${answer}\n`
  })
  process.stderr.write(printable(`${lines.join('')}Then read on with: dragoman chat --thread ${threadId}\n`))
}

function exitCodeOfEnd({ end }: Followed): number {
  if (end === 'asked') return ASKED_EXIT_CODE
  if (end === 'run.cancelled') return INTERRUPTED_EXIT_CODE
  return end === 'run.finished' ? 0 : 1
}
