import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo, type Server } from 'node:net'

import { createSafeFetch, type SafeFetch } from 'dragoman/safe-fetch'
import type { Account } from './account.ts'

type StoredMail = { raw: string; internaldate?: string | Date; flags?: string[]; uid?: number }
type Storage = Record<string, { messages: StoredMail[]; uidvalidity?: number; [field: string]: unknown }>

type Hoodiecrow = {
  listen(port: number, host: string, listening: () => void): void
  close(closed: () => void): void
  readonly server: Server
  readonly folderCache: Storage
  appendMessage(mailbox: unknown, flags: string[], date: Date, raw: string): void
}

const require = createRequire(import.meta.url)
const hoodiecrow = require('hoodiecrow-imap') as (options: object) => Hoodiecrow

/** One of the mails beside this file. For tests. */
export function mailOf(name: string): string {
  return readFileSync(new URL(`mails/${name}.eml`, import.meta.url), 'latin1')
}

export type ImapServer = AsyncDisposable & {
  readonly account: Account
  readonly outward: SafeFetch
  /** A new mail in the inbox. */
  readonly arrive: (raw: string) => void
  readonly inbox: { messages: StoredMail[]; uidvalidity?: number }
}

/**
 * A mail server on this machine, with these mails in its inbox. Its user is `testuser`, the password `testpass`. For
 * tests.
 */
export async function imapServer(mails: readonly StoredMail[]): Promise<ImapServer> {
  const server = hoodiecrow({
    plugins: ['ID', 'SASL-IR', 'AUTH-PLAIN', 'LITERALPLUS', 'UNSELECT'],
    storage: { INBOX: { messages: [...mails], uidvalidity: 7 } },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  const inbox = server.folderCache['INBOX'] ?? { messages: [] }
  return {
    ...place(port),
    inbox,
    arrive: (raw) => server.appendMessage(inbox, [], new Date(), raw),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}

/** A server that greets, or does not, and then says nothing more. */
export async function stalledServer(greeting: string): Promise<Omit<ImapServer, 'inbox' | 'arrive'>> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    // Without it, it would not see that the other side has gone.
    socket.resume()
    socket.write(greeting)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...place((server.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * A server that lets everybody in, and then says the same over and over, for as long as somebody listens. For tests.
 */
export async function endlessServer(words: string): Promise<Omit<ImapServer, 'inbox' | 'arrive'>> {
  const server = createServer((socket) => {
    // It never stops, but it leaves this process time for others.
    const flood = (): void => {
      if (socket.destroyed) return
      if (socket.write(words)) setTimeout(flood, 1)
      else socket.once('drain', flood)
    }
    let buffer = ''
    socket.on('error', () => socket.destroy())
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    socket.on('data', (data) => {
      const lines = (buffer + data.toString('latin1')).split('\r\n')
      buffer = lines.pop() ?? ''
      for (const line of lines) {
        const [tag, command] = line.split(' ')
        if (command === 'UID') return flood()
        if (command === 'EXAMINE') socket.write('* 5 EXISTS\r\n* OK [UIDVALIDITY 1] .\r\n')
        socket.write(`${tag} OK\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...place((server.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

function place(port: number): { readonly account: Account; readonly outward: SafeFetch } {
  return {
    account: { host: '127.0.0.1', port, secure: false, user: 'testuser', mailbox: 'INBOX', from: [] },
    outward: createSafeFetch({ privateHosts: [`127.0.0.1:${port}`], version: 'test' }),
  }
}
