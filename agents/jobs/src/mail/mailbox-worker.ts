import type { FetchMessageObject } from 'imapflow'

import { serveWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import { MAX_BYTES, openMailbox, type Door, type OpenMailbox } from './connection.ts'
import { looksLikeAlert } from './looks-like-alert.ts'

/**
 * The thread on which a mail server is spoken to: it may be anybody's, and say as much as it likes of what it likes.
 */

/** How far a mailbox was read. Its mails' numbers hold only as long as its validity does. */
export type Mark = { readonly validity: string; readonly uid: number }

/** First a mailbox is opened, then its mails are asked for. */
export type MailboxRequest =
  | { readonly door: Door; readonly known: Mark | null; readonly since: Date }
  | { readonly uid: number }

/** Which mails are to be read. All up to `last` has been looked at once these have been. */
export type Unread = { readonly validity: string; readonly uids: readonly number[]; readonly last: number }
/** Which mails there are, or what is in the one that was asked for, if it is still there. */
export type MailboxAnswer = { readonly unread: Unread } | { readonly source: Uint8Array | null }

/** So many mails are opened at a time, the rest when it is next read; and so many looked at. */
const MAX_MAILS = 500
const MAX_MESSAGES = 10_000

let open: OpenMailbox | undefined

serveWorker<MailboxRequest, MailboxAnswer>(async (request) => {
  if ('door' in request) {
    open = await openMailbox(request.door)
    return { unread: await unread(open, request) }
  }
  if (!open) throw new Error('No mailbox is open.')
  const { client, answered } = open
  const mail = await answered(client.fetchOne(String(request.uid), { source: true }, { uid: true }))
  return { source: (mail && mail.source) || null }
})

/** The alerts that have not been read, of the first time the newest, later the oldest. */
async function unread(
  { client, opened, answered }: OpenMailbox,
  { door, known, since }: Extract<MailboxRequest, { door: Door }>,
): Promise<Unread> {
  const validity = String(opened.uidValidity)
  const from = known?.validity === validity ? known : null
  const range = from ? { uid: `${from.uid + 1}:*` } : { since }
  const found = (await answered(client.search(range, { uid: true }))) || []
  // `n:*` gives the last one even where there is none from n on.
  const all = found.filter((uid) => uid > (from?.uid ?? 0)).toSorted((a, b) => a - b)
  const uids = from ? all.slice(0, MAX_MESSAGES) : all.slice(-MAX_MESSAGES)
  const [least, greatest] = [uids.at(0), uids.at(-1)]
  // What is older than the first time looks at stays unread, whatever its number.
  const before = from?.uid ?? opened.uidNext - 1
  if (least === undefined || greatest === undefined) return { validity, uids: [], last: before }

  const query = { uid: true, envelope: true, size: true } as const
  // As a range: a list of thousands is longer than some servers read.
  const mails = await answered(client.fetchAll(`${least}:${greatest}`, query, { uid: true }))
  const uidSet = new Set(uids)
  const alerts = mails
    .filter((mail) => uidSet.has(mail.uid) && isAlert(mail, door.account.from))
    .map(({ uid }) => uid)
    .toSorted((one, other) => one - other)
  const cut = from ? alerts.slice(0, MAX_MAILS) : alerts.slice(-MAX_MAILS)
  const isAll = cut.length === alerts.length || !from
  return { validity, uids: cut, last: isAll ? Math.max(greatest, before) : (cut.at(-1) ?? before) }
}

function isAlert({ envelope, size = 0 }: FetchMessageObject, from: readonly string[]): boolean {
  if (size > MAX_BYTES) return false
  return looksLikeAlert(envelope?.from?.[0]?.address ?? '', envelope?.subject ?? '', from)
}
