import { visibleJson } from '@dragoman/client/visible-text'
import { styleText } from 'node:util'

import type { LogEntry } from '@dragoman/client'
import type { Command } from 'commander'

import { exitWith, newCommand } from '../new-command.ts'
import { cutToWidth } from '../print-table.ts'
import { printableLine } from '../printable.ts'
import { connect } from './api.ts'
import { followError } from './follow-error.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type LogOptions = ServerAddress & { readonly follow?: boolean; readonly json?: boolean }

const DESCRIPTION =
  'Prints the entries of a run’s log, one a line. With --follow it continues until the run ends, also over a lost ' +
  'connection.'

export function logsCommand(): Command {
  return addServerOptions(newCommand('logs'))
    .description(DESCRIPTION)
    .argument('<RUN>', 'the run, or its message')
    .option('-f, --follow', 'wait for what comes')
    .option('--json', 'print entries as JSON lines')
    .action(printLog)
}

async function printLog(id: string, { follow = false, json = false, ...address }: LogOptions): Promise<void> {
  const api = connect(address)
  const { run } = await api.call('GET /v1/runs/{id}', { path: { id } })
  const stop = new AbortController()
  const leave = (): void => stop.abort()
  process.once('SIGINT', leave)
  try {
    for await (const entry of api.follow(run.id, { signal: stop.signal })) {
      process.stdout.write(`${json ? toJsonLine(entry) : toLine(entry)}\n`)
      if (!follow && entry.seq >= run.lastSeq) return
    }
  } catch (error) {
    if (stop.signal.aborted) return exitWith(130)
    throw followError(error)
  } finally {
    process.off('SIGINT', leave)
  }
}

/** An entry as the native protocol has it. */
export function toJsonLine({ seq, at, event }: LogEntry): string {
  return visibleJson({ seq, at, ...event })
}

function toLine({ seq, at, event }: LogEntry): string {
  const { type, ...fields } = event
  const time = new Date(at).toISOString().slice(11, 23)
  const details = printableLine(JSON.stringify(fields))
  const { columns, isTTY } = process.stdout
  const name = printableLine(type).padEnd(18)
  const line = `${String(seq).padStart(5)}  ${time}  ${name}  ${details === '{}' ? '' : details}`
  const cut = isTTY && columns > 0 ? cutToWidth(line.trimEnd(), columns) : line.trimEnd()
  return isTerminalType(type) ? styleText('bold', cut) : cut
}

function isTerminalType(type: string): boolean {
  return type === 'run.finished' || type === 'run.failed' || type === 'run.cancelled'
}
