import type { Command } from 'commander'

import { formatMessages } from '../chat/format-messages.ts'
import { newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import type { Run } from '@dragoman/client/v1'
import { connect } from './api.ts'
import { formatTime } from './format-time.ts'
import { limitOption } from './list-limit.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type JsonOption = { readonly json?: boolean }
type ListOptions = ServerAddress & JsonOption & { readonly thread?: string; readonly limit: number }

export function runsCommand(): Command {
  return newCommand('runs')
    .description('Lists, shows and stops runs. Without a command it lists them.')
    .addCommand(
      addServerOptions(newCommand('list'))
        .description('Lists runs, the latest first.')
        .option('--thread <ID>', 'only those of a thread')
        .addOption(limitOption())
        .option('--json', 'print JSON')
        .action(listRuns),
    )
    .addCommand(
      addServerOptions(newCommand('show'))
        .description('Prints the state of a run and its message so far.')
        .argument('<ID>', 'the run, or its message')
        .option('--json', 'print JSON')
        .action(showRun),
    )
    .addCommand(
      addServerOptions(newCommand('stop'))
        .description('Stops a run. What it has said is kept.')
        .argument('<ID>', 'the run, or its message')
        .action(stopRun),
    )
}

async function listRuns({ thread, limit, json, ...address }: ListOptions): Promise<void> {
  const page = await connect(address).call('GET /v1/runs', { query: { limit, thread } })
  if (json) return printJson(page)
  if (page.runs.length === 0) return void process.stderr.write('There are no runs.\n')
  printTable([['ID', 'STATUS', 'STARTED', 'AGENT', 'THREAD'], ...page.runs.map(toRow)])
}

function toRow({ id, status, createdAt, agent, threadId }: Run): readonly string[] {
  return [id, status, formatTime(createdAt), agent, threadId]
}

async function showRun(id: string, { json, ...address }: ServerAddress & JsonOption): Promise<void> {
  const found = await connect(address).call('GET /v1/runs/{id}', { path: { id } })
  if (json) return printJson(found)
  const { run, message } = found
  printTable([
    ['ID', 'STATUS', 'STARTED', 'AGENT', 'THREAD', 'ENTRIES'],
    [...toRow(run), String(run.lastSeq)],
  ])
  process.stdout.write(`\n${formatMessages([message])}`)
}

async function stopRun(id: string, address: ServerAddress): Promise<void> {
  const { stopped } = await connect(address).call('POST /v1/runs/{id}/stop', { path: { id } })
  process.stderr.write(stopped ? `Run ${id} is stopped.\n` : `Run ${id} had ended already.\n`)
}
