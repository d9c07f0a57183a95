import { ServiceError } from '../../errors.ts'

/** How far an application has come. */
export const statuses = ['inbox', 'applied', 'interviewing', 'offer', 'rejected', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** Names that older clients use. */
const aliases: Readonly<Record<string, Status>> = { new: 'inbox', interview: 'interviewing' }

/** Reads a filter by status; `all` and an absent one are none. @throws ServiceError `invalid-request` */
export function statusFilter(field: string, text: string | undefined): Status | undefined {
  if (text === undefined || text === '' || text.toLowerCase() === 'all') return undefined
  const name = text.trim().toLowerCase()
  const status =
    statuses.find((known) => known === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  if (!status) {
    throw new ServiceError('invalid-request', `${field} must be one of: ${statuses.join(', ')}, all`)
  }
  return status
}
