import { ServiceError } from 'dragoman/errors'

/** The stages of an application. */
export const statuses = ['inbox', 'applied', 'interviewing', 'offer', 'rejected', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** The status of each sub-status. */
const statusOfSubStatus = {
  no_response: 'applied',
  screening: 'interviewing',
  assessment: 'interviewing',
  onsite: 'interviewing',
  accepted: 'offer',
  withdrawn: 'skipped',
} as const satisfies Readonly<Record<string, Status>>

export type SubStatus = keyof typeof statusOfSubStatus
export const subStatuses = Object.keys(statusOfSubStatus) as readonly SubStatus[]

/** Names of older clients. */
const aliases: Readonly<Record<string, Status>> = { new: 'inbox', interview: 'interviewing' }

/** The status that a text names, in any case. */
export function statusNamed(text: string): Status | undefined {
  const name = text.trim().toLowerCase()
  return (
    statuses.find((status) => status === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  )
}

/** Reads a filter by status; `all` is no filter. @throws ServiceError `invalid-request` */
export function statusFilter(field: string, text: string | undefined): Status | undefined {
  if (text === undefined || text === '' || text.toLowerCase() === 'all') return undefined
  const status = statusNamed(text)
  if (!status) {
    throw new ServiceError('invalid-request', `${field} must be one of: ${statuses.join(', ')}, all`)
  }
  return status
}

export type Standing = { readonly status: Status; readonly subStatus: string | null }

/**
 * The status and sub-status after a change. A sub-status sets its status, and ends with it.
 * @throws ServiceError `invalid-request` if the two contradict each other
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
  const own = statusOfSubStatus[subStatus]
  if (status !== undefined && status !== own) {
    throw new ServiceError(
      'invalid-request',
      `subStatus ${subStatus} belongs to the status ${own}, not to ${status}`,
    )
  }
  return { status: own, subStatus }
}
