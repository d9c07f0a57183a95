import { z } from 'zod'

import type { Json } from 'dragoman/events'
import { boardFor, boardKinds, type BoardKind } from '../boards/boards.ts'
import type { Account } from '../mail/account.ts'
import { omitNulls } from '../omit-nulls.ts'

export const sourceKinds = [...boardKinds, 'mail'] as const

const filterShape = z.object({
  keywords: z.string().exactOptional(),
  location: z.string().exactOptional(),
  remote: z.boolean().exactOptional(),
})

/**
 * The postings that a source shall bring; absent fields do not matter. `keywords` are words of the title, and a comma
 * separates alternatives. In `location` a semicolon does, because places contain commas.
 */
export type Filter = z.infer<typeof filterShape>

export type BoardSettings = { readonly kind: BoardKind; readonly board: string; readonly filter: Filter }

export type MailSettings = Account & { readonly kind: 'mail'; readonly filter: Filter }

export type Settings = BoardSettings | MailSettings

/** What a user sets of a source. */
export type NewSource = {
  readonly name: string
  readonly settings: Settings
  /** A mailbox's password. It is never shown. */
  readonly secret: string | null
  readonly schedule: string | null
  readonly enabled: boolean
}

export type Source = NewSource & {
  readonly id: number
  readonly userId: string
  readonly configured: boolean
  /** The position up to which it was read. */
  readonly state: Json
  readonly failures: number
  readonly createdAt: string
  readonly lastSyncedAt: string | null
  readonly lastError: string | null
  readonly dueAt: string | null
}

/** The same for all sources with this board or mailbox. */
export function identityOf(settings: Settings): string {
  if (settings.kind !== 'mail') return `${settings.kind}:${settings.board.toLowerCase()}`
  const { user, host, port, mailbox } = settings
  return `mail:${user.toLowerCase()}@${host}:${port}/${mailbox}`
}

/** The name of a source without a name: `Greenhouse: acme`. */
export function usualName(settings: Settings): string {
  if (settings.kind === 'mail') return `${settings.user}, ${settings.mailbox}`
  return `${boardFor(settings.kind).name}: ${settings.board}`
}

/** A source as its user sees it. */
export const sourceShape = z
  .object({
    id: z.int(),
    kind: z.enum(sourceKinds),
    name: z.string(),
    board: z.string().exactOptional().describe("The company's name on the board."),
    host: z.string().exactOptional(),
    port: z.int().exactOptional(),
    secure: z.boolean().exactOptional(),
    user: z.string().exactOptional(),
    mailbox: z.string().exactOptional(),
    from: z.array(z.string()).exactOptional(),
    filter: filterShape,
    schedule: z.string().exactOptional().describe('A cron line and its time zone.'),
    enabled: z.boolean(),
    configured: z.boolean().describe('It is in config.yaml, and can only be changed there.'),
    createdAt: z.string(),
    lastSyncedAt: z.string().exactOptional(),
    lastError: z.string().exactOptional(),
    nextSyncAt: z.string().exactOptional(),
  })
  .readonly()
  .meta({ id: 'Source' })
export type ShownSource = z.infer<typeof sourceShape>

/** The fields that a user may see. They are listed one by one, so that no secret is among them. */
export function publicSource(source: Source): ShownSource {
  const { id, name, settings, enabled, configured, createdAt } = source
  const { schedule, lastSyncedAt, lastError, dueAt } = source
  const { kind, filter } = settings
  return {
    id,
    kind,
    name,
    ...(settings.kind === 'mail' ? mailFields(settings) : { board: settings.board }),
    filter,
    enabled,
    configured,
    createdAt,
    ...omitNulls({ schedule, lastSyncedAt, lastError, nextSyncAt: enabled ? dueAt : null }),
  }
}

function mailFields({ host, port, secure, user, mailbox, from }: MailSettings) {
  return { host, port, secure, user, mailbox, from: [...from] }
}
