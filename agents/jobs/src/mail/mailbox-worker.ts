import type { FetchMessageObject } from 'imapflow'

import { serveWorker } from 'dragoman/isolate'
import { MAX_MAIL_BYTES, openMailbox, type Connection, type OpenMailbox } from './open-mailbox.ts'
import { looksLikeAlert } from './looks-like-alert.ts'

/** Talks to a mail server in a thread, because a strange server may send anything, without end. */

/** The last mail that was read. The numbers of mails change with the mailbox's validity. */
export type Position = { readonly validity: string; readonly uid: number }

/** Opens a mailbox, then fetches its mails. */
export type MailboxRequest =
  | { readonly connection: Connection; readonly known: Position | null; readonly since: Date }
  | { readonly uid: number }

/** The mails to read. After them, everything up to `last` has been read. */
export type Unread = { readonly validity: string; readonly uids: readonly number[]; readonly last: number }
/** The mails to read, or the source of one mail, null if it no longer exists. */
export type MailboxAnswer = { readonly unread: Unread } | { readonly source: Uint8Array | null }

/** The mails of one reading that are opened, and whose senders and subjects are read. */
const MAX_MAILS = 500
const MAX_ENVELOPES = 10_000

let open: OpenMailbox | undefined

serveWorker<MailboxRequest, MailboxAnswer>(async (request) => {
  if ('connection' in request) {
    open = await openMailbox(request.connection)
    return { unread: await unread(open, request) }
  }
  if (!open) throw new Error('No mailbox is open.')
  const { client, waitFor } = open
  const mail = await waitFor(client.fetchOne(String(request.uid), { source: true }, { uid: true }))
  return { source: (mail && mail.source) || null }
})

/** The alerts to read: the newest ones the first time, later the oldest ones. */
async function unread(
  { client, opened, waitFor }: OpenMailbox,
  { connection, known, since }: Extract<MailboxRequest, { connection: Connection }>,
): Promise<Unread> {
  const validity = String(opened.uidValidity)
  const from = known?.validity === validity ? known : null
  const range = from ? { uid: `${from.uid + 1}:*` } : { since }
  const found = (await waitFor(client.search(range, { uid: true }))) || []
  // `n:*` includes the last mail even if its number is below n.
  const all = found.filter((uid) => uid > (from?.uid ?? 0)).toSorted((a, b) => a - b)
  const uids = from ? all.slice(0, MAX_ENVELOPES) : all.slice(-MAX_ENVELOPES)
  const [least, greatest] = [uids.at(0), uids.at(-1)]
  // Mails before the first reading are never read.
  const before = from?.uid ?? opened.uidNext - 1
  if (least === undefined || greatest === undefined) return { validity, uids: [], last: before }

  const query = { uid: true, envelope: true, size: true } as const
  // As a range, because some servers refuse a list of thousands.
  const mails = await waitFor(client.fetchAll(`${least}:${greatest}`, query, { uid: true }))
  const uidSet = new Set(uids)
  const alerts = mails
    .filter((mail) => uidSet.has(mail.uid) && isAlert(mail, connection.account.from))
    .map(({ uid }) => uid)
    .toSorted((one, other) => one - other)
  const cut = from ? alerts.slice(0, MAX_MAILS) : alerts.slice(-MAX_MAILS)
  const isAll = cut.length === alerts.length || !from
  return { validity, uids: cut, last: isAll ? Math.max(greatest, before) : (cut.at(-1) ?? before) }
}

function isAlert({ envelope, size = 0 }: FetchMessageObject, from: readonly string[]): boolean {
  if (size > MAX_MAIL_BYTES) return false
  return looksLikeAlert(envelope?.from?.[0]?.address ?? '', envelope?.subject ?? '', from)
}
