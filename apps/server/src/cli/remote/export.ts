import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { Option, type Command } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { newCommand } from '../new-command.ts'
import { printable } from '../printable.ts'
import { replaceFile } from '../replace-file.ts'
import { connect } from './api.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type ExportOptions = ServerAddress & {
  readonly format: 'json' | 'markdown'
  readonly out?: string
  readonly force?: boolean
}

const DESCRIPTION =
  'Writes a thread to standard output or to a file. JSON is complete, with every branch; Markdown is for readers.'

export function exportCommand(): Command {
  return addServerOptions(newCommand('export'))
    .description(DESCRIPTION)
    .argument('<THREAD>', 'the thread')
    .addOption(new Option('--format <FORMAT>', 'format').choices(['json', 'markdown']).default('json'))
    .option('--out <FILE>', 'file to write')
    .option('--force', 'replace the file if it exists')
    .action(exportThread)
}

async function exportThread(
  thread: string,
  { format, out, force = false, ...address }: ExportOptions,
): Promise<void> {
  if (out !== undefined && !force && (await stat(out).catch(() => undefined)))
    throw new ServiceError('conflict', `${out} exists: name another file, or replace it with --force.`)
  const { body } = await connect(address).send('GET /v1/threads/{id}/export', {
    path: { id: thread },
    query: { format },
  })
  const pieces = Readable.fromWeb(body ?? new ReadableStream())
  if (out === undefined) return printPieces(pieces)
  await replaceFile(resolve(out), (temporary) =>
    pipeline(pieces, createWriteStream(temporary, { mode: 0o600 })),
  )
  process.stderr.write(`Thread ${thread} is in ${out}.\n`)
}

/** What goes to a terminal cannot control it; a file or another program gets all of it. */
async function printPieces(pieces: Readable): Promise<void> {
  const { stdout } = process
  for await (const piece of pieces.setEncoding('utf8')) {
    const text = String(piece)
    if (!stdout.write(stdout.isTTY ? printable(text) : text)) await once(stdout, 'drain')
  }
}
