import { normalForm } from 'dragoman/events'
import type { Kysely } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

const MAX_FILES = 20
const MAX_NAME_LENGTH = 120

export type NewPdf = { readonly name: string; readonly bytes: Uint8Array }
export type StoredPdf = { readonly filename: string; readonly size: number }

/**
 * Keeps the PDF that a client has made of a version; one of the same name is replaced. @throws ServiceError
 * `invalid-request` for what is none
 */
export async function storePdf(
  db: Kysely<Tables>,
  { id: versionId, userId }: { readonly id: number; readonly userId: string },
  { name, bytes }: NewPdf,
): Promise<StoredPdf> {
  if (!isPdf(bytes)) throw new ServiceError('invalid-request', 'file must be a PDF')
  const filename = nameOf(name)
  await userTransaction(db, userId, async (trx) => {
    const others = await trx
      .selectFrom('tailored_files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('tailored_id', '=', versionId)
      .where('filename', '!=', filename)
      .executeTakeFirstOrThrow()
    if (others.count >= MAX_FILES) {
      throw new ServiceError('invalid-request', `A version may have at most ${MAX_FILES} files`)
    }
    const row = { type: 'application/pdf', bytes, created_at: new Date().toISOString() }
    await trx
      .insertInto('tailored_files')
      .values({ ...row, tailored_id: versionId, filename })
      .onConflict((existing) => existing.columns(['tailored_id', 'filename']).doUpdateSet(row))
      .execute()
  })
  return { filename, size: bytes.byteLength }
}

/** @throws ServiceError `not-found` */
export async function readPdf(db: Kysely<Tables>, versionId: number, filename: string): Promise<Uint8Array> {
  const row = await db
    .selectFrom('tailored_files')
    .select('bytes')
    .where('tailored_id', '=', versionId)
    .where('filename', '=', filename)
    .executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'File not found')
  return row.bytes
}

/** Readers look for the mark in the first kilobyte, and for the end of the file near its end. */
function isPdf(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array): string =>
    Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  return text(bytes.subarray(0, 1024)).includes('%PDF-') && text(bytes.subarray(-2048)).includes('%%EOF')
}

/** What no system takes for a path. It always ends in `.pdf`. */
function nameOf(name: string): string {
  const last = normalForm(name, 'NFC').split(/[/\\]/u).at(-1) ?? ''
  const plain = last.replace(/\.pdf$/iu, '').replaceAll(/[:*?"<>|\p{Cs}]/gu, ' ')
  const row = toSingleLine(plain, MAX_NAME_LENGTH)
    .replace(/^[. ]+/u, '')
    .replace(/(?<![. …])[. …]+$/u, '')
  return `${row === '' ? 'resume' : row}.pdf`
}
