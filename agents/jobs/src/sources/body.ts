import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { boardFor, boardKinds, boardOf, boards, type BoardKind } from '../boards/boards.ts'
import { idField, neededLine, optionalText } from '../fields.ts'
import { readSchedule } from './schedule.ts'
import { sourceKinds, usualName, type Filter, type MailSettings, type Settings } from './source.ts'
import type { NewSource } from './source-row.ts'

const MAX_LINE_LENGTH = 300
const MAX_URL_LENGTH = 2000
const MAX_PASSWORD_LENGTH = 1000
const MAX_SENDERS = 50

/** Which source a path means. */
export const sourcePath = z.object({ id: idField('Invalid source id') })

/** Names a field as its reader knows it: of config.yaml it says which entry it is of. */
type Naming = (field: string) => string
const plainly: Naming = (field) => field

function truth(field: string) {
  return z.boolean({ error: `${field} must be true or false` }).nullish()
}

function filterField(at: Naming) {
  const error = `${at('filter')} must be an object with keywords, location and remote`
  return z
    .object(
      {
        keywords: optionalText(at('filter.keywords'), MAX_LINE_LENGTH),
        location: optionalText(at('filter.location'), MAX_LINE_LENGTH),
        remote: truth(at('filter.remote')),
      },
      { error },
    )
    .nullish()
    .transform((filter): Filter | undefined => {
      if (filter === undefined) return undefined
      const { keywords, location, remote } = filter ?? {}
      return {
        ...(keywords !== undefined && { keywords }),
        ...(location !== undefined && { location }),
        ...(typeof remote === 'boolean' && { remote }),
      }
    })
}

function scheduleField(at: Naming) {
  return z
    .string({ error: `${at('schedule')} must be a text` })
    .max(MAX_LINE_LENGTH, `${at('schedule')} may have at most ${MAX_LINE_LENGTH} characters`)
    .nullish()
    .transform((text) => {
      if (text === undefined) return undefined
      return text === null || text.trim() === '' ? null : readSchedule(at('schedule'), text)
    })
}

/** What of a mailbox may be said, now or later. */
function mailFields(at: Naming) {
  const port = `${at('port')} must be a whole number, from 1 to 65535`
  const senders = `${at('from')} must be a list of addresses or domains, at most ${MAX_SENDERS}`
  const password = `${at('password')} must be a text of at most ${MAX_PASSWORD_LENGTH} characters`
  return {
    host: optionalText(at('host'), MAX_LINE_LENGTH).refine(
      (host) => host === undefined || /^[\p{L}\d.:-]+$/u.test(host),
      `${at('host')} must be the name of a mail server, such as imap.example.com`,
    ),
    port: z.int(port).min(1, port).max(65_535, port).nullish(),
    secure: truth(at('secure')),
    user: optionalText(at('user'), MAX_LINE_LENGTH),
    // As it is: a password may begin with a space.
    password: z.string(password).max(MAX_PASSWORD_LENGTH, password).nullish(),
    mailbox: optionalText(at('mailbox'), MAX_LINE_LENGTH),
    from: z
      .union([z.string().max(MAX_LINE_LENGTH), z.array(z.string().max(MAX_LINE_LENGTH)).max(MAX_SENDERS)], {
        error: senders,
      })
      .nullish()
      .transform((from) =>
        from === undefined || from === null
          ? undefined
          : [from]
              .flat()
              .map((each) => each.trim().toLowerCase())
              .filter(Boolean),
      ),
  }
}

/** What `POST /jobs/sources` takes, and an entry of `sources` in config.yaml. */
export function newSourceBody(at: Naming = plainly) {
  return z
    .object({
      kind: optionalText(at('kind'), MAX_LINE_LENGTH).describe(`One of: ${sourceKinds.join(', ')}.`),
      board: optionalText(at('board'), MAX_URL_LENGTH).describe(
        'Its name on the board, or an address of it.',
      ),
      name: optionalText(at('name'), MAX_LINE_LENGTH),
      schedule: scheduleField(at),
      enabled: truth(at('enabled')),
      check: truth(at('check')),
      filter: filterField(at),
      ...mailFields(at),
    })
    .meta({
      examples: [
        {
          board: 'https://boards.greenhouse.io/northwind',
          schedule: '0 8 * * 1-5 Europe/Berlin',
          filter: { keywords: 'engineer, 工程师', remote: true },
        },
      ],
    })
    .transform(({ name, schedule, enabled, check, password, ...body }) => {
      const request = { ...body, filter: body.filter ?? {} }
      const settings = body.kind === 'mail' ? mailSettings(request, at) : boardSettings(request, at)
      if (settings.kind === 'mail' && !password) throw invalid(`${at('password')} is required`)
      const source: NewSource = {
        name: name ?? usualName(settings),
        settings,
        secret: settings.kind === 'mail' ? (password ?? null) : null,
        schedule: schedule ?? null,
        enabled: enabled ?? true,
      }
      return { source, check: check ?? true }
    })
}

