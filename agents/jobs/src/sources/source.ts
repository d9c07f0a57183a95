import { z } from 'zod'

import type { Json } from 'dragoman/events'
import { boardFor, boardKinds, type BoardKind } from '../boards/boards.ts'
import type { Account } from '../mail/account.ts'

export const sourceKinds = [...boardKinds, 'mail'] as const

/** What a source's postings must be like to be kept. What is absent does not matter. */
export type Filter = {
  /** Words of the title; a comma parts alternatives. */
  readonly keywords?: string
  /** A semicolon parts alternatives, for a comma may stand in a place's name. */
  readonly location?: string
  /** True: only remote ones; false: only the others. */
  readonly remote?: boolean
}

export type BoardSettings = { readonly kind: BoardKind; readonly board: string; readonly filter: Filter }

export type MailSettings = Account & { readonly kind: 'mail'; readonly filter: Filter }

export type Settings = BoardSettings | MailSettings

/** A source as it is kept. Its password is not shown to anybody. */
export type Source = {
  readonly id: number
  readonly userId: string
  readonly name: string
  readonly settings: Settings
  readonly secret: string | null
  readonly schedule: string | null
  readonly enabled: boolean
  readonly configured: boolean
  /** How far it has been read. */
  readonly state: Json
  readonly failures: number
  readonly createdAt: string
  readonly lastSyncedAt: string | null
  readonly lastError: string | null
  readonly dueAt: string | null
}

/** What names the same board or mailbox. */
export function identityOf(settings: Settings): string {
  if (settings.kind !== 'mail') return `${settings.kind}:${settings.board.toLowerCase()}`
  const { user, host, port, mailbox } = settings
  return `mail:${user.toLowerCase()}@${host}:${port}/${mailbox}`
}

/** What people call a source that has no name of its own: `Greenhouse: acme`. */
export function usualName(settings: Settings): string {
  if (settings.kind === 'mail') return `${settings.user}, ${settings.mailbox}`
  return `${boardFor(settings.kind).name}: ${settings.board}`
}

const filterShape = z.object({
  keywords: z.string().exactOptional(),
  location: z.string().exactOptional(),
  remote: z.boolean().exactOptional(),
})

/** A source as its user sees it. */
export const sourceShape = z
  .object({
    id: z.int(),
    kind: z.enum(sourceKinds),
    name: z.string(),
    board: z.string().exactOptional().describe('Whose board it is.'),
    host: z.string().exactOptional(),
    port: z.int().exactOptional(),
    secure: z.boolean().exactOptional(),
    user: z.string().exactOptional(),
    mailbox: z.string().exactOptional(),
    from: z.array(z.string()).exactOptional(),
    filter: filterShape,
    schedule: z.string().exactOptional().describe('A cron line, and its time zone.'),
    enabled: z.boolean(),
    configured: z.boolean().describe('It stands in config.yaml, and only there it can be changed.'),
    createdAt: z.string(),
    lastSyncedAt: z.string().exactOptional(),
    lastError: z.string().exactOptional(),
    nextSyncAt: z.string().exactOptional(),
  })
  .readonly()
  .meta({ id: 'Source' })
export type ShownSource = z.infer<typeof sourceShape>

/** What its user may see of a source: field by field, so that no secret ever slips in. */
export function publicSource(source: Source): ShownSource {
  const { settings } = source
  return {
    id: source.id,
    kind: settings.kind,
    name: source.name,
    ...(settings.kind === 'mail' ? mailFields(settings) : { board: settings.board }),
    filter: settings.filter,
    ...(source.schedule !== null && { schedule: source.schedule }),
    enabled: source.enabled,
    configured: source.configured,
    createdAt: source.createdAt,
    ...(source.lastSyncedAt !== null && { lastSyncedAt: source.lastSyncedAt }),
    ...(source.lastError !== null && { lastError: source.lastError }),
    ...(source.enabled && source.dueAt !== null && { nextSyncAt: source.dueAt }),
  }
}

function mailFields({ host, port, secure, user, mailbox, from }: MailSettings) {
  return { host, port, secure, user, mailbox, from: [...from] }
}
