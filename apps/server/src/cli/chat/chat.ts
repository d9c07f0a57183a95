import { Option, type Command } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { exitWith, newCommand } from '../new-command.ts'
import { connect, type Api } from '../remote/api.ts'
import { addServerOptions, type ServerAddress } from '../remote/server-options.ts'
import { findLatestThread, findThread, openThread, type OpenThread } from './conversation.ts'

const DESCRIPTION =
  'Chats with an agent of a server, here or elsewhere. With a message, or with standard input that is no terminal, ' +
  'it prints one answer on standard output and ends.'

const READ_MORE = `
In a chat: /help lists its commands. Ctrl+C stops an answer; Ctrl+D, or Ctrl+C twice, leaves. The server continues
what it does, and "dragoman chat --continue" shows it again.

Exit codes: 0 the answer is complete, 1 it failed, 2 the command line is wrong, 3 the run waits for an answer, which
"dragoman questions answer" gives, 130 it was stopped.
`

type ChatOptions = ServerAddress & {
  readonly agent?: string
  readonly thread?: string
  readonly continue?: boolean
  readonly model?: string
  readonly reasoning?: boolean
  readonly json?: boolean
}

export function chatCommand(): Command {
  const command = newCommand('chat')
    .description(DESCRIPTION)
    .argument('[MESSAGE]', 'one message')
    .option('--agent <ID>', 'agent of a new thread; in a terminal it can be chosen')
    .addOption(new Option('--thread <ID>', 'thread to continue').conflicts(['agent', 'continue']))
    .option('--continue', 'continue the latest thread, or the latest of --agent')
    .option('--model <NAME>', 'model that answers')
    .option('--reasoning', 'show the reasoning')
    .option('--json', 'print the entries of the log as JSON lines')
    .addHelpText('after', READ_MORE)
    .action(async (message: string | undefined, options: ChatOptions) =>
      exitWith(await chat(message, options)),
    )
  return addServerOptions(command)
}

async function chat(message: string | undefined, options: ChatOptions): Promise<number> {
  const { json = false, reasoning: showReasoning = false, model, agent } = options
  const api = connect(options)
  const isInteractive = message === undefined && process.stdin.isTTY && process.stdout.isTTY && !json
  if (isInteractive) {
    const { runChatSession } = await import('./chat-session.ts')
    const thread = await chooseThread(api, options)
    return runChatSession({ api, agent, thread, model, showReasoning })
  }
  const text = message ?? (process.stdin.isTTY ? '' : await readAll(process.stdin))
  if (text.trim() === '')
    throw new ServiceError(
      'invalid-request',
      'There is no message: dragoman chat MESSAGE. See dragoman chat --help.',
    )
  const { answerOnce } = await import('./one-shot.ts')
  const thread = (await chooseThread(api, options)) ?? (await openThread(api, agent))
  return answerOnce({ api, thread, message: { text, model }, json, showReasoning })
}

/** Undefined: a new one. */
async function chooseThread(api: Api, options: ChatOptions): Promise<OpenThread | undefined> {
  if (options.thread !== undefined) return findThread(api, options.thread)
  return options.continue ? findLatestThread(api, options.agent) : undefined
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const pieces: string[] = []
  for await (const piece of input.setEncoding('utf8')) pieces.push(String(piece))
  return pieces.join('')
}