type SourceFields = {
  readonly [Field in keyof Omit<MailSettings, 'kind' | 'filter'>]?: MailSettings[Field] | null | undefined
}

function mailSettings(
  { filter, ...asked }: SourceFields & { readonly filter: Filter },
  at: Naming,
): MailSettings {
  const { host, user, mailbox, from } = asked
  if (host === undefined || host === null) throw invalid(`${at('host')} is required`)
  if (user === undefined || user === null) throw invalid(`${at('user')} is required`)
  const secure = asked.secure ?? asked.port !== 143
  return {
    kind: 'mail',
    host: host.toLowerCase(),
    port: asked.port ?? (secure ? 993 : 143),
    secure,
    user,
    mailbox: mailbox ?? 'INBOX',
    from: from ?? [],
    filter,
  }
}

type ToldBoard = {
  readonly kind: string | undefined
  readonly board: string | undefined
  readonly filter: Filter
}

/** The kind is seen from an address; a slug alone does not tell it. */
function boardSettings({ kind: named, board, filter }: ToldBoard, at: Naming): Settings {
  const kind = named?.toLowerCase()
  if (kind !== undefined && !isBoardKind(kind)) {
    throw invalid(`${at('kind')} must be one of: ${sourceKinds.join(', ')}`)
  }
  if (board === undefined) throw invalid(`${at('board')} is required`)
  const url = URL.parse(board.includes('://') ? board : `https://${board}`)
  const found = url ? boardOf(url) : undefined
  if (found) {
    if (kind !== undefined && kind !== found.board.kind) {
      throw invalid(`${at('board')} is an address of ${found.board.name}, not of ${boardFor(kind).name}`)
    }
    return { kind: found.board.kind, board: found.slug, filter }
  }
  if (board.includes('/')) {
    const names = boards.map(({ name }) => name).join(', ')
    throw invalid(`${at('board')} is no address of a board that can be read: ${names}`)
  }
  if (kind === undefined) throw invalid(`${at('kind')} is required where board is no address`)
  if (!boardFor(kind).isSlug(board))
    throw invalid(`${at('board')} is no name of a board of ${boardFor(kind).name}`)
  return { kind, board, filter }
}

function isBoardKind(kind: string): kind is BoardKind {
  return boardKinds.some((names) => names === kind)
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}

/** What `PATCH /jobs/sources/:id` takes. What is left out stays; `schedule: null` and `filter: null` take them away. */
export const sourceChanges = z
  .object({
    name: neededLine('name', MAX_LINE_LENGTH).optional(),
    schedule: scheduleField(plainly),
    enabled: truth('enabled'),
    check: truth('check'),
    filter: filterField(plainly),
    ...mailFields(plainly),
  })
  .meta({ examples: [{ schedule: '30 7 * * * Asia/Shanghai', enabled: true }] })
export type SourceChanges = z.infer<typeof sourceChanges>
type SettingChanges = Omit<SourceChanges, 'name' | 'schedule' | 'enabled' | 'check'>

/**
 * The settings as they are after a change. @throws ServiceError `invalid-request` where a board is told of passwords
 * and mailboxes
 */
export function changedSettings(settings: Settings, { filter, ...changes }: SettingChanges): Settings {
  const { host, port, secure, user, password, mailbox, from } = changes
  const newFilter = filter ?? settings.filter
  if (settings.kind === 'mail') {
    const mail = mailSettings(
      { ...settings, ...definedFields({ host, port, secure, user, mailbox, from }), filter: newFilter },
      plainly,
    )
    const moved = mail.host !== settings.host || mail.user !== settings.user
    // Whoever could only change the host would be sent the password.
    if (moved && !password) throw invalid('password is required where host or user changes')
    return mail
  }
  const [stray] = Object.keys(definedFields({ host, port, secure, user, password, mailbox, from }))
  if (stray !== undefined) throw invalid(`${stray} belongs to a mailbox, not to a board`)
  return { ...settings, filter: newFilter }
}

/** Without what was not said. */
function definedFields<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Partial<T>
}
