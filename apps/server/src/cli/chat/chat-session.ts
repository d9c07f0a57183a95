import { styleText } from 'node:util'

import { isServiceError } from 'dragoman/errors'
import { printableLine } from '../printable.ts'
import type { Api } from '../remote/api.ts'
import { chooseAgent } from './choose.ts'
import { openThread, startRun, stopThread, type Message, type OpenThread } from './conversation.ts'
import type { ChatState } from './chat-state.ts'
import { createAsker } from './create-asker.ts'
import { followAnswer, type AnswerSource, type Followed } from './follow-answer.ts'
import { fillForm, findForm } from './form.ts'
import { watchInterrupts } from './interrupts.ts'
import { readLine } from './read-line.ts'
import { createScreen } from './screen.ts'
import { isSlashCommand, printHistory, runSlashCommand } from './slash-commands.ts'

const RECENT_MESSAGES = 10

export type ChatSessionOptions = {
  readonly api: Api
  readonly agent: string | undefined
  /** The thread to continue. Undefined: the first message begins one. */
  readonly thread: OpenThread | undefined
  readonly model: string | undefined
  readonly showReasoning: boolean
}

/** Chats in a terminal until the user leaves. Gives the exit code. */
export async function runChatSession({ thread, ...options }: ChatSessionOptions): Promise<number> {
  const screen = createScreen({ answer: process.stdout, notices: process.stdout, hasStatus: true })
  const state: ChatState = { ...options, screen, thread, open: (other) => showThread(state, other) }
  if (thread) await showThread(state, thread)
  else if (state.agent === undefined) {
    state.agent = (await chooseAgent(state.api))?.id
    if (state.agent === undefined) return 0
  }
  screen.line(styleText('dim', 'Write a message. /help lists commands, Ctrl+D leaves.'))
  const lines: string[] = []
  for (;;) {
    process.stdout.write('\n')
    const line = await readLine(styleText('cyan', '› '), lines)
    if (line === undefined) process.stdout.write('\n')
    if (line === undefined || (await handleLine(line.trim(), state)) === 'leave') break
  }
  if (state.thread)
    screen.line(styleText('dim', `Continue with: dragoman chat --thread ${printableLine(state.thread.id)}`))
  return 0
}

type Next = 'leave' | undefined

/** An error of the server is shown, and the chat continues. */
async function handleLine(line: string, state: ChatState): Promise<Next> {
  if (line === '') return undefined
  try {
    return isSlashCommand(line) ? await runSlashCommand(line, state) : await say({ text: line }, state)
  } catch (error) {
    if (!isServiceError(error)) throw error
    state.screen.line(styleText('red', printableLine(error.message)))
    return undefined
  }
}

async function showThread(state: ChatState, thread: OpenThread): Promise<void> {
  Object.assign(state, { thread, agent: thread.agent })
  state.screen.line(styleText('bold', printableLine(thread.title ?? thread.id)))
  await printHistory(state, RECENT_MESSAGES)
  if (thread.live) await withInterrupts(state, async () => thread.live as AnswerSource)
}

/** Sends a message, and what the user fills into a form of the answer. */
async function say(message: Message, state: ChatState): Promise<Next> {
  const followed = await withInterrupts(state, async (signal) => {
    state.thread ??= await openThread(state.api, state.agent, signal)
    return startRun(state.api, state.thread.id, { model: state.model, ...message }, signal)
  })
  if (followed === 'leave') return followed
  const form = followed.end === 'run.finished' ? findForm(followed.message) : undefined
  const filled = form && (await fillForm(form))
  return filled ? say({ text: filled.message, context: filled.context }, state) : undefined
}

/** Prints an answer. Ctrl+C stops it; once more, it leaves. */
async function withInterrupts(
  state: ChatState,
  start: (signal: AbortSignal) => Promise<AnswerSource>,
): Promise<Followed | 'leave'> {
  const { api, screen, showReasoning } = state
  const stop = async (): Promise<void> => {
    screen.line(styleText('dim', 'Stopping; Ctrl+C again leaves.'))
    if (state.thread) await stopThread(api, state.thread.id)
  }
  using interrupts = watchInterrupts(() => {
    stop().catch((error: unknown) => screen.line(styleText('red', printableLine(String(error)))))
  })
  const { signal } = interrupts
  try {
    const source = await start(signal)
    const asker = createAsker({ api, screen, stop })
    return await followAnswer(source, { api, screen, showReasoning, signal, asker })
  } catch (error) {
    if (signal.aborted) return 'leave'
    throw error
  }
}
