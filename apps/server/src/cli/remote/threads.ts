import type { Command } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { formatMessages } from '../chat/format-messages.ts'
import { newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { printableLine } from '../printable.ts'
import type { Thread } from '@dragoman/client/v1'
import { connect } from './api.ts'
import { formatTime } from './format-time.ts'
import { limitOption } from './list-limit.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type ListOptions = ServerAddress & {
  readonly agent?: string
  readonly archived?: boolean
  readonly limit: number
  readonly json?: boolean
}

type ShowOptions = ServerAddress & { readonly limit: number; readonly json?: boolean }

export function threadsCommand(): Command {
  return newCommand('threads')
    .description('Lists and changes the threads of a user. Without a command it lists them.')
    .addCommand(
      addServerOptions(newCommand('list'))
        .description('Lists threads, the latest first.')
        .option('--agent <ID>', 'only those of an agent')
        .option('--archived', 'those in the archive')
        .addOption(limitOption())
        .option('--json', 'print JSON')
        .action(listThreads),
    )
    .addCommand(
      addServerOptions(newCommand('show'))
        .description('Prints the last messages of a thread.')
        .argument('<ID>', 'the thread')
        .addOption(limitOption())
        .option('--json', 'print JSON')
        .action(showThread),
    )
    .addCommand(
      changeCommand('rename', 'Gives a thread another title.')
        .argument('<TITLE>', 'the title')
        .action(renameThread),
    )
    .addCommand(
      changeCommand('archive', 'Puts a thread into the archive.')
        .option('--undo', 'take it out again')
        .action(archiveThread),
    )
    .addCommand(
      changeCommand('delete', 'Deletes a thread with its messages, runs and logs, for good.')
        .option('--yes', 'do not ask')
        .action(deleteThread),
    )
}

function changeCommand(name: string, description: string): Command {
  return addServerOptions(newCommand(name)).description(description).argument('<ID>', 'the thread')
}

async function listThreads({ agent, archived, limit, json, ...address }: ListOptions): Promise<void> {
  const page = await connect(address).call('GET /v1/threads', { query: { limit, archived, agent } })
  if (json) return printJson(page)
  if (page.threads.length === 0) return say('There are no threads.')
  printTable([
    ['ID', 'AGENT', 'CHANGED', 'TITLE'],
    ...page.threads.map((thread) => [
      thread.id,
      thread.agent,
      formatTime(thread.updatedAt),
      thread.title ?? '-',
    ]),
  ])
}

async function showThread(id: string, { limit, json, ...address }: ShowOptions): Promise<void> {
  const api = connect(address)
  const path = { id }
  const thread = await api.call('GET /v1/threads/{id}', { path })
  const page = await api.call('GET /v1/threads/{id}/messages', { path, query: { limit } })
  if (json) return printJson({ thread, ...page })
  process.stdout.write(`${printableLine(thread.title ?? thread.id)}\n\n${formatMessages(page.messages)}`)
  if (thread.live) say(`Run ${thread.live.id} is ${thread.live.status}: dragoman chat --thread ${id}`)
}

async function renameThread(id: string, title: string, address: ServerAddress): Promise<void> {
  const thread = await connect(address).call('PATCH /v1/threads/{id}', { path: { id }, body: { title } })
  say(`Thread ${thread.id} has the title ${thread.title ?? ''}.`)
}

async function archiveThread(
  id: string,
  { undo = false, ...address }: ServerAddress & { readonly undo?: boolean },
): Promise<void> {
  const body = { archived: !undo }
  const thread = await connect(address).call('PATCH /v1/threads/{id}', { path: { id }, body })
  say(`Thread ${thread.id} is ${undo ? 'no longer ' : ''}in the archive.`)
}

async function deleteThread(
  id: string,
  { yes = false, ...address }: ServerAddress & { readonly yes?: boolean },
): Promise<void> {
  const api = connect(address)
  const path = { id }
  const thread = await api.call('GET /v1/threads/{id}', { path })
  if (!yes && !(await isConfirmed(thread))) return say('Nothing is deleted.')
  await api.call('DELETE /v1/threads/{id}', { path })
  say(`Thread ${thread.id} is deleted.`)
}

/** @throws ServiceError `invalid-request` without a terminal */
async function isConfirmed({ id, title }: Thread): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new ServiceError('invalid-request', 'Without a terminal, a deletion needs --yes.')
  const { confirm } = await import('@clack/prompts')
  const message = `Delete ${printableLine(title ?? id)} for good?`
  return (await confirm({ message, initialValue: false })) === true
}

function say(sentence: string): void {
  process.stderr.write(`${printableLine(sentence)}\n`)
}
