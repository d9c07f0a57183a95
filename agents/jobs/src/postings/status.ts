import { ServiceError } from 'dragoman/errors'

/** How far an application has come. */
export const statuses = ['inbox', 'applied', 'interviewing', 'offer', 'rejected', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** More exactly, and to which of the six it belongs. */
const belongsTo = {
  no_response: 'applied',
  screening: 'interviewing',
  assessment: 'interviewing',
  onsite: 'interviewing',
  accepted: 'offer',
  withdrawn: 'skipped',
} as const satisfies Readonly<Record<string, Status>>

export type SubStatus = keyof typeof belongsTo
export const subStatuses = Object.keys(belongsTo) as readonly SubStatus[]

/** Names that older clients use. */
const aliases: Readonly<Record<string, Status>> = { new: 'inbox', interview: 'interviewing' }

/** The status that a text names, in whatever case. */
export function statusNamed(text: string): Status | undefined {
  const name = text.trim().toLowerCase()
  return (
    statuses.find((status) => status === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  )
}

/** Reads a filter by status; `all` and an absent one are none. @throws ServiceError `invalid-request` */
export function statusFilter(field: string, text: string | undefined): Status | undefined {
  if (text === undefined || text === '' || text.toLowerCase() === 'all') return undefined
  const status = statusNamed(text)
  if (!status) {
    throw new ServiceError('invalid-request', `${field} must be one of: ${statuses.join(', ')}, all`)
  }
  return status
}

/** Where an application stands. */
export type Standing = { readonly status: Status; readonly subStatus: string | null }

/**
 * Where an application stands once something new is said of it: a sub-status brings its status with it, and goes with
 * another one.
 * @throws ServiceError `invalid-request` where the two contradict each other
 */
export function standing(
  now: Standing,
  status: Status | undefined,
  subStatus: SubStatus | null | undefined,
): Standing {
  if (subStatus === undefined || subStatus === null) {
    const next = status ?? now.status
    return { status: next, subStatus: subStatus === null || next !== now.status ? null : now.subStatus }
  }
  const own = belongsTo[subStatus]
  if (status !== undefined && status !== own) {
    throw new ServiceError(
      'invalid-request',
      `subStatus ${subStatus} belongs to the status ${own}, not to ${status}`,
    )
  }
  return { status: own, subStatus }
}
