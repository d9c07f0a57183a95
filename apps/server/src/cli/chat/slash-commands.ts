import { styleText } from 'node:util'

import { chooseAgent, chooseModel, chooseThread } from './choose.ts'
import type { ChatState } from './chat-state.ts'
import { findThread } from './conversation.ts'
import { formatMessages } from './format-messages.ts'

const HISTORY_LIMIT = 100

type SlashCommand = {
  readonly usage: string
  readonly help: string
  /** `word` is what follows the command. */
  readonly run: (state: ChatState, word: string) => Promise<void>
}

const commands: Readonly<Record<string, SlashCommand>> = {
  help: { usage: '/help', help: 'these commands', run: async ({ screen }) => screen.line(helpText()) },
  new: {
    usage: '/new',
    help: 'begin a new thread',
    run: async (state) => {
      state.thread = undefined
      state.screen.line('The next message begins a new thread.')
    },
  },
  history: {
    usage: '/history',
    help: `print the last ${HISTORY_LIMIT} messages of the thread`,
    run: (state) => printHistory(state, HISTORY_LIMIT),
  },
  threads: {
    usage: '/threads [ID]',
    help: 'go to another thread',
    run: async (state, word) => {
      const id = word === '' ? await chooseThread(state.api) : word
      if (id === undefined) return state.screen.line('The thread stays.')
      await state.open(await findThread(state.api, id))
    },
  },
  agent: {
    usage: '/agent [ID]',
    help: 'begin a thread with another agent',
    run: async (state, word) => {
      const agent = word === '' ? (await chooseAgent(state.api))?.id : word
      if (agent === undefined) return state.screen.line('The agent stays.')
      Object.assign(state, { agent, thread: undefined })
      state.screen.line(`The next message begins a thread with ${agent}.`)
    },
  },
  model: {
    usage: '/model [NAME]',
    help: 'let another model answer',
    run: async (state, word) => {
      const model = word === '' ? await chooseModel(state.api, state.agent) : word
      if (model === undefined) return state.screen.line('The model stays.')
      state.model = model === '' ? undefined : model
      state.screen.line(`Next messages go to ${state.model ?? 'the agent’s own model'}.`)
    },
  },
}

const LEAVE = new Set(['quit', 'exit'])

/** Whether a line is a command and not a message. A path, such as /etc/hosts, is none. */
export function isSlashCommand(line: string): boolean {
  return /^\/[a-z]+(?: |$)/.test(line)
}

/** Runs a command of the chat. `leave` if the user leaves. */
export async function runSlashCommand(line: string, state: ChatState): Promise<'leave' | undefined> {
  const [name = '', ...words] = line.slice(1).split(' ')
  if (LEAVE.has(name)) return 'leave'
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) await command.run(state, words.join(' ').trim())
  else state.screen.line(styleText('yellow', `There is no /${name}. /help lists the commands.`))
  return undefined
}

function helpText(): string {
  const rows = [...Object.values(commands), { usage: '/quit', help: 'leave; Ctrl+D does the same' }]
  return rows.map(({ usage, help }) => `  ${usage.padEnd(16)}${styleText('dim', help)}`).join('\n')
}

/** Prints the last messages of the thread but for the one that is being written. */
export async function printHistory(state: ChatState, limit: number): Promise<void> {
  const { api, screen, thread } = state
  if (!thread) return screen.line('The thread has no messages yet.')
  const { messages } = await api.call('GET /v1/threads/{id}/messages', {
    path: { id: thread.id },
    query: { limit },
  })
  const ended = messages.filter(
    (message) => message.role === 'user' || !['streaming', 'waiting'].includes(message.status),
  )
  screen.line(formatMessages(ended).trimEnd())
}
