import { isIP } from 'node:net'

import { ImapFlow, type MailboxObject } from 'imapflow'
import ipaddr from 'ipaddr.js'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Account } from './account.ts'

/** How long a mail server is waited for, in ms. */
export type Patience = { readonly connectMs: number; readonly silentMs: number }

/** A mail, its envelope and all, is no larger. */
export const MAX_BYTES = 3_000_000

export type Login = { readonly account: Account; readonly password: string }

/** `address` is that of the account's host, checked. */
export type Door = Login & { readonly address: string; readonly patience: Patience }

/** A mailbox that is open, for reading only: nothing in it is marked as seen. */
export type OpenMailbox = {
  readonly client: ImapFlow
  readonly opened: MailboxObject
  /** Waits for a command, and no longer than there is a connection. @throws ServiceError */
  readonly answered: <T>(command: Promise<T>) => Promise<T>
}

/**
 * Opens a mailbox. @throws ServiceError `invalid-request` for a wrong password, `not-found`, `timed-out`,
 * `unavailable`
 */
export async function openMailbox({ account, password, address, patience }: Door): Promise<OpenMailbox> {
  const client = new ImapFlow({
    ...options(account, address, patience),
    auth: { user: account.user, pass: password },
  })
  const ending = Promise.withResolvers<never>()
  // It is only there to be raced against.
  ending.promise.catch(() => undefined)
  // An error that nobody listens to would end the thread.
  client.on('error', (error: unknown) => ending.reject(error))
  client.on('close', () => ending.reject(new Error('The mail server has closed the connection.')))
  const answered = async <T>(command: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([command, ending.promise])
    } catch (error) {
      throw sentence(error, account)
    }
  }
  await answered(client.connect())
  return { client, answered, opened: await answered(client.mailboxOpen(account.mailbox, { readOnly: true })) }
}

function options({ host, port, secure }: Account, address: string, { connectMs, silentMs }: Patience) {
  return {
    host: address,
    port,
    secure,
    // It is connected to by the address that was checked; its certificate must be for the name.
    ...(isIP(host) === 0 && { servername: host }),
    // A password goes in the clear only where the server's owner has allowed a host of their own network.
    ...(!secure && isOpen(address) && { doSTARTTLS: true }),
    logger: false as const,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    maxLiteralSize: 2 * MAX_BYTES,
    maxLineLength: 2 * MAX_BYTES,
    maxResponseSize: 3 * MAX_BYTES,
  }
}

function isOpen(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/** What its reader may see of an error. The server's own words are not told: it may repeat what it was told. */
function sentence(error: unknown, { host, mailbox }: Account): unknown {
  if (isServiceError(error)) return error
  const { code = '', authenticationFailed, executedCommand = '' } = error as Partial<Refusal>
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

/** As much of an error of imapflow as is looked at. */
type Refusal = {
  readonly code: string
  readonly authenticationFailed: boolean
  readonly executedCommand: string
}
