import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { boardFor, boardKinds, boardOf, boards } from '../boards/boards.ts'
import { idField, neededLine, optionalText } from '../fields.ts'
import { omitNulls } from '../omit-nulls.ts'
import { readSchedule } from './schedule.ts'
import { sourceKinds, usualName, type MailSettings, type NewSource, type Settings } from './source.ts'

const MAX_LINE_LENGTH = 300
const MAX_URL_LENGTH = 2000
const MAX_PASSWORD_LENGTH = 1000
const MAX_SENDERS = 50

/** The source in a path. */
export const sourcePath = z.object({ id: idField('Invalid source id') })

const WRONG_KIND = `kind must be one of: ${sourceKinds.join(', ')}`
const WRONG_PORT = 'port must be a whole number, from 1 to 65535'
const WRONG_SENDERS = `from must be a list of addresses or domains, at most ${MAX_SENDERS}`
const WRONG_PASSWORD = `password must be a text of at most ${MAX_PASSWORD_LENGTH} characters`

function flag(field: string) {
  return z.boolean({ error: `${field} must be true or false` }).nullish()
}

const filterField = z
  .object(
    {
      keywords: optionalText('filter.keywords', MAX_LINE_LENGTH),
      location: optionalText('filter.location', MAX_LINE_LENGTH),
      remote: flag('filter.remote'),
    },
    { error: 'filter must be an object with keywords, location and remote' },
  )
  .transform(omitNulls)
  .nullish()

const scheduleField = z
  .string({ error: 'schedule must be a text' })
  .max(MAX_LINE_LENGTH, `schedule may have at most ${MAX_LINE_LENGTH} characters`)
  .transform((text) => (text.trim() === '' ? null : readSchedule('schedule', text)))
  .nullish()

const mailFields = {
  host: optionalText('host', MAX_LINE_LENGTH).refine(
    (host) => host === undefined || /^[\p{L}\d.:-]+$/u.test(host),
    'host must be the name of a mail server, such as imap.example.com',
  ),
  port: z.int(WRONG_PORT).min(1, WRONG_PORT).max(65_535, WRONG_PORT).nullish(),
  secure: flag('secure'),
  user: optionalText('user', MAX_LINE_LENGTH),
  // Not trimmed: a password may begin with a space.
  password: z.string(WRONG_PASSWORD).max(MAX_PASSWORD_LENGTH, WRONG_PASSWORD).nullish(),
  mailbox: optionalText('mailbox', MAX_LINE_LENGTH),
  from: z
    .union([z.string().max(MAX_LINE_LENGTH), z.array(z.string().max(MAX_LINE_LENGTH)).max(MAX_SENDERS)], {
      error: WRONG_SENDERS,
    })
    .transform((from) =>
      [from]
        .flat()
        .map((each) => each.trim().toLowerCase())
        .filter(Boolean),
    )
    .nullish(),
}

/** The body of `POST /jobs/sources`, and an entry of `sources` in config.yaml. */
export const newSourceBody = z
  .object({
    kind: optionalText('kind', MAX_LINE_LENGTH).describe(`One of: ${sourceKinds.join(', ')}.`),
    board: optionalText('board', MAX_URL_LENGTH).describe("The company's name on the board, or a URL of it."),
    name: optionalText('name', MAX_LINE_LENGTH),
    schedule: scheduleField,
    enabled: flag('enabled'),
    check: flag('check'),
    filter: filterField,
    ...mailFields,
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
  .transform((body) => {
    const isMail = body.kind === 'mail'
    const settings = { ...(isMail ? mailSettings(body) : boardAddress(body)), filter: body.filter ?? {} }
    if (isMail && !body.password) throw invalid('password is required')
    const source: NewSource = {
      name: body.name ?? usualName(settings),
      settings,
      secret: isMail ? (body.password ?? null) : null,
      schedule: body.schedule ?? null,
      enabled: body.enabled ?? true,
    }
    return { source, check: body.check ?? true }
  })

/** The body of `PATCH /jobs/sources/:id`. Absent fields stay; null clears the schedule and the filter. */
export const sourceChanges = z
  .strictObject({
    name: neededLine('name', MAX_LINE_LENGTH).optional(),
    schedule: scheduleField,
    enabled: flag('enabled'),
    check: flag('check'),
    filter: filterField,
    ...mailFields,
  })
  .meta({ examples: [{ schedule: '30 7 * * * Asia/Shanghai', enabled: true }] })
export type SourceChanges = z.infer<typeof sourceChanges>

type MailFields = {
  readonly [Field in keyof MailSettings]?: MailSettings[Field] | null | undefined
}

function mailSettings({ host, port, secure, user, mailbox, from }: Omit<MailFields, 'kind' | 'filter'>) {
  if (!host) throw invalid('host is required')
  if (!user) throw invalid('user is required')
  const isSecure = secure ?? port !== 143
  return {
    kind: 'mail' as const,
    host: host.toLowerCase(),
    port: port ?? (isSecure ? 993 : 143),
    secure: isSecure,
    user,
    mailbox: mailbox ?? 'INBOX',
    from: from ?? [],
  }
}

type BoardFields = { readonly kind: string | undefined; readonly board: string | undefined }

/** A URL implies the kind of a board; a company's name does not. */
function boardAddress({ kind: kindName, board }: BoardFields) {
  const kind = boardKinds.find((each) => each === kindName?.toLowerCase())
  if (kindName !== undefined && !kind) throw invalid(WRONG_KIND)
  if (board === undefined) throw invalid('board is required')
  const url = URL.parse(board.includes('://') ? board : `https://${board}`)
  const found = url ? boardOf(url) : undefined
  if (found) {
    if (!kind || kind === found.board.kind) return { kind: found.board.kind, board: found.slug }
    throw invalid(`board is an address of ${found.board.name}, not of ${boardFor(kind).name}`)
  }
  if (board.includes('/')) {
    const names = boards.map(({ name }) => name).join(', ')
    throw invalid(`board is no address of a board that can be read: ${names}`)
  }
  if (!kind) throw invalid('kind is required where board is no address')
  if (boardFor(kind).isSlug(board)) return { kind, board }
  throw invalid(`board is no name of a board of ${boardFor(kind).name}`)
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}

/**
 * The settings after a change.
 * @throws ServiceError `invalid-request` for a mailbox field on a board, or a new server without its password
 */
export function changedSettings(settings: Settings, changes: SourceChanges): Settings {
  const { host, port, secure, user, password, mailbox, from } = changes
  const filter = changes.filter === undefined ? settings.filter : (changes.filter ?? {})
  const mailChanges = omitNulls({ host, port, secure, user, mailbox, from })
  if (settings.kind === 'mail') {
    const mail = mailSettings({ ...settings, ...mailChanges })
    // Otherwise somebody who may only change the host could have the password sent there.
    const isMoved = mail.host !== settings.host || mail.user !== settings.user
    if (isMoved && !password) throw invalid('password is required where host or user changes')
    return { ...mail, filter }
  }
  const [misplaced] = Object.keys(omitNulls({ ...mailChanges, password }))
  if (misplaced !== undefined) throw invalid(`${misplaced} belongs to a mailbox, not to a board`)
  return { ...settings, filter }
}
