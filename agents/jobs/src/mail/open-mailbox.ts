import { isIP } from 'node:net'

import { ImapFlow, type MailboxObject } from 'imapflow'
import ipaddr from 'ipaddr.js'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Account } from './account.ts'

/** The timeouts of a connection to a mail server. */
export type Timeouts = { readonly connectMs: number; readonly silentMs: number }

/** Larger mails are skipped. */
export const MAX_MAIL_BYTES = 3_000_000

export type Login = { readonly account: Account; readonly password: string }

/** `address` is the checked address of the account's host. */
export type Connection = Login & { readonly address: string; readonly timeouts: Timeouts }

/** A mailbox that is open for reading only: nothing in it is marked as seen. */
export type OpenMailbox = {
  readonly client: ImapFlow
  readonly opened: MailboxObject
  /** Waits for a command while the connection lasts. @throws ServiceError */
  readonly waitFor: <T>(command: Promise<T>) => Promise<T>
}

/**
 * Opens a mailbox. @throws ServiceError `invalid-request` for a wrong password, `not-found`, `timed-out`,
 * `unavailable`
 */
export async function openMailbox({
  account,
  password,
  address,
  timeouts,
}: Connection): Promise<OpenMailbox> {
  const client = new ImapFlow({
    ...options(account, address, timeouts),
    auth: { user: account.user, pass: password },
  })
  const ending = Promise.withResolvers<never>()
  // Each command is raced against it.
  ending.promise.catch(() => undefined)
  // An error without a listener would end the thread.
  client.on('error', (error: unknown) => ending.reject(error))
  client.on('close', () => ending.reject(new Error('The mail server has closed the connection.')))
  const waitFor = async <T>(command: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([command, ending.promise])
    } catch (error) {
      throw toServiceError(error, account)
    }
  }
  await waitFor(client.connect())
  return { client, waitFor, opened: await waitFor(client.mailboxOpen(account.mailbox, { readOnly: true })) }
}

function options({ host, port, secure }: Account, address: string, { connectMs, silentMs }: Timeouts) {
  return {
    host: address,
    port,
    secure,
    // The connection goes to the checked address, but the certificate must be for the host's name.
    ...(isIP(host) === 0 && { servername: host }),
    // Only hosts in `privateHosts` get a password without TLS.
    ...(!secure && isPublic(address) && { doSTARTTLS: true }),
    logger: false as const,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    maxLiteralSize: 2 * MAX_MAIL_BYTES,
    maxLineLength: 2 * MAX_MAIL_BYTES,
    maxResponseSize: 3 * MAX_MAIL_BYTES,
  }
}

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/** The error for the user. It has no words of the mail server, which may repeat the password. */
function toServiceError(error: unknown, { host, mailbox }: Account): unknown {
  if (isServiceError(error)) return error
  const { code = '', authenticationFailed, executedCommand = '' } = error as Partial<ImapError>
  if (authenticationFailed === true) {
    return new ServiceError(
      'invalid-request',
      `${host} refuses this user name or password. Many providers want an app password in its place.`,
    )
  }
  if (/\bEXAMINE\b/.test(executedCommand)) {
    return new ServiceError(
      'not-found',
      `${host} has no mailbox “${toSingleLine(mailbox, 100)}” for this user.`,
    )
  }
  if (/TIMEOUT|ETIMEDOUT/i.test(code))
    return new ServiceError('timed-out', `${host} took too long to answer.`)
  if (/CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code)) {
    return new ServiceError('unavailable', `${host} has a certificate that is not trusted (${code}).`)
  }
  return new ServiceError('unavailable', `${host} cannot be reached, or ended the conversation.`)
}

/** The fields of imapflow's errors. */
type ImapError = {
  readonly code: string
  readonly authenticationFailed: boolean
  readonly executedCommand: string
}
