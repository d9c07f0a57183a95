import { ServiceError } from 'dragoman/errors'
import type { Notifier } from 'dragoman/stores'

import { openNatsNotifier } from './nats-notifier.ts'
import { openRedisNotifier } from './redis-notifier.ts'

/** Clusters that share a bus need different prefixes. It begins the name of each channel or subject. */
export type NotifierOptions = { readonly prefix?: string }

/**
 * Opens a notifier over Redis or NATS, for a cluster of more than some eight nodes: a node gets the notices only of
 * what it follows. After the start the bus may be away at any time. Readers on other nodes then see new entries later,
 * and nothing is lost.
 * @throws ServiceError `invalid-request` for another kind of URL; `unavailable` if the bus does not answer, refuses the
 *   account, or its package is not installed
 *
 * @example
 * const { store } = await openPostgres('postgres://dragoman@127.0.0.1/dragoman')
 * const notifier = await openNotifier('redis://127.0.0.1:6379')
 */
export async function openNotifier(
  url: string,
  { prefix = 'dragoman' }: NotifierOptions = {},
): Promise<Notifier> {
  const target = URL.parse(url)
  switch (target?.protocol) {
    case 'redis:':
    case 'rediss:':
      return openRedisNotifier(url, prefix).catch(failWith(target, 'ioredis'))
    case 'nats:':
      return openNatsNotifier(target, prefix).catch(failWith(target, '@nats-io/transport-node'))
    default:
      throw new ServiceError('invalid-request', 'NOTIFY_URL must begin with redis://, rediss:// or nats://.')
  }
}

/** The error itself is left out: it may contain the password, among the arguments of a command. */
function failWith({ protocol, host }: URL, packageName: string): (error: unknown) => never {
  return (error) => {
    const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string }
    const problem =
      code === 'ERR_MODULE_NOT_FOUND'
        ? `needs the package ${packageName}. Run: npm install ${packageName}`
        : `cannot be used: ${message || code}`
    throw new ServiceError('unavailable', `NOTIFY_URL: ${protocol}//${host} ${problem}`)
  }
}
